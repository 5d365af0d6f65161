"""Markup that swallows the page: comments and unseen elements that end for browsers, and not for libxml2.

libxml2 ignores `</button>` while a `div` in the button is open, and leaves all that follows in the button;
browsers close both. It drops what stands behind `</html>`, where browsers go on. What is never closed ends
where the page goes on. Nothing is taken out but what readers do not see, so that a repair of a page that
needed none changes nothing of its text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

# Elements that hold no other of their own kind: the first end tag behind one is its own.
_CONTROLS = ("button", "select", "datalist")
_UNSEEN = (*_CONTROLS, "noscript", "video", "audio", "canvas")
# Elements that hold text alone, up to their end tag.
_RAW = ("textarea", "title", "iframe", "script", "style", "xmp")
# Without an end tag of their own, these hold the rest of the document for libxml2.
_RAW_TO_END = ("textarea", "title", "iframe")
# Where the page goes on. The first ones stand in no control, whatever is open.
_PAGE = ("main", "article", "h1", "body")
_ZONES = (
    "section", "header", "footer", "nav", "aside", "h2", "h3", "h4", "h5", "h6", "p", "div", "table", "tr",
    "td", "form", "ul", "ol", "dl", "blockquote", "center", "hr",
)  # fmt: skip
_MUCH_TEXT = 1000

_MARK = re.compile(
    rf"<!--|<(?P<end>/?)(?P<tag>{'|'.join((*_UNSEEN, *_RAW, *_PAGE, *_ZONES))})(?=[\s/>])".encode()
)
_END_OF_PAGE = re.compile(rb"</(?:html|body)\s*>", re.IGNORECASE)
# What readers see; counters and scripts stand behind the end of many pages.
_SEEN = re.compile(rb"<(?!(?:script|noscript|style|img|iframe|link|meta|html|body)\b)[a-z]", re.IGNORECASE)


def without_open_ends(data: bytes) -> bytes:
    """The markup with an end for the last comment and for elements of text alone, where they have none."""
    return _with_ends_of_raw(_with_end_of_comment(_without_early_end(data)))


def _without_early_end(data: bytes) -> bytes:
    """A page that goes on behind its end tag goes on."""
    end = data.lower().find(b"</html")
    is_early = end >= 0 and _SEEN.search(data, end) is not None
    return _END_OF_PAGE.sub(b"", data) if is_early else data


def _with_end_of_comment(data: bytes) -> bytes:
    """A comment without an end stops at the next `>`, as browsers once agreed."""
    # The common end first: a search for what is not there reads the whole page.
    for sign in (b"-->", b"--!>"):
        if data.find(b"<!--", max(data.rfind(sign), 0)) < 0:
            return data
    starts = (mark.start() for mark in _marks(data.lower()) if mark["tag"] is None)
    ends = dict.fromkeys(data.find(b">", start) for start in starts)
    pieces: list[bytes] = []
    done = 0
    for end in ends:
        if end >= 0:
            pieces += (data[done:end], b"--")
            done = end
    return b"".join((*pieces, data[done:]))


def _with_ends_of_raw(data: bytes) -> bytes:
    """Text without an end tag ends at the next tag."""
    lower = data.lower()
    for tag in map(str.encode, _RAW_TO_END):
        start = lower.rfind(b"<" + tag)
        if start < 0 or lower.find(b"</" + tag, start) >= 0 or lower[start + len(tag) + 1 :][:1].isalnum():
            continue
        behind = lower.find(b">", start)
        end = lower.find(b"<", behind)
        if behind >= 0 <= end and lower[behind - 1 : behind] != b"/":
            data = b"%b</%b>%b" % (data[:end], tag, data[end:])
            lower = data.lower()
    return data


def is_swallowed(tree: Element) -> bool:
    """Whether something that readers do not see holds what they do."""
    return any(_holds_page(element) for element in tree.iter(*_UNSEEN))


def _holds_page(element: Element) -> bool:
    # One in another of its kind was not closed either; looked for as well, so that no page is walked twice.
    if next(element.iterdescendants(*_PAGE, element.tag), None) is not None:
        return True
    length = 0
    for piece in element.itertext():
        length += len(piece)
        if length > _MUCH_TEXT:
            return True
    return False


def without_unseen(data: bytes) -> bytes:
    """The markup without the unseen elements, each up to where a browser would end it."""
    kept, done = [], 0
    for start, end in _spans(data):
        kept.append(data[done:start])
        done = end
    return b"".join((*kept, data[done:]))


def _spans(data: bytes) -> Iterator[tuple[int, int]]:
    marks = list(_marks(data.lower()))
    place = 0
    while place < len(marks):
        mark = marks[place]
        place += 1
        if mark["end"] or _name(mark) not in _UNSEEN:
            continue
        place, end = _end_of(marks, place - 1, data)
        yield mark.start(), end


def _end_of(marks: Sequence[re.Match[bytes]], place: int, data: bytes) -> tuple[int, int]:
    """Behind an element's mark and its end tag; else where the page goes on: the next mark, and its place."""
    tag, goes_on = _name(marks[place]), None
    never_in = _PAGE if tag in _CONTROLS else ()
    for number in range(place + 1, len(marks)):
        mark, name = marks[number], _name(marks[number])
        if name == tag and mark["end"]:
            return number + 1, data.find(b">", mark.start()) + 1 or len(data)
        if goes_on is None and name in (*_PAGE, *_ZONES):
            goes_on = number
        if name == tag or name in never_in:
            break
    else:
        number = len(marks)
    at = number if goes_on is None else goes_on
    return at, marks[at].start() if at < len(marks) else len(data)


def _name(mark: re.Match[bytes]) -> str:
    return (mark["tag"] or b"").decode()


def _marks(lower: bytes) -> Iterator[re.Match[bytes]]:
    """The tags that matter, and comments without an end; not what comments and scripts hold."""
    behind, endless = 0, set()
    for mark in _MARK.finditer(lower):
        closing = _closing(mark)
        if mark.start() < behind:
            continue
        found = -1 if closing is None or closing in endless else lower.find(closing, mark.start() + 2)
        behind = max(behind, found)
        if closing is not None and found < 0:
            endless.add(closing)
        if closing is None or (mark["tag"] is None and found < 0):
            yield mark


def _closing(mark: re.Match[bytes]) -> bytes | None:
    """What ends a comment or an element of text alone."""
    if mark["tag"] is None:
        return b"-->"
    is_raw = mark["tag"].decode() in _RAW and not mark["end"]
    return b"</" + mark["tag"] if is_raw else None
