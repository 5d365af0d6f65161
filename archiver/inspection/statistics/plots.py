"""Plots for pages of the application: counts day by day, and a week hour by hour; colours are the page's."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from archiver.inspection.statistics.axes import count_ticks
from archiver.inspection.statistics.svg import drawing, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 440, 10, 130
_CELL_LEFT, _CELL_TOP, _CELL_WIDTH, _CELL_HEIGHT = 36, 4, 17.5, 17.5
# The classes heat-1 to heat-5: from few to most.
_SHADES = 5
_EVERY_HOURS = 6
_DAYS_APART = 7


def days_svg(counts: Sequence[tuple[date, int]], what: str, title: str) -> str:
    """A bar for each day."""
    ticks = count_ticks(max((count for _, count in counts), default=0), most=4)
    parts = [*_lines(ticks), *_bars(counts, what, ticks[-1])]
    return drawing(f"{what}-days", title, days_words(counts, what), parts, _BOTTOM + 24)


def days_words(counts: Sequence[tuple[date, int]], what: str) -> str:
    """What the bars show, in a sentence."""
    total = sum(count for _, count in counts)
    if not total:
        return f"No new {what} in {len(counts)} days."
    day, most = max(counts, key=lambda pair: pair[1])
    return f"{total:,} new {what} in {len(counts)} days, at most {most:,} on a day, which was {day}."


def _lines(ticks: Sequence[int]) -> Iterator[str]:
    for number in ticks:
        height = _up(number / ticks[-1])
        yield f'<path class="{"grid" if number else "base"}" d="M{_LEFT},{height:.1f}H{_RIGHT}"/>'
        yield words("tick", _LEFT - 6, height + 4, f"{number:,}", "end")


def _bars(counts: Sequence[tuple[date, int]], what: str, highest: int) -> Iterator[str]:
    step = (_RIGHT - _LEFT) / max(1, len(counts))
    for place, (day, count) in enumerate(counts):
        left, top = _LEFT + place * step, _up(count / highest)
        told = escape(f"{day}: {count:,} {what}")
        yield (
            f'<rect class="bar" x="{left + 1:.1f}" y="{top:.1f}" width="{step - 2:.1f}" '
            f'height="{_BOTTOM - top:.1f}"><title>{told}</title></rect>'
        )
        # From the last day back, so that today has its name.
        if (len(counts) - 1 - place) % _DAYS_APART == 0:
            yield words("tick", left + step / 2, _BOTTOM + 16, f"{day:%d %b}".lstrip("0"), "middle")


def _up(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)


def week_svg(hours: Sequence[Sequence[int]], name: str, title: str) -> str:
    """A row for each day of the week, a cell for each hour: the darker, the more."""
    highest = max((count for day in hours for count in day), default=0)
    parts = [*_hour_names(), *(part for day in range(len(hours)) for part in _row(day, hours[day], highest))]
    height = round(_CELL_TOP + len(WEEKDAYS) * _CELL_HEIGHT + 20)
    return drawing(name, title, week_words(hours), parts, height)


def week_words(hours: Sequence[Sequence[int]]) -> str:
    """The busiest hours and the days without any, in words."""
    busiest = sorted(
        ((count, day, hour) for day, row in enumerate(hours) for hour, count in enumerate(row) if count),
        key=lambda one: (-one[0], one[1], one[2]),
    )[:3]
    if not busiest:
        return "No entry has a date with a time of day."
    most = ", ".join(f"{WEEKDAYS[day]} {hour}–{hour + 1} h ({count:,})" for count, day, hour in busiest)
    quiet = [WEEKDAYS[day] for day, row in enumerate(hours) if not any(row)]
    without = f" None on {', '.join(quiet)}." if quiet else ""
    return f"Most entries: {most}.{without}"


def _row(day: int, counts: Sequence[int], highest: int) -> Iterator[str]:
    top = _CELL_TOP + day * _CELL_HEIGHT
    yield words("tick", _CELL_LEFT - 6, top + _CELL_HEIGHT - 5, WEEKDAYS[day][:3], "end")
    for hour, count in enumerate(counts):
        left = _CELL_LEFT + hour * _CELL_WIDTH
        told = f"{WEEKDAYS[day]} {hour}–{hour + 1} h: {count:,}"
        yield (
            f'<rect class="heat heat-{_shade(count, highest)}" x="{left:.1f}" y="{top:.1f}" '
            f'width="{_CELL_WIDTH - 1.5}" height="{_CELL_HEIGHT - 1.5}"><title>{escape(told)}</title></rect>'
        )


def _shade(count: int, highest: int) -> int:
    """From 0, none, to the darkest."""
    return -(-count * _SHADES // highest) if highest else 0


def _hour_names() -> Iterator[str]:
    for hour in range(0, 24, _EVERY_HOURS):
        left = _CELL_LEFT + hour * _CELL_WIDTH
        yield words("tick", left, _CELL_TOP + len(WEEKDAYS) * _CELL_HEIGHT + 13, f"{hour} h", "start")
