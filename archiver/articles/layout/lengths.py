"""Lengths of style sheets in pixels."""

from __future__ import annotations

import re

ROOT_SIZE = 16.0  # the default of browsers
_KEYWORDS = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
    "xx-large": 32.0,
}  # fmt: skip
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|em|rem|pt|%|vw|vh|ex|ch)?")
_SCALES = {"px": 1.0, "": 1.0, "pt": 4 / 3, "vw": 10.24, "vh": 7.68, "rem": ROOT_SIZE, "ch": 8.0}

# A length in pixels, or a share of the width around (and True); None: told by what is in it.
Length = tuple[float, bool] | None


def font_size(told: str, around: float, own: float) -> float:
    if told in _KEYWORDS:
        return _KEYWORDS[told]
    if told in ("smaller", "larger"):
        return around / 1.2 if told == "smaller" else around * 1.2
    match = _LENGTH.fullmatch(told)
    if match is None:
        return own
    number, unit = float(match[1]), match[2] or ""
    if unit in ("em", "%", "ex"):
        return around * number / {"em": 1, "%": 100, "ex": 2}[unit]
    return number * _SCALES[unit]


def size_in(font: str) -> str:
    """The size in a `font` shorthand, which stands before a stroke or the family."""
    return next(
        (one.partition("/")[0] for one in font.split() if _LENGTH.match(one) and not one.isdigit()), ""
    )


def length(told: str | None, size: float) -> Length:
    match = _LENGTH.fullmatch(told.strip()) if told else None
    if match is None:
        return None
    number, unit = float(match[1]), match[2] or ""
    if unit == "%":
        return min(number, 100.0) / 100, True
    return (
        number * size / (2 if unit == "ex" else 1) if unit in ("em", "ex") else number * _SCALES[unit]
    ), False


def pixels(told: str, size: float) -> float:
    found = length(told, size)
    if found is None:
        return 0.0
    # Shares are of a width that is not known here: of half a screen, which is a guess.
    return max(-2000.0, min(2000.0, found[0] * 512 if found[1] else found[0]))


def line_height(told: str | None, size: float, inherited: float) -> float:
    match = _LENGTH.fullmatch(told) if told else None
    if match is None:
        return inherited
    number, unit = float(match[1]), match[2] or ""
    scale = {"": 1.0, "em": 1.0, "%": 0.01, "px": 1 / (size or 1)}.get(unit, 0.0)
    return max(0.5, min(4.0, number * scale)) if scale else inherited


def columns_in(told: str) -> int:
    """How many columns a grid has; 0 where that is not told in a simple way."""
    if match := re.match(r"repeat\(\s*(\d+)", told):
        return min(12, int(match[1]))
    return 0 if "(" in told or told in ("", "none") else min(12, len(told.split()))
