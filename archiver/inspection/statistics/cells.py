"""Values of tables as a person reads them."""

from __future__ import annotations

from enum import StrEnum

from archiver.display.tables import printable

Cell = str | int | float | None

_NOTHING = "–"
_UNITS = (("d", 86400), ("h", 3600), ("min", 60))
_ROUND_SPANS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


class Kind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"  # 0 to 1
    SPAN = "span"  # seconds


def in_words(cell: Cell, kind: Kind) -> str:
    if cell is None:
        return _NOTHING
    if isinstance(cell, str):
        return printable(cell)
    if kind is Kind.SHARE:
        return f"{cell:.1%}"
    return span_in_words(cell) if kind is Kind.SPAN else f"{cell:,}"


def span_in_words(seconds: float) -> str:
    """`12 d 14 h 12 min`, as the study writes it; below a minute, `35 s`."""
    if seconds < 59.5:
        return f"{seconds:.0f} s" if seconds >= 9.5 or seconds == round(seconds) else f"{seconds:.1f} s"
    rest = round(seconds / 60) * 60
    parts = []
    for unit, size in _UNITS:
        number, rest = divmod(rest, size)
        if number:
            parts.append(f"{number:,} {unit}")
    return " ".join(parts)


def round_span(seconds: float) -> str:
    """`6 hours`, `1 day`, `30 days`: a span that has a name."""
    for unit, size in _ROUND_SPANS:
        if seconds >= size:
            number = round(seconds / size)
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return f"{seconds:g} seconds"
