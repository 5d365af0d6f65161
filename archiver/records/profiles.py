"""How texts of a column look: their length, and what they are made of."""

from __future__ import annotations

import re
from math import log2, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 200  # texts that are looked at
_DIGIT = re.compile(r"\d")
_CAPITAL = re.compile(r"\b[^\W\d_a-z]")
_MARK = re.compile(r"[^\w\s]")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\W*\d[\d.,\s]*\W*")


def profile_of(texts: Sequence[str]) -> tuple[float, ...]:
    """Numbers from 0 to about 1, each of which tells some columns apart."""
    looks = [_look(text) for text in texts[:_MOST]]
    return tuple(sum(values) / len(looks) for values in zip(*looks, strict=True)) if looks else ()


def _look(text: str) -> tuple[float, ...]:
    size, words = max(1, len(text)), len(_WORD.findall(text))
    return (
        min(1.0, log2(1 + len(text)) / 9),
        min(1.0, log2(1 + words) / 6),
        len(_DIGIT.findall(text)) / size,
        min(1.0, 3 * len(_MARK.findall(text)) / size),
        min(1.0, len(_CAPITAL.findall(text)) / max(1, words)),
        float(_NUMBER.fullmatch(text) is not None),
        float(":" in text or "/" in text),
        float(any(sign in text for sign in "€$£¥%")),
    )


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    """From 0 to 1."""
    if not one or not other:
        return 0.0
    apart = sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))
    return max(0.0, 1 - apart)
