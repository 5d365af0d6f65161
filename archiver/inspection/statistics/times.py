"""When entries were published: by dates that can be believed, else by when they were first seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Before there was a Web, dates are placeholders: 1970, 1900.
_EARLIEST = datetime(1991, 1, 1, tzinfo=UTC)
# A clock in the wrong zone runs ahead by no more than this, and alike for all entries of its feed.
_AHEAD = timedelta(hours=14)


class SeenEntry(NamedTuple):  # of which there are many: a dataclass takes thrice as long to make
    """An entry as the store knows it. Dates are in UTC, and None where the feed gave none that is certain."""

    first_seen: datetime
    published: datetime | None = None
    updated: datetime | None = None
    # Changed after it was first seen: what it says of its last update is no publication.
    is_edited: bool = False
    # Whether the feed wrote such dates at all, readable or not.
    has_published: bool = False
    has_updated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryTimes:
    """The publications of a channel, in order, and how many entries each kind of time stands for."""

    times: tuple[datetime, ...]
    dated: int
    first_seen: int
    unknown: int

    @property
    def entries(self) -> int:
        return self.dated + self.first_seen + self.unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A span of time, open where an end is None. Both ends belong to it."""

    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_all(self) -> bool:
        return self.since is None and self.until is None

    def has(self, moment: datetime) -> bool:
        return (self.since is None or self.since <= moment) and (self.until is None or moment <= self.until)


ALWAYS = Period()


def publication_times(entries: Sequence[SeenEntry], period: Period = ALWAYS) -> EntryTimes:
    """What is known of when these entries of one channel were published, as far as that is in the period."""
    dates = [believed_date(entry) for entry in entries]
    dated = [date for date in dates if date is not None and period.has(date)]
    undated = [entry.first_seen for entry, date in zip(entries, dates, strict=True) if date is None]
    # What the first poll found had been there for an unknown time.
    first_look = min((entry.first_seen for entry in entries), default=None)
    seen = [moment for moment in undated if moment != first_look]
    in_period = [moment for moment in seen if period.has(moment)]
    return EntryTimes(
        # Those that one poll found are one update: no interval between them was seen.
        times=tuple(sorted([*dated, *set(in_period)])),
        dated=len(dated),
        first_seen=len(in_period),
        unknown=len(undated) - len(seen) if period.is_all else 0,
    )


def believed_date(entry: SeenEntry) -> datetime | None:
    """The entry's date of publication; that of its update where there is no other and it was never edited."""
    date = entry.published
    if date is None and not entry.is_edited:
        date = entry.updated
    if date is None or not _EARLIEST <= date <= entry.first_seen + _AHEAD:
        return None
    return date


def intervals(times: Iterable[datetime]) -> list[float]:
    """Seconds between each publication and the next."""
    return [(after - before).total_seconds() for before, after in pairwise(times)]
