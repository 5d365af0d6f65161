"""What requests have brought, as a line in SVG: it bends where they bring little more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.statistics.axes import count_ticks
from archiver.inspection.statistics.svg import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 440, 12, 200
HEIGHT, LEFT = _BOTTOM + 42, _LEFT
_MOST_TICKS = 5


def growth_parts(points: Sequence[tuple[int, float]], what: str) -> Iterator[str]:
    """The parts of a drawing: so much of `what` after so many requests."""
    up = count_ticks(max((round(brought) for _, brought in points), default=0), most=_MOST_TICKS)
    along = count_ticks(max((requests for requests, _ in points), default=0), most=_MOST_TICKS)
    yield from _across(up)
    for number in along:
        yield words("tick", _x(number, along[-1]), _BOTTOM + 17, f"{number:,}", "middle")
    yield words("axis", (_LEFT + _RIGHT) / 2, _BOTTOM + 36, "requests", "middle")
    middle = (_TOP + _BOTTOM) / 2
    yield (
        f'<text class="axis" x="10" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 10 {middle})">{what}</text>'
    )
    placed = (f"{_x(requests, along[-1]):.1f},{_y(brought, up[-1]):.1f}" for requests, brought in points)
    yield f'<path class="text-seen" d="M{_LEFT}.0,{_BOTTOM}.0L{"L".join(placed)}"/>'


def _across(ticks: Sequence[int]) -> Iterator[str]:
    for number in ticks:
        height = _y(number, ticks[-1])
        yield f'<path class="{"grid" if number else "base"}" d="M{_LEFT},{height:.1f}H{_RIGHT}"/>'
        yield words("tick", _LEFT - 6, height + 4, f"{number:,}", "end")


def _x(requests: int, most: int) -> float:
    return _LEFT + requests / most * (_RIGHT - _LEFT)


def _y(brought: float, most: int) -> float:
    return _BOTTOM - brought / most * (_BOTTOM - _TOP)
