"""What came on each day is told without counting: exactly, where rows are numbered as they came."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, insert

from archiver.inspection.overview.days import KnownDays, days_until, first_numbers
from archiver.store.reading import reading
from archiver.store.schema import articles

if TYPE_CHECKING:
    from archiver.store.database import Database

NOW = datetime(2026, 3, 31, 15, 0, tzinfo=UTC)


def came(database: Database, moments: list[datetime], step: int = 1, first: int = 0) -> None:
    rows = [
        {"id": (place + 1) * step, "key": str(place), "url": "http://example.org/", "first_seen": moment,
         "last_captured": moment, "version": 1}
        for place, moment in enumerate(moments, first)
    ]  # fmt: skip
    database.run(lambda connection: connection.execute(insert(articles), rows))


def many(count: int, days: int) -> list[datetime]:
    chance = random.Random(count)
    return sorted(NOW - timedelta(days=days * chance.random()) for _ in range(count))


@pytest.mark.parametrize(("count", "days"), [(1, 1), (7, 3), (2000, 25), (2000, 400)])
def test_every_article_is_counted_on_its_day(
    database: Database, store_url: str, count: int, days: int
) -> None:
    moments = many(count, days)
    came(database, moments)
    with reading(store_url) as state:
        found = days_until(state, NOW.date(), 30)
    wanted = Counter(moment.date() for moment in moments)
    assert {one.day: one.articles for one in found} == {one.day: wanted[one.day] for one in found}
    assert [one.day for one in found] == sorted(one.day for one in found)
    assert (found[-1].day, len(found)) == (NOW.date(), 30)
    assert sum(one.entries for one in found) == 0


def test_numbers_that_are_missing_stop_nothing(database: Database, store_url: str) -> None:
    came(database, many(500, 10), step=3)
    with reading(store_url) as state:
        assert 500 <= sum(one.articles for one in days_until(state, NOW.date(), 30)) <= 3 * 500


def test_an_empty_archive_has_empty_days(database: Database, store_url: str) -> None:
    del database  # it was made
    with reading(store_url) as state:
        assert {one.articles for one in days_until(state, NOW.date(), 30)} == {0}


def test_few_rows_are_looked_at_and_fewer_when_it_was_asked_before(
    database: Database, store_url: str
) -> None:
    moments = many(20_000, 300)
    came(database, moments)
    known = KnownDays()
    with reading(store_url) as state:
        asked: list[int] = []
        event.listen(state, "before_cursor_execute", lambda *told: asked.append(len(told[3])))
        first = days_until(state, NOW.date(), 30, known)
        assert len(asked) <= 20
        assert sum(asked) < 3000
        asked.clear()
        assert days_until(state, NOW.date(), 30, known) == first
        assert len(asked) <= 6
        assert sum(asked) < 300


def test_a_guess_that_is_wrong_changes_nothing(database: Database, store_url: str) -> None:
    moments = many(2000, 25)
    came(database, moments)
    edges = [NOW - timedelta(days=back) for back in range(30, -2, -1)]
    right = [sum(moment < edge for moment in moments) + 1 for edge in edges]
    chance = random.Random(7)
    with reading(store_url) as state:
        for _ in range(5):
            guesses = [chance.randrange(-5, 3000) for _ in edges]
            assert first_numbers(state, articles, edges, guesses) == right


def test_what_comes_later_is_seen_by_those_who_knew_the_days_before(
    database: Database, store_url: str
) -> None:
    moments, known = many(500, 20), KnownDays()
    came(database, moments[:300])
    with reading(store_url) as state:
        days_until(state, NOW.date(), 30, known)
    came(database, moments[300:], first=300)
    with reading(store_url) as state:
        found = days_until(state, NOW.date(), 30, known)
    wanted = Counter(moment.date() for moment in moments)
    assert {one.day: one.articles for one in found} == {one.day: wanted[one.day] for one in found}
