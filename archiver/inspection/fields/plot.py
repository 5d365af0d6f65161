"""The share of pages with a value, day by day, as SVG; colours are the page's."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from archiver.inspection.statistics.svg import drawing, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.fields.model import DayRate, FieldStatus

_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 440, 10, 90
_TICKS = (0.0, 0.5, 1.0)
# At most so many days have their name below.
_MOST_NAMED = 5
_WIDEST = 60


def rates_svg(field: FieldStatus) -> str:
    """A bar for each day that had pages: as high as the share of them with a value."""
    name, days = f"rates-{field.field}", field.days
    title = f"{field.field}: share of pages with a value"
    return drawing(name, title, rates_words(days), [*_lines(), *_bars(days)], _BOTTOM + 24)


def rates_words(days: Sequence[DayRate]) -> str:
    """What the bars show, in a sentence."""
    if not days:
        return "No page was read yet."
    pages, filled = sum(one.pages for one in days), sum(one.filled for one in days)
    last = days[-1]
    told = f"{filled:,} of {pages:,} pages had a value"
    if len(days) == 1:
        return f"{told}, on {last.day}."
    return f"{told} on {len(days)} days; {last.filled:,} of {last.pages:,} on the last, {last.day}."


def _lines() -> Iterator[str]:
    for share in _TICKS:
        height = _up(share)
        yield f'<path class="{"grid" if share else "base"}" d="M{_LEFT},{height:.1f}H{_RIGHT}"/>'
        yield words("tick", _LEFT - 6, height + 4, f"{share:.0%}", "end")


def _bars(days: Sequence[DayRate]) -> Iterator[str]:
    step = min(_WIDEST, (_RIGHT - _LEFT) / max(1, len(days)))
    apart = -(-len(days) // _MOST_NAMED)
    for place, one in enumerate(days):
        left, top = _LEFT + place * step, _up(one.rate)
        told = escape(f"{one.day}: {one.filled:,} of {one.pages:,} pages")
        yield (
            f'<rect class="bar" x="{left + step * 0.1:.1f}" y="{top:.1f}" width="{step * 0.8:.1f}" '
            f'height="{_BOTTOM - top:.1f}"><title>{told}</title></rect>'
        )
        # From the last day back, so that it has its name.
        if (len(days) - 1 - place) % apart == 0:
            yield words("tick", left + step / 2, _BOTTOM + 16, f"{one.day:%d %b}".lstrip("0"), "middle")


def _up(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)
