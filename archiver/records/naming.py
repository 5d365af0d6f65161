"""Names of columns: what marks them up, what stands before them, the head of their table, their class."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from archiver.documents.pages.names import is_steady
from archiver.lexicon.elements import CELLS
from archiver.records.leaves import seen_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element as Element

_LONGEST = 30
# Classes that say how something looks or where it stands, not what it is.
_SAYS_NOTHING = frozenset(
    """
    text txt item items list row col column cell box block wrap wrapper inner outer content
    container left right top bottom main body head header footer first last odd even clear
    clearfix link url value data info details detail meta result results hit hits record entry
    media image img icon small large big bold label field name-value section group line span div
    par paragraph media-body more extra hidden visible active new view
    """.split()  # noqa: SIM905 - as a list it is a page long
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_OF_A_SLUG = re.compile(r"[^\w]+|_+")
_CELL = re.compile(r"(?:^|/)t[dh]\[(\d+)\]")
_CLASS = re.compile(r"\.([a-z]{3,20})$")


def slug(text: str) -> str:
    """A name as a word of small letters, digits and hyphens, in the script of the text."""
    plain = unicodedata.normalize("NFKC", _CAMEL.sub(" ", text)).casefold()
    return _NOT_OF_A_SLUG.sub("-", plain).strip("-")[:_LONGEST].strip("-")


def class_name(kind: str) -> str:
    """The class of the innermost element that has one which says what it is; empty where none does."""
    for step in reversed([one for one in kind.split("/") if "()" not in one][-2:]):
        found = _CLASS.search(step)
        if found and found[1] not in _SAYS_NOTHING and is_steady(found[1]):
            return found[1]
    return ""


def header_name(kind: str, headers: Sequence[str]) -> str:
    """What the head of the table says of the cell."""
    found = _CELL.search(kind)
    place = int(found[1]) - 1 if found else len(headers)
    return headers[place] if place < len(headers) else ""


def headers_of(row: Element) -> list[str]:
    """The texts of the head of a row's table; nothing where it is not a row."""
    if row.tag != "tr":
        return []
    table = next(row.iterancestors("table"), None)
    first = next(table.iter("tr"), None) if table is not None else None
    if first is None or first is row:
        return []
    cells = [cell for cell in first if cell.tag in CELLS]
    if not all(cell.tag == "th" for cell in cells) and next(first.iterancestors("thead"), None) is None:
        return []
    return [seen_text(cell) for cell in cells]


def apart(names: Iterable[str]) -> list[str]:
    """The names, with a number where one comes again, and `col-N` where there is none."""
    found: list[str] = []
    for number, name in enumerate(names, 1):
        base = name or f"col-{number}"
        again = 2
        unique = base
        while unique in found:
            unique, again = f"{base}-{again}", again + 1
        found.append(unique)
    return found
