"""Intervals as a person writes them: 30m, 2h, 1h30m."""

import re
from datetime import timedelta

SHORTEST = timedelta(minutes=1)
LONGEST = timedelta(days=30)

# Seven digits are enough for 30 days in seconds, and never overflow a timedelta.
_INTERVAL = re.compile(r"(?=.)(?:([0-9]{1,7})d)?(?:([0-9]{1,7})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,7})s)?")


def parse_interval(text: str) -> timedelta:
    match = _INTERVAL.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError("not an interval: write numbers with units, such as 90s, 30m, 2h, 1d or 1h30m")
    days, hours, minutes, seconds = (int(number or 0) for number in match.groups())
    interval = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    if not SHORTEST <= interval <= LONGEST:
        raise ValueError("out of range: an interval is from 1m (one minute) to 30d (thirty days)")
    return interval


def interval_text(interval: timedelta) -> str:
    """Write an interval the way `parse_interval` reads it."""
    minutes, seconds = divmod(interval.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((interval.days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0s"
