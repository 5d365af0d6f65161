"""Which part of a text is the value: what stands around it, a separator, its type, or its form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.fields.induction.accepting import folded
from archiver.fields.model import PieceOf, Take
from archiver.fields.taking import taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.fields.model import Field

_SEPARATORS = (" | ", " - ", " – ", " — ", " · ", " • ", " » ", " > ", " / ", "; ", ", ", ": ", "/", "|", " ")
_LONGEST_AFFIX = 30
_MOST_PIECES = 12
_LAST_WORD = re.compile(r"\S+\s*$")
_FIRST_WORD = re.compile(r"^\s*\S+")
_RUN = re.compile(r"\d+|[^\W\d_]+|\s+|.", re.DOTALL)
_SYNTAX = re.compile(r"([\\.^$|?*+()\[\]{}])")


def takes_for(text: str, value: str, field: Field) -> list[Take]:
    """Ways to get a value out of a text that has it as a part: those that give it on this text."""
    start = folded(text).find(folded(value))
    if start < 0:
        return []
    made = dict.fromkeys(_takes(text, value, field))
    return [take for take in made if _gives(take, text, value, field)]


def _gives(take: Take, text: str, value: str, field: Field) -> bool:
    parts = taken(text, take, field)
    return bool(parts) and folded(parts[0]) == folded(value)


def _takes(text: str, value: str, field: Field) -> Iterator[Take]:
    if field.type not in ("text", "html"):
        yield Take(typed=True)
    start = text.casefold().find(value.casefold())
    if start >= 0:
        yield from _by_affixes(text[:start], text[start + len(value) :])
    yield from _by_separators(text, value)
    yield Take(match=f"({_form(value)})")


def _by_affixes(before: str, after: str) -> Iterator[Take]:
    lefts = [before.strip(), (_LAST_WORD.search(before) or [""])[0].strip(), before.strip()[-1:]]
    rights = [after.strip(), (_FIRST_WORD.search(after) or [""])[0].strip(), after.strip()[:1]]
    lefts = [one for one in dict.fromkeys(lefts) if len(one) <= _LONGEST_AFFIX]
    rights = [one for one in dict.fromkeys(rights) if len(one) <= _LONGEST_AFFIX]
    for left in lefts if before.strip() else [""]:
        for right in rights if after.strip() else [""]:
            yield Take(after=left, before=right)


def _by_separators(text: str, value: str) -> Iterator[Take]:
    for by in _SEPARATORS:
        pieces = [folded(one) for one in text.split(by)]
        if 1 < len(pieces) <= _MOST_PIECES and folded(value) in pieces:
            nth = pieces.index(folded(value)) + 1
            yield Take(split=PieceOf(by=by, nth=nth))
            yield Take(split=PieceOf(by=by, nth=nth - 1 - len(pieces)))


def _form(value: str) -> str:
    """A pattern of what looks like a value: digits and letters as runs, the rest as it is."""
    written = ""
    for run in _RUN.findall(value):
        if run.isdigit():
            written += r"\d+"
        elif run.isalpha():
            written += r"\pL+"
        else:
            written += r"\s+" if run.isspace() else _SYNTAX.sub(r"\\\1", run)
    return written
