"""Pages that nobody would write: sites with a template each, its parts as strange as the Web is."""

from __future__ import annotations

from html import escape
from itertools import cycle, islice
from typing import NamedTuple

from hypothesis import strategies as st

from archiver.documents.pages.model import Announcement, RawPage

TAGS = (
    "div", "p", "span", "a", "article", "section", "main", "aside", "nav", "ul", "ol", "li", "dl", "dt",
    "dd", "table", "tbody", "tr", "td", "th", "caption", "h1", "h2", "h3", "h6", "blockquote", "pre",
    "code", "b", "em", "figure", "figcaption", "form", "button", "select", "option", "iframe", "noscript",
    "template", "svg", "math", "script", "style", "textarea", "title", "head", "body", "html", "frameset",
    "center", "font", "marquee", "x-card", "details", "summary", "address", "header", "footer", "label",
    "q", "sup",
)  # fmt: skip
VOID = ("br", "hr", "img", "input", "wbr", "link", "meta", "base", "col", "embed", "source")
NAMES = (
    "class", "id", "itemprop", "role", "style", "hidden", "aria-hidden", "aria-label", "href", "src",
    "srcset", "lang", "dir", "datetime", "content", "property", "name", "rel", "title", "alt", "data-src",
    "itemtype", "colspan", "xmlns", "xml:lang", "on:click", "_", "a-1",
)  # fmt: skip
VALUES = (
    "", " ", "article-body", "entry-content post", "comments", "comments-12", "sidebar related", "a'b",
    'a"b', "a'b\"c", "x)]|//*[", "']", "concat('", "{$a}", "&amp;", "<p>", "\u00e9t\u00e9-\u65e5\u672c",
    "\x00nul", "\x85", "\u2028", "\u00a0", "\U0001f600", "\ufffe", "x" * 5000, "a " * 500, "articleBody",
    "display:none", "true", "https://a.example/x?y=1#z", "//[", "http://[::1", "javascript:alert(1)",
    "data:image/gif;base64,R0", "#c", "2024-05-06T07:08:09Z", "og:title", "description", "author",
    "canonical", "en", "zh-Hant", "-", "%", "9lives",
)  # fmt: skip
WORDS = (
    "the", "ferry", "and", "harbour", "of", "night", "sails", "again", "council", "1984", "don't",
    "na\u00efve", "\u0441\u0443\u0434\u043d\u043e", "\u6e2f\u53e3\u7684\u6e21\u8f2a",
    "\u0633\u0641\u064a\u0646\u0629", "\u0e40\u0e23\u0e37\u0e2d\u0e02\u0e49\u0e32\u0e21\u0e1f\u0e32\u0e01",
    "\ud55c\uad6d\uc5b4", "e\u0301", "\u00ad", "\u200b", "\u202e", "-", "\u2014", "$", "&", "<", "]]>",
    "\u0130stanbul", "\u00df", "\ufb01",
)  # fmt: skip
SENTENCES = (
    "The night ferry sails again from the old harbour, {0} said on Friday.",
    "After nine years {0} and the council agreed, and nobody was more surprised than the crew.",
    "Tickets cost less than {0}; dogs travel for nothing.",
    "\u6e2f\u53e3\u7684\u6e21\u8f2a\u6628\u665a\u518d\u6b21\u8d77\u822a\uff0c{0}\u8868\u793a\u3002",
    "\u041f\u043e\u0441\u043b\u0435 {0} \u0441\u043d\u043e\u0432\u0430 \u0432 \u043c\u043e\u0440\u0435.",
    "\u0639\u0627\u062f\u062a {0} \u0625\u0644\u0649 \u0627\u0644\u0645\u064a\u0646\u0627\u0621.",
    "Read more about {0}",
    "By {0}, staff writer",
)

_values = st.sampled_from(VALUES) | st.text(max_size=12)
_attributes = st.dictionaries(st.sampled_from(NAMES), _values, max_size=3)
_texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=20)


class Part(NamedTuple):
    """An element of a template: what is in it, or that the article's text is there."""

    tag: str
    attributes: dict[str, str]
    # The number of sentences of the article; None: the same on all pages.
    sentences: int | None
    text: str
    is_closed: bool
    parts: tuple[Part, ...]


def _part(children: st.SearchStrategy[tuple[Part, ...]]) -> st.SearchStrategy[Part]:
    return st.builds(
        Part,
        st.sampled_from(TAGS) | st.sampled_from(VOID),
        _attributes,
        st.none() | st.integers(0, 8),
        _texts,
        st.integers(0, 9).map(bool),
        children,
    )


_parts = st.recursive(
    _part(st.just(())), lambda inner: _part(st.lists(inner, max_size=4).map(tuple)), max_leaves=14
)
_article = st.builds(
    Part,
    st.sampled_from(("article", "div", "td", "section", "main", "body", "span", "li")),
    _attributes,
    st.integers(3, 12),
    st.just(""),
    st.just(True),
    st.lists(_part(st.just(())), max_size=3).map(tuple),
)


@st.composite
def sites(draw: st.DrawFn) -> tuple[RawPage, ...]:
    """Some pages of one template, with an article each."""
    parts = [*draw(st.lists(_parts, max_size=3)), draw(_article), *draw(st.lists(_parts, max_size=2))]
    head, depth = draw(_texts), draw(st.sampled_from((0, 0, 0, 0, 3, 300, 3000)))
    announcing = draw(st.booleans())
    return tuple(
        _page(number, parts, head, depth, is_announced=announcing)
        for number in range(draw(st.integers(1, 6)))
    )


def _page(number: int, parts: list[Part], head: str, depth: int, *, is_announced: bool) -> RawPage:
    title = f"Ferry {chr(65 + number)} {head}"
    body = "<div>" * depth + "".join(_markup(part, number) for part in parts)
    markup = f"<html><head><title>{escape(title)}</title></head><body>{body}</body></html>"
    said = Announcement(title=title, summary=_sentence(number, 1)) if is_announced else Announcement()
    return RawPage(
        url="", body=markup.encode("utf-8", "surrogatepass"), content_type="text/html", announcement=said
    )


def _markup(part: Part, number: int) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in part.attributes.items())
    if part.tag in VOID:
        return f"<{part.tag}{attributes}>{part.text}"
    if part.sentences is None:
        text = escape(part.text)
    else:
        text = "".join(f"<p>{_sentence(number, place)}</p>" for place in range(part.sentences))
    inner = "".join(_markup(one, number) for one in part.parts)
    end = f"</{part.tag}>" if part.is_closed else ""
    return f"<{part.tag}{attributes}>{text}{inner}{end}"


def _sentence(number: int, place: int) -> str:
    """Words that differ from page to page and from sentence to sentence."""
    names = " ".join(islice(cycle(WORDS), number * 3 + place, number * 3 + place + 4))
    return escape(SENTENCES[(place * (number + 1)) % len(SENTENCES)].format(f"{names} {number}-{place}"))
