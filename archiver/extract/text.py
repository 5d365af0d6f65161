"""The text of a subtree as a person would copy it: paragraphs apart, list items and table rows on lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from archiver.extract.dom import cleaned, parse_markup, writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

# What stands alone, with a blank line before and after.
PARAGRAPHS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "hr", "html", "legend", "main", "nav", "p", "pre", "section", "summary", "table",
})  # fmt: skip
LISTS = frozenset({"ul", "ol", "menu", "dir"})
LINES = frozenset({"tr", "li", "option", "caption"})
CELLS = frozenset({"td", "th"})

_SPACE = re.compile(r"\s+")
# Hints of where a line may break: texts that differ only in them read the same.
_HINTS = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")


Event = Literal["open", "close", "skip"]


def nothing(_element: Element) -> bool:
    return False


def walk(root: Element, skip: Callable[[Element], bool] = nothing) -> Iterator[tuple[Element, Event]]:
    """Each element as it opens and closes, without recursion; what is skipped gives one event."""
    yield root, "open"
    stack = [(root, iter(root))]
    while stack:
        parent, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            yield parent, "close"
        elif skip(child):
            yield child, "skip"
        else:
            yield child, "open"
            stack.append((child, iter(child)))


def text_of(root: Element, skip: Callable[[Element], bool] = nothing) -> str:
    """The text of the subtree, without the subtrees that are skipped."""
    writer = _Writer()
    for element, event in walk(root, skip):
        if event == "open":
            writer.open(element.tag)
            writer.write(element.text)
            continue
        if event == "close":
            writer.close(element.tag)
        if element is not root:
            writer.write(element.tail)
    return writer.text()


def plain(markup: str) -> str:
    """The text of a piece of HTML such as a feed's summary, on one line."""
    if "<" not in markup and "&" not in markup:
        return one_line(markup)
    tree = parse_markup(markup)
    return "" if tree is None else one_line(text_of(cleaned(tree)))


def one_line(text: str) -> str:
    return _SPACE.sub(" ", writable(text).translate(_HINTS)).strip()


class _Writer:
    """Collects pieces of text; a break is written only when text follows it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._newlines = 0  # pending, as the next three are
        self._space = False
        self._tab = False
        self._marker = ""
        self._begun = False  # a list item or cell opened, and nothing is in it yet
        self._lists = 0
        self._pre = 0
        self._row = 0  # how many pieces there were when the row began

    def open(self, tag: str) -> None:
        if tag == "br":
            self._newlines = min(self._newlines + 1, 2)
        elif tag in CELLS:
            self._open_cell()
        else:
            self._boundary(tag)
        if tag == "tr":
            self._row = len(self._pieces)
        self._marker = "- " if tag == "li" else self._marker
        self._begun = self._begun or tag == "li" or tag in CELLS
        self._lists += tag in LISTS
        self._pre += tag == "pre"

    def close(self, tag: str) -> None:
        if tag == "pre":
            self._pre -= 1
            self._strip_end()
        self._lists -= tag in LISTS
        if tag == "li" or tag in CELLS:
            self._marker, self._begun = "", False
        self._boundary(tag)

    def write(self, text: str | None) -> None:
        if not text:
            return
        if not text.isascii():
            text = text.translate(_HINTS)
        if self._pre:
            self._write_kept(text)
        else:
            self._write_flowing(text)

    def text(self) -> str:
        return writable("".join(self._pieces)).strip("\n")

    def _boundary(self, tag: str) -> None:
        if tag in PARAGRAPHS or (tag in LISTS and not self._lists):
            self._break(2)
        elif tag in LINES or tag in LISTS:
            self._break(1)

    def _break(self, newlines: int) -> None:
        # The first paragraph of a list item or of a cell stands on the line that it begins.
        if not self._begun:
            self._newlines = max(self._newlines, newlines)

    def _open_cell(self) -> None:
        cells_before = self._pieces[self._row :]
        if any(piece.startswith("\n") for piece in cells_before[1:]):
            self._break(2)  # a table for layout: its cells hold paragraphs
        elif cells_before:
            self._newlines, self._tab = 0, True

    def _write_flowing(self, text: str) -> None:
        words = _SPACE.sub(" ", text)
        self._space = self._space or words.startswith(" ")
        words = words.strip(" ")
        if words:  # white space alone only separates
            self._pieces.append(self._pending() + words)
            self._space = text[-1].isspace()

    def _write_kept(self, text: str) -> None:
        if not self._pieces or self._newlines:
            text = text.lstrip("\n")
        if text:
            self._pieces.append(self._pending() + text)

    def _pending(self) -> str:
        """What goes before the next piece: the strongest of the breaks, and the marker."""
        gap = "\n" * self._newlines or ("\t" if self._tab else " " if self._space else "")
        before = (gap if self._pieces else "") + self._marker
        self._newlines, self._space, self._tab, self._marker, self._begun = 0, False, False, "", False
        return before

    def _strip_end(self) -> None:
        while self._pieces and self._pieces[-1].endswith("\n"):
            self._pieces[-1] = self._pieces[-1].rstrip("\n")
            if not self._pieces[-1]:
                self._pieces.pop()
