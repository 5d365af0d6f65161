"""A page as a tree: decoded, parsed however deep it is, and cleaned of what no reader sees."""

from __future__ import annotations

import codecs
import copy
import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from lxml import etree
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding, read_bom

from archiver.documents.pages.encodings import guess_encoding, is_hardly_utf8, is_proven_utf8, is_utf8
from archiver.documents.pages.repair import is_swallowed, without_open_ends, without_unseen
from archiver.errors import ExtractionError
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element as Element

# libxml2 stops reading at 2,048 levels, whatever it is told: a page that deep is built without its help.
MAX_DEPTH = 1000
_BODY_DEPTH = 2  # `html` and `body`

# What no reader sees, and controls, whose labels are not text.
INVISIBLE = (
    "script", "style", "noscript", "noframes", "template", "iframe", "object", "canvas", "svg", "audio",
    "video",
)  # fmt: skip
CONTROLS = ("button", "select", "textarea", "input", "datalist", "dialog")

UNSEEN = frozenset({*INVISIBLE, *CONTROLS})

# An `id` or `class` that names the comments zone itself: "comments", "post-comments", "comment__list";
# neither "comments-open" nor "no-comments", which say something of the article.
_COMMENTS_NAME = re.compile(
    r"""(?:^|\s)(?!(?:no|has|with|without|show|hide|allow)[_-])
    (?:[\w-]*[_-]|article|post|entry|story|blog|reader|user|facebook|fb)?(?:
        comments?(?:[_-]*(?:area|list|section|wrap|wrapper|container|threads?|form|box|block|template|zone|body
            |content|holder|module|stream|embed|inner|outer))?
        |respond|disqus(?:[_-]\w+)?|livefyre(?:[_-]\w+)?|coral[_-]talk[\w-]*|spot-?im[\w-]*
        |hyvor-talk[\w-]*
    )(?:[_-]?\d+)?(?=\s|$)""",
    re.IGNORECASE | re.VERBOSE,
)
# Every match of it has one of these in it, in small letters.
_COMMENTS_STEMS = ("comment", "respond", "disqus", "livefyre", "coral", "spot", "hyvor")
_COMMENTS_LABEL = re.compile(r"\W*(?:(?:reader|user|all|the)\s+)?comments?\W*", re.IGNORECASE)
ZONE_TAGS = frozenset(
    {"div", "section", "aside", "ol", "ul", "dl", "li", "article", "footer", "form", "table", "td"}
)
# A zone that holds one of these is the page's frame with an unlucky name.
_HEADLINE = etree.XPath("boolean(.//h1 or .//*[@itemprop='articleBody'])")

# Signs that link a heading to itself; the private one is a chain in the icons of documentation.
SIGNED = (*HEADINGS, "dt")
_SIGNS = frozenset({"¶", "#", "§", "🔗", "⚓", "⚓\ufe0e", "∞", "\uf0c1", "[¶]", "[#]"})

_ABSOLUTE = re.compile(
    r"https?://[a-z0-9.-]+(?::\d{1,5})?(?:/[\w/.~%+,=:@!&()*'$-]*)?(?:\?[\w/.~%+,=:@!&()*'$-]+)?(?:#[\w/.~%=:-]+)?",
    re.ASCII,
)
_FROM_ROOT = re.compile(
    r"/(?:[\w.~%+,=:@!&()*'$-][\w/.~%+,=:@!&()*'$-]*)?(?:\?[\w/.~%+,=:@!&()*'$-]+)?(?:#[\w/.~%=:-]+)?",
    re.ASCII,
)
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::\d{1,5})?(?=[/?#]|\Z)", re.ASCII)
_NAME = re.compile(r"[a-zA-Z_][\w.-]*", re.ASCII)
_STRANGE = re.compile(r"[^\w.-]", re.ASCII)
# Controls, halves of surrogate pairs and non-characters: XML or JSON refuses them.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# The same for bytes, which is many times faster on a whole page; what it misses goes when text is written.
_CONTROLS = bytes({*range(0x20), 0x7F} - set(b"\t\n\f\r"))
_FORM_FEED_TO_SPACE = bytes.maketrans(b"\f", b" ")
# What lxml reads into a tree although it refuses to have such a text moved within it: U+FFFE and U+FFFF, and
# references to these and to controls.
# Each begins with bytes of its own, which a page is searched for many times faster than for alternatives.
_REFUSED_CHARACTER = re.compile(rb"\xef\xbf[\xbe\xbf]")
_REFUSED_REFERENCE = re.compile(
    rb"&#(?:0*+(?:[0-8]|1[124-9]|2[0-9]|3[01]|6553[45])(?![0-9])"
    rb"|[xX]0*+(?:[0-8bcefBCEF]|1[0-9a-fA-F]|[fF]{3}[efEF])(?![0-9a-fA-F]));?"
)
# Codecs of Python that are no encoding of a page: they raise, warn, or turn text into markup.
_NO_PAGE_CODEC = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
_WESTERN = frozenset({"cp1252", "iso8859-1", "ascii"})


def writable(text: str) -> str:
    """The text without the characters that XML and JSON cannot carry."""
    # What can be printed is nearly every text, and known at once.
    return text if text.isprintable() else UNWRITABLE.sub("", text.replace("\f", " "))


def decode(body: bytes, content_type: str | None) -> str:
    """The text of a page: by its BOM, header or declaration, unless the bytes contradict them."""
    proven = _proven_encoding(body, content_type)
    if proven is not None:
        return body.decode(proven, "replace")
    try:
        return html_to_unicode(content_type, body, auto_detect_fun=guess_encoding)[1]
    except LookupError:  # a codec of Python that is no text encoding, such as base64
        return body.decode(guess_encoding(body), "replace")


def _proven_encoding(body: bytes, content_type: str | None) -> str | None:
    """The encoding that the bytes prove where the declared one cannot be true."""
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
    if declared is None or read_bom(body)[0] is not None:
        return None
    name = codecs.lookup(declared).name
    # A declaration that can be read byte by byte is in no encoding of two or four bytes a character.
    if name in _NO_PAGE_CODEC or (name.startswith(("utf-16", "utf-32")) and b"\0" not in body):
        return guess_encoding(body)
    # What servers and templates say of every page, also where it was not checked.
    if name in _WESTERN and not body.isascii():
        return guess_encoding(body)
    if name == "utf-8":
        return guess_encoding(body) if is_hardly_utf8(body) else None
    return "utf-8" if not name.startswith("utf-") and is_proven_utf8(body) else None


def parse_html(body: bytes, content_type: str | None, url: str) -> Element:
    """The tree of a page; ExtractionError if there is nothing to parse. Ask `why_not_html` before."""
    # Most pages are what they say they are, and need not be decoded only to be encoded again.
    is_known = is_stated_utf8(body, content_type)
    tree = _parse(body) if is_known else parse_markup(decode(body, content_type))
    if tree is None:
        raise ExtractionError(f"{url}: the body is empty")
    return tree


def is_stated_utf8(body: bytes, content_type: str | None) -> bool:
    """Whether a page is said to be UTF-8, and is."""
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
    if declared is None or codecs.lookup(declared).name != "utf-8" or read_bom(body)[0] is not None:
        return False
    return is_utf8(body)


def parse_markup(markup: str) -> Element | None:
    """The tree of a document or fragment, always under `html`; None if there is nothing in it."""
    # Encoded again, because lxml refuses text that declares an encoding of its own.
    return _parse(markup.encode("utf-8", "ignore"))


def _parse(body: bytes) -> Element | None:
    """The tree of bytes in UTF-8."""
    data = _REFUSED_CHARACTER.sub(b"", body.translate(_FORM_FEED_TO_SPACE, _CONTROLS))
    data = without_open_ends(_REFUSED_REFERENCE.sub(b"", data))
    tree = _parse_once(data)
    if tree is not None and is_swallowed(tree):
        return _parse_once(without_unseen(data))
    return tree


def _parse_once(data: bytes) -> Element | None:
    # Not lxml.html's parser: its classes of elements make every walk over a tree slower by half.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        tree: Element | None = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        return _parse_deep(data)
    return tree


def _parse_deep(data: bytes) -> Element:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, target=_ShallowBuilder())
    tree: Element = etree.fromstring(data, parser)
    return tree


class _ShallowBuilder:
    """Builds a tree from parse events; where nesting gets too deep, it starts again below `body`.

    So a thousand tags that are never closed do not take the structure of what follows them.
    """

    def __init__(self) -> None:
        self._builder = etree.TreeBuilder()
        self._open: list[str] = []
        self._closed_early = 0

    def start(self, tag: str | bytes, attrib: Mapping[str | bytes, str | bytes]) -> None:
        if len(self._open) == MAX_DEPTH:
            self._closed_early += MAX_DEPTH - _BODY_DEPTH
            while len(self._open) > _BODY_DEPTH:
                self._builder.end(self._open.pop())
        # The builder refuses names that pages do have, such as `fb:like`, `@click` and `a"b`.
        self._open.append(_STRANGE.sub("-", str(tag)))
        plain: dict[str | bytes, str | bytes] = {
            name: writable(str(value)) for name, value in attrib.items() if _NAME.fullmatch(str(name))
        }
        self._builder.start(self._open[-1], plain)

    def end(self, _tag: str | bytes) -> None:
        if len(self._open) <= _BODY_DEPTH and self._closed_early:
            self._closed_early -= 1
        else:
            self._builder.end(self._open.pop())

    def data(self, data: str | bytes) -> None:
        self._builder.data(writable(str(data)))

    def comment(self, text: str | bytes) -> None:
        """Comments are no part of the tree."""

    def close(self) -> Element:
        return self._builder.close()


def cleaned(tree: Element) -> Element:
    """A copy of the tree without scripts, styles and controls: what a reader may see."""
    clean = copy.deepcopy(tree)
    strip_unseen(clean)
    return clean


def strip_unseen(tree: Element) -> None:
    """Take out what `cleaned` leaves out."""
    etree.strip_elements(tree, *INVISIBLE, *CONTROLS, with_tail=False)
    for heading in tree.iter(*SIGNED):
        for link in list(heading.iter("a")):
            if is_sign(link):
                _take_out(link)


def is_sign(link: Element) -> bool:
    """Whether a link of a clean heading is only the sign that leads to the heading itself."""
    return "#" in link.get("href", "") and "".join(map(str, link.itertext())).strip() in _SIGNS


def _take_out(element: Element) -> None:
    """Without its text, and with the text behind it."""
    before, around, tail = element.getprevious(), element.getparent(), element.tail or ""
    if around is None:
        return
    if before is None:
        around.text = (around.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail
    element.tail = None
    around.remove(element)


def shows_text(tree: Element) -> bool:
    """Whether there is anything to read: a page that a script fills has a title, and nothing else."""
    waiting = [part for part in reversed(tree) if part.tag != "head"]
    while waiting:
        element = waiting.pop()
        if element.tag not in UNSEEN and _is_text(element.text):
            return True
        if element.tag not in UNSEEN:
            waiting += reversed(element)
        if _is_text(element.tail):
            return True
    return False


def _is_text(text: str | None) -> bool:
    return bool(text) and not str(text).isspace()


def is_comments_zone(element: Element) -> bool:
    """Whether the element's own names say that it holds what readers wrote about the article."""
    if element.tag not in ZONE_TAGS:
        return False
    names = f"{element.get('id', '')} {element.get('class', '')}"
    named = _may_name_comments(names) and _COMMENTS_NAME.search(names)
    named = named or _COMMENTS_LABEL.fullmatch(element.get("aria-label", ""))
    return bool(named) and not _HEADLINE(element)


def _may_name_comments(names: str) -> bool:
    """Most names are told by this, in a fraction of the time."""
    if len(names) == 1:
        return False
    lowered = names.lower()
    # Not `any` with a generator, which takes three times as long.
    for stem in _COMMENTS_STEMS:  # noqa: SIM110
        if stem in lowered:
            return True
    return False


def elements(path: etree.XPath, node: Element) -> list[Element]:
    """What an XPath that selects elements finds."""
    found = path(node)
    return [one for one in found if etree.iselement(one)] if isinstance(found, list) else []


def base_url(tree: Element, url: str) -> str:
    """What relative addresses of the page are relative to."""
    href = next((base.get("href") for base in tree.iter("base") if base.get("href") is not None), None)
    return (href and absolute_url(url, href)) or url


@lru_cache(maxsize=4096)
def absolute_url(base: str, href: str) -> str | None:
    """The address as http or https, or None if it is neither.

    Kept for a while: a page is asked several times where its links lead.
    """
    # As most are; what needs no joining is left as it is.
    if _ABSOLUTE.fullmatch(href) and "/." not in href:
        return href
    # The same for those that begin at the root of the same server.
    if _FROM_ROOT.fullmatch(href) and "/." not in href and (origin := _ORIGIN.match(base)):
        return origin[0] + href
    # As browsers do: white space around is dropped, line ends and tabs inside too.
    address = re.sub(r"[\t\r\n]", "", href).strip()
    try:
        absolute = writable(urljoin(base, address)).replace(" ", "%20")
        parts = urlsplit(absolute)
    except ValueError:  # such as an unfinished IPv6 host
        return None
    return absolute if parts.scheme in ("http", "https") and parts.netloc else None
