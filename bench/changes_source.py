"""The source of a foreign page: where its text stands, and which of it is the article's by its gold text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import NamedTuple

# Comments and what is no markup inside come first, so that nothing in them is taken for a tag.
_TOKEN = re.compile(
    r"<!--.*?-->|<(?P<raw>script|style|noscript|template|textarea|svg|iframe|title|pre)\b.*?</(?P=raw)\s*>"
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>|<[!?][^>]*>",
    re.DOTALL | re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "button", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "html", "li", "main", "nav", "ol", "option", "p", "section", "select", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_ZONES = frozenset({"div", "section", "ol", "ul", "aside", "article", "li"})
# Where readers begin to write: the gold text of some pages has their words too, and those are not edited.
_COMMENTS = re.compile(
    r"""\s(?:id|class)\s*=\s*["'](?:[^"']*\s)?(?:comments?|comment-?list|respond|disqus_thread)["'\s]"""
)
# Fewer words might stand in the gold text by chance.
LEAST_WORDS = 6


def words_of(text: str) -> list[str]:
    """The words by which texts are compared: no case, no punctuation, no spelling of entities."""
    return _WORD.findall(unescape(text).replace("\u00ad", "").replace("\u200b", "").casefold())


class Token(NamedTuple):
    """A tag, a text between tags, or something that holds neither."""

    kind: str  # open, close, text, other
    name: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A run of text between two block tags: as a rule a paragraph."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    # The tag that opened it, and the span of the whole element where nothing else is in it.
    tag: str
    whole: tuple[int, int] | None

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def span(one: Segment) -> tuple[int, int]:
    """From where the element opens to where it is closed."""
    if one.whole is None:
        raise ValueError("this text has no element of its own")
    return one.whole


@dataclass(frozen=True, kw_only=True)
class Source:
    """A page's source and what is known of it."""

    html: str
    gold: str
    url: str
    title: str = ""

    @cached_property
    def tokens(self) -> list[Token]:
        return tokens_of(self.html)

    @cached_property
    def segments(self) -> list[Segment]:
        return _segments(self.html, self.tokens)

    @cached_property
    def gold_words(self) -> str:
        return f" {' '.join(words_of(self.gold))} "

    @cached_property
    def article(self) -> list[Segment]:
        """The segments that stand in the gold text and nowhere else on the page, its headline not counted."""
        counts: dict[tuple[str, ...], int] = {}
        for one in self.segments:
            counts[one.words] = counts.get(one.words, 0) + 1
        found = [one for one in self.segments if counts[one.words] == 1 and self._is_gold(one)]
        end = self._comments(found)
        return [one for one in found if one.start < end]

    def _comments(self, found: list[Segment]) -> int:
        """Where the comments begin: behind half of the article at least, above there is only their number."""
        half = found[len(found) // 2].start if found else 0
        tags = (one for one in self.tokens if one.kind == "open" and one.name in _ZONES and one.start > half)
        zones = (one.start for one in tags if _COMMENTS.search(self.html, one.start, one.end))
        return next(zones, len(self.html))

    @cached_property
    def paragraphs(self) -> list[Segment]:
        """Those of them that are a paragraph of their own, from tag to tag."""
        return [one for one in self.article if one.tag == "p" and one.whole]

    @cached_property
    def neighbours(self) -> list[tuple[Segment, Segment]]:
        """Paragraphs that follow each other with nothing between them: surely in the article's own body."""
        pairs = zip(self.paragraphs, self.paragraphs[1:], strict=False)
        return [(one, two) for one, two in pairs if not self.html[span(one)[1] : span(two)[0]].strip()]

    @cached_property
    def body(self) -> list[Segment]:
        """Paragraphs that have such a neighbour: no captions, no bylines, no labels."""
        surely = {id(one) for pair in self.neighbours for one in pair}
        return [one for one in self.paragraphs if id(one) in surely]

    @cached_property
    def headline(self) -> Segment | None:
        """The one `h1` that says what the title says."""
        title = f" {' '.join(words_of(self.title))} "
        found = [
            one
            for one in self.segments
            if one.tag == "h1" and len(one.words) >= 3 and f" {' '.join(one.words)} " in title
        ]
        return found[0] if len(found) == 1 else None

    @cached_property
    def is_english(self) -> bool:
        words = self.gold_words.split()
        return sum(word in {"the", "of", "and", "to", "in"} for word in words) > len(words) / 12

    def _is_gold(self, one: Segment) -> bool:
        words = f" {' '.join(one.words)} "
        is_title = one.tag == "h1" or words in f" {' '.join(words_of(self.title))} "
        return len(one.words) >= LEAST_WORDS and not is_title and words in self.gold_words

    def between(self, start: int, end: int, new: str) -> str:
        return self.html[:start] + new + self.html[end:]

    def insert(self, place: int, new: str) -> str:
        return self.between(place, place, new)

    def at_body(self, *, end: bool) -> int | None:
        """Behind `<body>`, or before `</body>`."""
        kind = "close" if end else "open"
        found = [one for one in self.tokens if one.name == "body" and one.kind == kind]
        if not found:
            return None
        return found[-1].start if end else found[0].end


def tokens_of(html: str) -> list[Token]:
    found, place = [], 0
    for match in _TOKEN.finditer(html):
        if match.start() > place:
            found.append(Token("text", "", place, match.start()))
        kind = "other" if not match["name"] else "close" if match["end"] else "open"
        found.append(Token(kind, (match["name"] or match["raw"] or "").lower(), match.start(), match.end()))
        place = match.end()
    if place < len(html):
        found.append(Token("text", "", place, len(html)))
    return found


def _segments(html: str, tokens: list[Token]) -> list[Segment]:
    found: list[Segment] = []
    inside: list[Token] = []
    opener = Token("other", "", 0, 0)
    for token in tokens:
        if token.kind == "text" or token.name not in _BLOCKS:
            inside.append(token)
            continue
        segment = _segment(html, inside, opener, token)
        if segment is not None:
            found.append(segment)
        inside, opener = [], token
    return found


def _segment(html: str, inside: list[Token], opener: Token, closer: Token) -> Segment | None:
    texts = [one for one in inside if one.kind == "text" and not html[one.start : one.end].isspace()]
    if not texts:
        return None
    words = tuple(words_of("".join(html[one.start : one.end] for one in inside if one.kind == "text")))
    is_whole = (opener.kind, closer.kind) == ("open", "close") and opener.name == closer.name
    tag = opener.name if opener.kind == "open" else ""
    return Segment(
        tokens=tuple(inside), words=words, tag=tag, whole=(opener.start, closer.end) if is_whole else None
    )
