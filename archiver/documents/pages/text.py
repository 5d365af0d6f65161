"""The text of a subtree as a person would copy it.

- Paragraphs, headings, captions and preformatted text are apart by blank lines.
- Items of lists are on lines of their own behind "- ", those of a list within a list two spaces further in.
- Lines of quotations begin with "> ".
- Rows of tables are on lines, their cells between tabs, empty ones included, so that columns stay columns.
  Where cells hold paragraphs, the table is only layout: they are paragraphs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from archiver.documents.pages.dom import cleaned, parse_markup, writable
from archiver.lexicon.elements import BLOCKS, CELLS, LISTS, PARAGRAPHS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

# Hints of where a line may break: texts that differ only in them read the same.
_HINTS = re.compile("[\u00ad\u200b\u2060\ufeff]+")
QUOTE = "> "
MOST_NEWLINES = 2


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


def opened(root: Element, skip: Callable[[Element], bool], *tags: str) -> Iterator[Element]:
    """The elements of these tags, the root included, that nothing holds which is skipped."""
    for element in root.iter(*tags):
        one: Element | None = element
        while one is not None and one is not root and not skip(one):
            one = one.getparent()
        if one is root:
            yield element


def text_of(root: Element, skip: Callable[[Element], bool] = nothing) -> str:
    """The text of the subtree, without the subtrees that are skipped; what stands around them stays apart."""
    writer = _Writer()
    for element, event in walk(root, skip):
        if event == "open":
            writer.open(element)
            writer.write(element.text)
            continue
        if event == "close":
            writer.close(element.tag)
        else:
            writer.boundary(element.tag)
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
    return " ".join(writable(without_hints(text)).split())


def without_hints(text: str) -> str:
    return text if text.isascii() else _HINTS.sub("", text)


class _Writer:
    """Collects pieces of text; a break is written only when text follows it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._newlines = 0  # pending, as the next four are
        self._brs = 0
        self._space = False
        self._tabs = 0
        self._marker = ""
        self._begun = False  # a list item or cell opened, and nothing is in it yet
        self._lists = 0
        self._quotes = 0
        self._pre = 0
        self._row = 0  # how many pieces there were when the row began
        self._cells = 0
        self._corner = False  # whether cells before the first text of the row count

    def open(self, element: Element) -> None:
        tag = element.tag
        if tag == "br":
            self._brs += 1
            return
        self.boundary(tag)
        if tag in CELLS:
            self._open_cell()
        elif tag == "tr":
            self._row, self._cells, self._tabs = len(self._pieces), 0, 0
            self._corner = element.find("th") is not None
        elif tag == "li":
            self._marker = "  " * (self._lists - 1) + "- "
        self._begun = self._begun or tag == "li" or tag in CELLS
        self._lists += tag in LISTS
        self._quotes += tag == "blockquote"
        self._pre += tag == "pre"

    def close(self, tag: str) -> None:
        if tag == "pre":
            self._pre -= 1
            self._strip_end()
        self._lists -= tag in LISTS
        self._quotes -= tag == "blockquote"
        if tag == "li" or tag in CELLS:
            self._marker, self._begun = "", False
        if tag == "tr":
            self._tabs = 0
        self.boundary(tag)

    def write(self, text: str | None) -> None:
        if not text:
            return
        if self._pre:
            self._write_kept(without_hints(text))
        elif text.isspace():
            self._space = True
        else:
            self._write_flowing(without_hints(text))

    def text(self) -> str:
        return writable("".join(self._pieces)).strip("\n")

    def boundary(self, tag: str) -> None:
        if tag not in BLOCKS:
            return
        self._brs = 0  # a line break before a block breaks nothing more
        if self._pre:
            self._break(1)
        elif tag in PARAGRAPHS or (tag in LISTS and not self._lists):
            self._break(2)
        elif tag not in CELLS:
            self._break(1)

    def _break(self, newlines: int) -> None:
        # The first paragraph of a list item or of a cell stands on the line that it begins.
        if not self._begun:
            self._newlines = max(self._newlines, newlines)

    def _open_cell(self) -> None:
        cells_before = self._pieces[self._row :]
        if any(piece.startswith("\n") for piece in cells_before[1:]):
            self._break(2)  # a table for layout: its cells hold paragraphs
            self._tabs = 0
        elif cells_before:
            self._newlines, self._tabs = 0, self._tabs + 1
        elif self._corner and self._cells:
            self._tabs += 1
        self._cells += 1

    def _write_flowing(self, text: str) -> None:
        self._space = self._space or text[:1].isspace()
        words = " ".join(text.split())
        if words:  # white space alone only separates
            self._pieces.append(self._pending() + words)
            self._space = text[-1].isspace()

    def _write_kept(self, text: str) -> None:
        if not self._pieces or self._newlines:
            text = text.lstrip("\n")
        if text:
            self._pieces.append(self._pending() + text.replace("\n", "\n" + QUOTE * self._quotes))

    def _pending(self) -> str:
        """What goes before the next piece: the strongest of the breaks, and what its line begins with."""
        newlines = max(self._newlines, 0 if self._begun else min(self._brs, MOST_NEWLINES))
        before = "\n" * newlines if self._pieces else ""
        if newlines or not self._pieces:
            before += QUOTE * self._quotes
        before += "\t" * self._tabs + self._marker
        if self._space and self._pieces and not before:
            before = " "
        self._newlines, self._brs, self._space, self._tabs = 0, 0, False, 0
        self._marker, self._begun = "", False
        return before

    def _strip_end(self) -> None:
        end = "\n" + QUOTE * self._quotes
        while self._pieces and self._pieces[-1].endswith(end):
            self._pieces[-1] = self._pieces[-1].removesuffix(end)
            if not self._pieces[-1]:
                self._pieces.pop()
