"""Answers of 304 that go on for a day: the whole feed is asked for once, since some servers always say so."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.outcomes import Success

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from archiver.acquisition.channels.polls import BeforePoll
    from archiver.acquisition.items import ChannelPoll, Validators
    from archiver.archive.warc.records import Capture
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


def was_untrue(before: BeforePoll, poll: ChannelPoll, recorded: datetime) -> bool:
    """Whether a whole document has entries that were there while the server answered 304.

    Either they come with the very validators to which it answered so, or they are dated before it did.
    """
    channel, new, known = before.channel, before.entries.new, before.validators
    if poll.feed is None or poll.partial or not new or known is None or channel.last_success is None:
        return False
    if not _is_stale(channel.outcome, known.capture, recorded):
        return False
    same = (known.etag, known.last_modified) == (poll.validators.etag, poll.validators.last_modified)
    return same or _any_before((one.entry for one in new), channel.last_success - _LAG)


def _any_before(new: Iterable[FeedEntry], moment: datetime) -> bool:
    dates = [entry.published.utc for entry in new if entry.published and entry.published.utc]
    return any(date < moment for date in dates)


def untrue_in_words(url: str) -> str:
    return f"Its server answers 304 although there are new entries: {url}; its 304s are no longer trusted"
