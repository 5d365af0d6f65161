"""When new entries came: their dates, as far as these can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from archiver.documents.feeds.model import FeedEntry, Stamp


def moments_of(new: Iterable[FeedEntry], last_poll: datetime | None, now: datetime) -> list[float]:
    """The moments, in seconds since 1970, at which entries came that a poll was the first to show.

    What was not there at the last poll came after it. A date that says otherwise lags or lies, whatever the
    reason; then the entry came somewhere between the two polls. At the first poll there is no such bracket:
    what has no date by then tells nothing.
    """
    dates = [_date(entry) for entry in new]
    if last_poll is None:
        return [date.timestamp() for date in dates if date is not None and date <= now]
    middle = last_poll + (now - last_poll) / 2
    return [(date if date is not None and last_poll <= date <= now else middle).timestamp() for date in dates]


def _date(entry: FeedEntry) -> datetime | None:
    """Stamps without a time of day have no moment: as midnight it would be a lie."""
    stamp: Stamp | None = entry.published or entry.updated
    return stamp.utc if stamp is not None else None
