"""Dates are believed where they can be true."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from archiver.acquisition.channels.polling.rhythm import moments_of
from archiver.documents.feeds.model import FeedDate, FeedEntry

LAST = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
MIDDLE = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)


def entry(at: datetime) -> FeedEntry:
    return FeedEntry(published=FeedDate(text=at.isoformat(), utc=at))


def moments(entry: FeedEntry, last: datetime | None = LAST) -> list[datetime]:
    return [datetime.fromtimestamp(at, UTC) for at in moments_of([entry], last, NOW)]


def test_a_date_between_the_polls_is_believed() -> None:
    at = datetime(2026, 3, 2, 7, 41, tzinfo=UTC)
    assert moments(entry(at)) == [at]
    assert moments(FeedEntry(updated=FeedDate(text=at.isoformat(), utc=at))) == [at]


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(FeedEntry(), id="undated"),
        pytest.param(FeedEntry(published=FeedDate(text="yesterday 10:00")), id="no date at all"),
        pytest.param(entry(LAST - timedelta(days=3)), id="lagging"),
        pytest.param(entry(NOW + timedelta(hours=1)), id="in the future"),
        pytest.param(FeedEntry(published=FeedDate(text="2026-03-02")), id="a day alone"),
    ],
)
def test_what_cannot_be_came_between_the_polls(one: FeedEntry) -> None:
    assert moments(one) == [MIDDLE]


def test_at_the_first_poll_only_dates_tell_anything() -> None:
    old = datetime(2026, 2, 1, 9, 30, tzinfo=UTC)
    assert moments(entry(old), None) == [old]
    assert moments(FeedEntry(), None) == []
    assert moments(entry(NOW + timedelta(days=1)), None) == []
    assert moments(FeedEntry(published=FeedDate(text="01 Feb 2026")), None) == []
