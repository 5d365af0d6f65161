"""A channel that published every day and falls silent is told, with the chance of that."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.documents.feeds.model import FeedDate, FeedEntry
from archiver.store.schema import channels
from tests.store.samples import NOW, poll, row_of

if TYPE_CHECKING:
    from archiver.store.database import Database

DAY = timedelta(days=1)


def entry(number: int) -> FeedEntry:
    at = NOW + number * DAY / 4
    return FeedEntry(id=f"{number}", title=f"{number}", published=FeedDate(text=at.isoformat(), utc=at))


def test_a_silence_that_chance_hardly_gives_is_told_a_few_times(database: Database, channel: int) -> None:
    known = [entry(number) for number in range(-39, 1)]
    poll(database, channel, *known[::-1])
    told = []
    for day in range(1, 15):
        told += [(day, note) for note in poll(database, channel, *known, now=NOW + day * DAY).notes]
    assert 1 <= len(told) <= 3
    first, note = told[0]
    assert 2 <= first <= 7
    assert note.startswith("It should have published by now, the chance of such a silence is 1 in ")
    assert row_of(database, channels).overdue > 5
    poll(database, channel, entry(80), *known, now=NOW + 20 * DAY)
    assert row_of(database, channels).overdue == 0
