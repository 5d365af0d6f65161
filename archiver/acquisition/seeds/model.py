"""What a seeds file says, whatever its format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A feed to poll, or a site to find feeds on."""

    url: str
    labels: tuple[str, ...] = ()
    # How often to poll; None leaves it to the schedule.
    every: timedelta | None = None
    # What its file calls it; its feed may know better.
    title: str | None = None
    source: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedProblem:
    """A line that was not understood, and why."""

    source: str
    line: int
    reason: str
    # The file, and what stands there: the same problem at another line is not a new one.
    file: str = field(default="", compare=False)
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedList:
    seeds: tuple[Seed, ...] = ()
    problems: tuple[SeedProblem, ...] = ()
    # Lines that are in order, and have no feed.
    skipped: tuple[SeedProblem, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.seeds or self.problems or self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRow:
    """A seed as its file wrote it, not yet checked."""

    line: int
    url: str
    labels: tuple[str, ...] = ()
    every: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A part of a file that cannot be a seed."""

    line: int
    reason: str
    text: str = ""  # as it stands there
    # Something that its reader has and the Web has not, not a mistake.
    is_harmless: bool = False


# The source of channels that were added by hand.
BY_HAND = "scrapy channels add"


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
