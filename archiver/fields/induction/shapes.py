"""How alike two values look: by the kinds of their characters, their length, and how they begin."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.fields.induction.guessing import reads_as, with_guessed_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from archiver.fields.model import Field

_KINDS, _LENGTH, _BEGINNING = 0.5, 0.3, 0.2


def looks_like(examples: Sequence[str], field: Field) -> Callable[[str], float]:
    """From 0 to 1: how much a text looks like the examples, and whether it reads as their type."""
    guessed = field if field.type != "text" else with_guessed_type(field, examples, ())
    if guessed.type == "text":
        return lambda text: likeness(text, examples)
    return lambda text: (likeness(text, examples) + reads_as(text, guessed)) / 2


def likeness(text: str, examples: Iterable[str]) -> float:
    """From 0 to 1: how much a text looks like the example that it is most like."""
    return max((_likeness(text, one) for one in examples), default=1.0)


@lru_cache(maxsize=50_000)
def _likeness(one: str, other: str) -> float:
    first, second = _profile(one), _profile(other)
    apart = sum(abs(a - b) for a, b in zip(first, second, strict=True)) / 2
    length = min(len(one), len(other)) / max(len(one), len(other), 1)
    same = _kind(one[:1]) == _kind(other[:1])
    return _KINDS * (1 - apart) + _LENGTH * math.sqrt(length) + _BEGINNING * same


@lru_cache(maxsize=20_000)
def _profile(text: str) -> tuple[float, ...]:
    """The share of each kind of characters."""
    kinds = [_kind(one) for one in text]
    return tuple(kinds.count(kind) / max(len(kinds), 1) for kind in range(6))


def _kind(character: str) -> int:
    if character.isdigit():
        return 0
    if character.isalpha():
        return 1 if character.isupper() else 2
    if character.isspace():
        return 3
    return 4 if character in ".,-/:()'" else 5
