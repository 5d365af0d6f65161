"""Edits that readers are told of, beside the headline or at the end of the article."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from archiver.articles.metadata.edit_sentences import edits_in, ends_open
from archiver.documents.pages.dom import UNSEEN, is_comments_zone
from archiver.documents.pages.text import one_line, without_hints
from archiver.documents.pages.words import tokens
from archiver.lexicon.elements import BLOCKS, HEADINGS, HEADLINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.times.model import Evidence

# How many lines above the headline, below it, into the text, before its end and behind it.
_ABOVE, _BELOW, _INTO, _BEFORE_END, _BEHIND = 4, 12, 3, 3, 12
_MOST_BESIDE = 60
# In one line.
_MOST_MARKS = 20
# A card is so small: further up, a heading is that of something else.
_CARD_LEVELS = 5
# A shorter line may stand anywhere on the page.
_LEAST_CHARACTERS = 25
# Above the headline, only what stands in one element with it, so far up.
_LEVELS = 3
# Beside blocks, where something else begins than more text of the same line.
_BREAKING = frozenset({"br", "time"})
_MARKERS = re.compile(r"^(?:> |\s*- )+")
# What is not of the article by its names, unless the headline is in it.
_ELSEWHERE = re.compile(
    r"""(?:^|[\s_-])(?:masthead|top-?bar|nav(?:bar|igation)?|menu|breadcrumbs?|sidebar|related|recommend(?:ed|ations)?
        |most-?(?:read|popular|viewed)|popular|trending|teasers?|newsletter|promos?|cookies?|copyright|colophon
        |site-?info)(?:[\s_-]|$)
    |(?:^|\s)(?:site|page|global|main)?[_-]?(?:footer|header)(?:[_-]?(?:wrapper|container|inner))?(?:\s|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_LINKED_HEADING = etree.XPath(
    "boolean(.//*[self::h2 or self::h3 or self::h4 or self::h5][.//a or ancestor::a])"
)
_EARLIEST = datetime.min.replace(tzinfo=UTC)


class _Line(NamedTuple):
    """A line as readers see it, the block that it is in, and the `time` elements in it."""

    block: Element
    text: str
    marks: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the article is among the lines of its page."""

    headline: int | None
    first: int
    last: int
    # The elements around the headline and the first line of the text.
    holders: frozenset[Element]


def told_edits(page: ParsedPage, title: str | None, text: str) -> list[Evidence]:
    """The last change that the page tells readers of; nothing where the text is not found on it."""
    lines = _lines(page.tree)
    place = _place(lines, title, text)
    if place is None:
        return []
    found = [
        edit
        for number in _near(lines, place)
        for edit in _edits(lines, number)
        if not _is_elsewhere(lines[number].block, place.holders)
    ]
    return sorted(found, key=_order)[-1:]


def _order(edit: Evidence) -> tuple[date, datetime]:
    return (edit.day or (edit.at or _EARLIEST).date(), edit.at or _EARLIEST)


def _edits(lines: Sequence[_Line], number: int) -> Iterator[Evidence]:
    line = lines[number]
    if ends_open(line.text) and number + 1 < len(lines):
        following = lines[number + 1]
        start = len(line.text) + 1
        marks = [*line.marks, *((start + place, text) for place, text in following.marks)]
        return edits_in(f"{line.text} {following.text}", marks)
    return edits_in(line.text, line.marks)


def _lines(tree: Element) -> list[_Line]:
    body = tree.find("body")
    return _LineReader(tree if body is None else body).read()


class _LineReader:
    """Collects text up to the next block or line break."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._lines: list[_Line] = []
        # The root twice: a body is a block that ends as well.
        self._blocks = [root, root]
        self._pieces: list[str] = []
        self._marks: list[tuple[int, str]] = []

    def read(self) -> list[_Line]:
        """Depth first, and without recursion: pages are as deep as they like."""
        stack = [(self._root, iter(self._root))]
        self._add(self._root.text)
        while stack:
            element, children = stack[-1]
            child = self._over(children)
            if child is not None:
                stack.append((child, iter(child)))
                continue
            stack.pop()
            if element.tag in BLOCKS:
                self._close()
            if stack:
                self._add(element.tail)
        self._end_line()
        return self._lines

    def _over(self, children: Iterator[Element]) -> Element | None:
        """Read elements up to one that holds others; most do not, and a call for each would take long."""
        pieces, blocks = self._pieces, self._blocks
        for child in children:
            tag = child.tag
            if tag not in UNSEEN:
                if tag in BLOCKS:
                    if pieces or self._marks:
                        self._end_line()
                    blocks.append(child)
                elif tag in _BREAKING:
                    self._break(child, tag)
                # White space only separates: where nothing has begun, there is nothing to separate.
                if (text := child.text) and (pieces or not text.isspace()):
                    pieces.append(text)
                if len(child):
                    return child
                if tag in BLOCKS:
                    self._close()
            if (text := child.tail) and (pieces or not text.isspace()):
                pieces.append(text)
        return None

    def _close(self) -> None:
        """End a block."""
        self._end_line()
        self._blocks.pop()

    def _break(self, element: Element, tag: str) -> None:
        """Begin a line or a `time`."""
        if tag != "time":
            self._end_line()
        elif element.get("datetime") and len(self._marks) < _MOST_MARKS:
            self._marks.append((len(self._text()), element.get("datetime", "")))

    def _end_line(self) -> None:
        if self._pieces:
            self._lines.append(_Line(self._blocks[-1], self._text(), tuple(self._marks)))
            self._pieces.clear()
        if self._marks:
            self._marks = []

    def _add(self, text: str | None) -> None:
        if text and (self._pieces or not text.isspace()):
            self._pieces.append(text)

    def _text(self) -> str:
        return " ".join("".join(self._pieces).split())


def _place(lines: Sequence[_Line], title: str | None, text: str) -> _Place | None:
    pieces = {one_line(_MARKERS.sub("", piece)) for piece in re.split(r"[\n\t]", text)} - {""}
    long = {piece for piece in pieces if len(piece) >= _LEAST_CHARACTERS} or pieces
    own = [number for number, line in enumerate(lines) if without_hints(line.text) in long]
    if not own:
        return None
    headline = _headline(lines[: own[0] + 2], title)
    ends = (lines[number].block for number in (own[0], headline) if number is not None)
    holders = frozenset(chain.from_iterable((block, *block.iterancestors()) for block in ends))
    return _Place(headline=headline, first=own[0], last=own[-1], holders=holders)


def _headline(lines: Sequence[_Line], title: str | None) -> int | None:
    """The last heading before the text that is its title, else the last of the first level."""
    wanted = tokens(title or "")
    headings = [number for number, line in enumerate(lines) if line.block.tag in HEADLINES]
    titled = [number for number in headings if tokens(lines[number].text) == wanted]
    top = [number for number in headings if lines[number].block.tag == "h1"]
    return next(iter((titled or top)[-1:]), None)


def _near(lines: Sequence[_Line], place: _Place) -> Iterable[int]:
    """The lines beside the headline, and those at the end of the text."""
    headline = place.first if place.headline is None else place.headline
    start = min(headline, place.first)
    above = (one for one in range(max(0, start - _ABOVE), start) if _is_with(lines[one], place.holders))
    into = min(max(place.first + _INTO, start + _BELOW), place.last + 1)
    beside = islice(range(start, into), _MOST_BESIDE)
    end = max(place.last + 1 - _BEFORE_END, place.first)
    return dict.fromkeys((*above, *beside, *range(end, place.last + 1), *_behind(lines, place.last)))


def _is_with(line: _Line, holders: frozenset[Element]) -> bool:
    """Whether a line stands in one element with the headline, and not only on one page."""
    around = islice((line.block, *line.block.iterancestors()), _LEVELS)
    return any(one in holders and one.tag not in ("body", "html") for one in around)


def _behind(lines: Sequence[_Line], last: int) -> Iterator[int]:
    """What stands behind the text, up to the next heading: there something else begins."""
    for number in range(last + 1, min(last + 1 + _BEHIND, len(lines))):
        if lines[number].block.tag in HEADINGS:
            return
        yield number


def _is_elsewhere(block: Element, holders: frozenset[Element]) -> bool:
    """Whether a line is of the masthead, the footer, the comments or a list of other articles."""
    for level, element in enumerate((block, *block.iterancestors())):
        if element in holders:
            return False
        if element.tag in ("nav", "a") or _ELSEWHERE.search(_names(element)):
            return True
        if is_comments_zone(element):
            return True
        if element.tag in ("header", "footer", "aside") and not _is_in_article(element):
            return True
        if level < _CARD_LEVELS and _LINKED_HEADING(element):
            return True
    return False


def _is_in_article(element: Element) -> bool:
    return any(one.tag in ("article", "main") for one in element.iterancestors())


def _names(element: Element) -> str:
    return f"{element.get('id', '')} {element.get('class', '')}"
