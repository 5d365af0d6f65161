"""A channel's rhythm in words, as `about 9 a day, mostly 7–18 h UTC on weekdays`."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

TOO_FEW = "too few entries of late to tell"

# Fewer say nothing, not even how often.
_FEWEST = 5
# "Mostly" is this share of the entries, at times that are at most this much of a day or of a week.
_MOSTLY = 0.85
_LONGEST_HOURS = 14
_MOST_DAYS = 3
# Five of seven days have 71 % by themselves.
_ALMOST_ALL = 0.9
# By how many standard deviations that must exceed an even spread. The best of many spans is looked at, so
# that two would often be reached by chance; of working weeks there is only one.
_SURE = 3.5
_SURE_OF_WEEKDAYS = 2.5
_DAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_WEEKDAYS = range(5)
_WEEKEND = frozenset({5, 6})
_SECONDS_A_DAY = 86400
# How many days each has, and the rate from which on it is counted by it.
_PERIODS = (
    ("an hour", 1 / 24, 2.0),
    ("a day", 1.0, 0.9),
    ("a week", 7.0, 0.9),
    ("a month", 365.25 / 12, 0.9),
)


def rhythm_words(
    rate_per_day: float,
    by_hour: Sequence[float],
    by_weekday: Sequence[float],
    *,
    seen: float | None = None,
) -> str:
    """How often and when, as far as the numbers bear it.

    `by_hour` (24, UTC) and `by_weekday` (7, Monday first, UTC) are numbers of entries, decayed or not.
    Where they are mere shares, `seen` says how many entries are behind them.
    """
    count = _count(by_hour, by_weekday) if seen is None else seen
    if not (count >= _FEWEST and rate_per_day > 0 and math.isfinite(rate_per_day)):
        return TOO_FEW
    hours, days = _hours(by_hour, count), _days(by_weekday, count)
    often = rate_words(rate_per_day)
    if hours and days:
        return f"{often}, mostly {hours} h UTC on {days}"
    if hours or days:
        return f"{often}, mostly {hours} h UTC" if hours else f"{often}, mostly on {days} (UTC)"
    return often


def rhythm_of(times: Iterable[datetime]) -> str:
    """The same from publication times in UTC, in any order."""
    moments = sorted(times)
    by_hour, by_weekday = [0] * 24, [0] * 7
    for moment in moments:
        by_hour[moment.hour] += 1
        by_weekday[moment.weekday()] += 1
    days = (moments[-1] - moments[0]).total_seconds() / _SECONDS_A_DAY if moments else 0.0
    return rhythm_words((len(moments) - 1) / days if days else 0.0, by_hour, by_weekday)


def rate_words(rate_per_day: float) -> str:
    """`about 9 a day`, `about one a week`: by the period that gives a number a person can picture."""
    for period, days, fewest in _PERIODS:
        if rate_per_day * days >= fewest:
            return f"about {_number(rate_per_day * days)} {period}"
    a_year = rate_per_day * 365.25
    return f"about {_number(a_year)} a year" if a_year >= 0.9 else "less than one a year"


def _number(value: float) -> str:
    if value < 9.5:
        return "one" if round(value) == 1 else str(round(value))
    digits = math.floor(math.log10(value)) - 1
    return f"{round(value, -digits):,.0f}"


def _count(*weights: Sequence[float]) -> float:
    return min(sum(some) for some in weights)


def _hours(by_hour: Sequence[float], count: float) -> str | None:
    """The shortest span of hours around the clock that holds most entries, if that says something."""
    total = sum(by_hour)
    if total <= 0:
        return None
    # Up to each hour of two days: a span is the difference of two.
    up_to = [0.0, *accumulate([*by_hour, *by_hour])]
    for length in range(1, _LONGEST_HOURS + 1):
        held = [up_to[start + length] - up_to[start] for start in range(24)]
        share = max(held) / total
        if share >= _MOSTLY:
            return _span(held.index(max(held)), length) if _is_sure(share, length / 24, count) else None
    return None


def _span(start: int, length: int) -> str:
    """`7–18`: from seven o'clock to six; `22–5` goes over midnight."""
    end = start + length
    return f"{start}–{end if end <= 24 else end - 24}"


def _days(by_weekday: Sequence[float], count: float) -> str | None:
    """The few days of the week that hold most entries; or that the weekend has hardly any."""
    total = sum(by_weekday)
    if total <= 0:
        return None
    ranked = sorted(range(7), key=lambda day: (-by_weekday[day], day))
    for length in range(1, _MOST_DAYS + 1):
        share = sum(by_weekday[day] for day in ranked[:length]) / total
        if share >= _MOSTLY and _is_sure(share, length / 7, count):
            return _names(frozenset(ranked[:length]))
    share = sum(by_weekday[day] for day in _WEEKDAYS) / total
    is_weekly = share >= _ALMOST_ALL and _is_sure(share, 5 / 7, count, _SURE_OF_WEEKDAYS)
    return "weekdays" if is_weekly else None


def _names(days: frozenset[int]) -> str:
    if days == _WEEKEND:
        return "weekends"
    *others, last = [_DAYS[day] for day in sorted(days)]
    return f"{', '.join(others)} and {last}" if others else last


def _is_sure(share: float, expected: float, count: float, deviations: float = _SURE) -> bool:
    """Whether an even spread would hardly have given this share."""
    return share - expected >= deviations * math.sqrt(expected * (1 - expected) / count)
