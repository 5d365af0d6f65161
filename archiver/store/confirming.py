"""Answers of 304 that go on for a day: the whole feed is asked for once, since some servers always say so."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.acquisition.outcomes import Success
from archiver.store.schema import validators

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.items import ChannelPoll, Validators
    from archiver.archive.warc.records import Capture
    from archiver.documents.feeds.entries import EntryChanges
    from archiver.documents.feeds.model import FeedEntry

# How long a document is confirmed by nothing but 304s.
AFTER = timedelta(hours=24)
# An entry that is dated so long before the last 304 was there by then; feeds may lag by less.
_LAG = timedelta(hours=1)


def to_confirm(
    outcome: str | None, known: Mapping[str, Validators], moment: datetime
) -> Mapping[str, Validators]:
    """What a request may be conditional on, by the machine's time: nothing where it is time for the whole."""
    is_stale = any(_is_stale(outcome, one.capture, moment) for one in known.values())
    return {} if is_stale else known


def _is_stale(outcome: str | None, document: Capture | None, moment: datetime) -> bool:
    return outcome == Success.NOT_MODIFIED and document is not None and moment - document.date >= AFTER


def was_untrue(
    connection: Connection, row: Row[Any], poll: ChannelPoll, changes: EntryChanges, recorded: datetime
) -> bool:
    """Whether a whole document has entries that were there while the server answered 304.

    Either they come with the very validators to which it answered so, or they are dated before it did.
    """
    if poll.feed is None or poll.partial or not changes.new or row.outcome != Success.NOT_MODIFIED:
        return False
    kept = select(validators).filter_by(channel_id=row.id, url=poll.url)
    known = connection.execute(kept).first()
    if known is None or not _is_stale(row.outcome, known.capture, recorded):
        return False
    same = (known.etag, known.last_modified) == (poll.validators.etag, poll.validators.last_modified)
    return same or _any_before((one.entry for one in changes.new), row.last_success - _LAG)


def _any_before(new: Iterable[FeedEntry], moment: datetime) -> bool:
    dates = [entry.published.utc for entry in new if entry.published and entry.published.utc]
    return any(date < moment for date in dates)


def untrue_in_words(url: str) -> str:
    return f"Its server answers 304 although there are new entries: {url}; its 304s are no longer trusted"
