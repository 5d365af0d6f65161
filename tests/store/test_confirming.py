"""A channel that answers 304 for a day is asked for the whole feed; untrue 304s are no longer trusted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.items import Validators
from archiver.documents.feeds.model import FeedDate
from archiver.store.polling.due import due_channels
from archiver.store.schema import channels
from tests.store.samples import FEED, HOUR, NOW, capture, entry, poll, row_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from archiver.acquisition.channels.polls import PollResult
    from archiver.store.database import Database

DAY = timedelta(days=1)


def given(at: datetime, etag: str = '"1"') -> Validators:
    return Validators(etag=etag, capture=capture(1, url=FEED, date=at))


def sent(database: Database, at: datetime) -> Mapping[str, Validators]:
    """What the next request is conditional on."""
    limits = {"limit": 9, "busy": (), "sources": None, "not_since": None}
    (due,) = database.run(due_channels, at + 9 * DAY, moment=at, **limits)
    return due.validators


def answered_304(database: Database, channel: int, hours: float) -> None:
    poll(database, channel, feed=None, capture=None, now=NOW + hours * HOUR)


def whole(database: Database, channel: int, names: str, hours: float, etag: str = '"1"') -> PollResult:
    at = NOW + hours * HOUR
    return poll(database, channel, *map(entry, names), validators=given(at, etag), now=at)


@pytest.fixture
def quiet(database: Database, channel: int) -> int:
    """A channel whose server has answered 304 since its first document, for a day."""
    whole(database, channel, "a", 0)
    for hours in (8, 16, 23):
        answered_304(database, channel, hours)
    return channel


def test_after_a_day_of_304s_the_whole_feed_is_asked_for_once(database: Database, quiet: int) -> None:
    assert FEED in sent(database, NOW + 23 * HOUR)
    assert not sent(database, NOW + 24 * HOUR)
    assert whole(database, quiet, "a", 24).notes == ()
    assert FEED in sent(database, NOW + 25 * HOUR)
    answered_304(database, quiet, 47)
    assert FEED in sent(database, NOW + 47 * HOUR)
    assert not sent(database, NOW + 48 * HOUR)


def test_a_channel_that_answered_with_a_document_is_asked_conditionally(
    database: Database, channel: int
) -> None:
    whole(database, channel, "a", 0)
    assert FEED in sent(database, NOW + 48 * HOUR)


def test_a_server_whose_304s_were_untrue_is_asked_for_the_whole_feed_from_then_on(
    database: Database, quiet: int
) -> None:
    """The new entry comes with the very ETag to which the server answered 304."""
    (note,) = whole(database, quiet, "ba", 24).notes
    assert note.startswith(f"Its server answers 304 although there are new entries: {FEED}")
    wishes = row_of(database, channels, id=quiet).wishes
    assert (wishes.ignores_validators, wishes.has_validators) == (True, False)
    for hours in (25, 26):
        assert not sent(database, NOW + hours * HOUR)
        assert whole(database, quiet, "ba", hours).notes == ()


@pytest.mark.parametrize(("hours", "is_untrue"), [(12, True), (22.5, False), (23.5, False)])
def test_an_entry_of_long_before_the_last_304_was_there_by_then(
    database: Database, quiet: int, hours: float, *, is_untrue: bool
) -> None:
    at = NOW + hours * HOUR
    dated = entry("b", published=FeedDate(text=at.isoformat(), utc=at))
    now = NOW + DAY
    found = poll(database, quiet, dated, entry("a"), validators=given(now, '"2"'), now=now)
    assert bool(found.notes) == is_untrue
    assert bool(sent(database, now)) != is_untrue
