"""Times as a person reads them: how long ago, and how soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime, timedelta

# Up to so many seconds a moment is now.
_NOW = 5
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
# The unit, its length, and from which span on it is used: "89 minutes" says more than "1 hour".
_UNITS = (
    ("year", 365 * _DAY, 730 * _DAY),
    ("month", 30.4 * _DAY, 90 * _DAY),
    ("day", _DAY, 36 * _HOUR),
    ("hour", _HOUR, 90 * _MINUTE),
    ("minute", _MINUTE, 90),
    ("second", 1, 0),
)


def when(moment: datetime, now: datetime) -> str:
    """`3 days ago`, `in 20 minutes`, `now`."""
    seconds = (moment - now).total_seconds()
    if abs(seconds) < _NOW:
        return "now"
    return f"in {length(seconds)}" if seconds > 0 else f"{length(-seconds)} ago"


def length(seconds: float) -> str:
    """`40 seconds`, `2 hours`: a span in the one unit that says enough."""
    for unit, size, start in _UNITS:
        if seconds >= start:
            number = round(seconds / size)
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return "0 seconds"


def span_in_words(interval: timedelta) -> str:
    """`1.5 h`: three digits, in the largest unit that fits."""
    seconds = interval.total_seconds()
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
