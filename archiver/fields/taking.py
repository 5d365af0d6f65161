"""The part of a text that is the value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.digests import normalised
from archiver.documents.patterns import compiled
from archiver.fields.types import MOST_CHARACTERS, typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.fields.model import Field, PieceOf, Take

# Words that are tried together as one value, and how many places are tried.
_MOST_WORDS = 6
_MOST_TOKENS = 400
_WORD = re.compile(r"\S+")
# What stands around a value and is not part of it.
_AROUND = "()[]{}<>«»\"'“”„;:|·•*,"


def taken(text: str, take: Take | None, field: Field, base: str = "") -> list[str]:
    """The parts of a text that a rule takes; without any, what it asks for is not there."""
    plain = normalised(text)
    if take is None or not plain or len(plain) > MOST_CHARACTERS:
        return [plain] if plain else []
    parts = [part for part in _cut(plain, take) if part]
    if take.typed:
        parts = [token for part in parts if (token := typed_token(part, field, base))]
    return parts


def _cut(text: str, take: Take) -> list[str]:
    if take.after:
        _, mark, text = text.partition(take.after)
        if not mark:
            return []
    if take.before:
        text, mark, _ = text.partition(take.before)
        if not mark:
            return []
    parts = _pieces(text, take.split) if take.split else [text]
    if take.match:
        found = [compiled(take.match).search(part) for part in parts]
        parts = [match.group(1) or "" for match in found if match]
    return [part.strip() for part in parts]


def _pieces(text: str, split: PieceOf) -> list[str]:
    pieces = [one.strip() for one in text.split(split.by or None)]
    if not split.nth:
        return pieces
    place = split.nth - 1 if split.nth > 0 else split.nth
    return [pieces[place]] if -len(pieces) <= place < len(pieces) else []


def typed_token(text: str, field: Field, base: str = "") -> str:
    """The one part of a text that reads as the field's type; empty where none does, or several differ."""
    found: dict[str, str] = {}
    end = 0
    for start, stop, token in _tokens(text):
        if start < end:
            continue  # within what was read already
        value = typed(token, field, base)
        if value is not None:
            found.setdefault(value.value, token)
            end = stop
    return next(iter(found.values())) if len(found) == 1 else ""


def _tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Runs of words with their places, of those that begin at a place the longest first."""
    words = list(_WORD.finditer(text))[:_MOST_TOKENS]
    for first in range(len(words)):
        for count in range(min(_MOST_WORDS, len(words) - first), 0, -1):
            start, stop = words[first].start(), words[first + count - 1].end()
            yield start, stop, text[start:stop].rstrip(f"{_AROUND}.").lstrip(_AROUND)
