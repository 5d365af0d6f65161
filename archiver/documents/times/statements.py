"""Evidence from texts that state a date: feed entries, pages, addresses."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.feeds.dates import moment, written_day
from archiver.documents.times.model import Evidence, Source, What
from archiver.documents.times.sources import source_of
from archiver.lexicon.dates import MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from archiver.documents.feeds.model import FeedDate, FeedEntry
    from archiver.documents.times.model import Why

# Midnight to the second; "+00:00" is a zone.
_MIDNIGHT = re.compile(r"(?<![\d:+-])0?0:00(?::00(?:[.,]0+)?)?(?![\d:.,])|t0000(?:00)?(?!\d)", re.IGNORECASE)
_LONGEST = 100
_YEAR = r"(?<!\d)(?P<year>(?:19|20)\d\d)"
# /2026/03/02/ · /2026-03-02- · /2026_3_2 · /20260302 · /2026/mar/02/
_IN_ADDRESS = re.compile(
    rf"/{_YEAR}/(?P<month>\d\d?|[a-z]{{3,9}})/(?P<day>\d\d?)(?=/|$)"
    rf"|{_YEAR.replace('year', 'year2')}(?P<mark>[-_.]?)(?P<month2>\d\d)(?P=mark)(?P<day2>\d\d)(?!\d)"
)


def stated(what: What, source: Source, text: str) -> Evidence | None:
    """What a date says as it was written; None where it is none."""
    return _evidence(what, source, text, moment(text))


def from_entry(entry: FeedEntry, *, found_by: str | None = None, doubt: Why | None = None) -> list[Evidence]:
    """What the feed says, or the sitemap or listing in which the entry was found while a gap was filled.

    `doubt` is for a feed whose dates are not to be believed.
    """
    source = source_of(found_by)
    said = ((What.PUBLISHED, entry.published), (What.MODIFIED, entry.updated))
    found = (_evidence(what, source, stamp.text, stamp.utc, doubt) for what, stamp in _given(said))
    return [one for one in found if one is not None]


def _given(said: tuple[tuple[What, FeedDate | None], ...]) -> Iterator[tuple[What, FeedDate]]:
    return ((what, stamp) for what, stamp in said if stamp is not None)


def from_address(url: str) -> list[Evidence]:
    """The day in a page's address; a number that may be anything else is none."""
    found = _IN_ADDRESS.search(urlsplit(url).path.lower())
    day = _day_in(found) if found else None
    if found is None or day is None:
        return []
    return [Evidence(what=What.PUBLISHED, source=Source.ADDRESS, day=day, text=found.group().strip("/"))]


def _day_in(found: re.Match[str]) -> date | None:
    parts = {name.rstrip("2"): text for name, text in found.groupdict().items() if text}
    month = parts["month"]
    try:
        return date(int(parts["year"]), int(month) if month.isdigit() else MONTHS[month], int(parts["day"]))
    except (KeyError, ValueError):
        return None


def _evidence(
    what: What, source: Source, text: str, at: datetime | None, doubt: Why | None = None
) -> Evidence | None:
    day = written_day(text)
    if at is None and day is None:
        return None
    only_day = day is not None and _MIDNIGHT.search(text) is not None
    return Evidence(
        what=what, source=source, at=at, day=day, text=text[:_LONGEST], only_day=only_day, doubt=doubt
    )
