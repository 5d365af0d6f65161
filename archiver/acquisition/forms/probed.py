"""Records as probing sees them: their words, values and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import ProbedRecord
from archiver.acquisition.forms.words import words_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def as_probed(key: str, values: Mapping[str, Sequence[str]]) -> ProbedRecord:
    columns = {
        name: frozenset(word for text in texts for word in words_in(text)) for name, texts in values.items()
    }
    words = frozenset[str]().union(*columns.values())
    numbers = {name: number for name, texts in values.items() if (number := _number(texts)) is not None}
    return ProbedRecord(
        key=key,
        words=words,
        values={name: tuple(texts) for name, texts in values.items()},
        numbers=numbers,
        column_words=columns,
    )


def _number(texts: Sequence[str]) -> float | None:
    """Of a column with one number in each record; identifiers are too long to be one."""
    if len(texts) != 1 or len(texts[0]) > 9:
        return None
    try:
        return float(texts[0])
    except ValueError:
        return None
