"""What the state store answers of articles over time, in every database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from archiver.archive.withheld import NOTHING_WITHHELD
from archiver.inspection.history.changes import Wanted, find_events, store_name
from archiver.inspection.history.queries import article_history, find_article, similar_articles
from archiver.store.reading import reading
from tests.history.made import DAY, HOUR, START, URL, made

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.inspection.history.model import Event

COUNT = 24


@pytest.fixture
def state(store_url: str, tmp_path: Path) -> Iterator[Connection]:
    """Two channels; an article with many versions, others with two, some of which went and came back."""
    with made(tmp_path / "archive", store_url) as new:
        first, second = new.channel(), new.channel("http://example.org/other")
        ferry = new.article(channel=first)
        new.version(ferry, channel_id=first)
        for number in range(COUNT):
            kinds = ("text", "title,text", "links", None)[number % 4]
            words = {"added": number, "removed": 1} if kinds else {}
            new.version(ferry, START + number * HOUR, kinds=kinds, channel_id=first, **words)
        for number in range(5):
            other = new.article(f"http://example.org/other/{number}", channel=second)
            new.version(other, channel_id=second)
            back = START + (number + 1) * DAY if number % 2 else None
            new.absence(other, START, START + number * DAY + HOUR / 2, "gone", back=back)
            new.twin(other, ferry)
    with reading(store_url) as connection:
        yield connection


def moments(state: Connection, **wanted: object) -> list[Event]:
    found = list(find_events(state, Wanted(**wanted), NOTHING_WITHHELD))  # type: ignore[arg-type] # named in the tests
    assert [one.at for one in found] == sorted(one.at for one in found)
    return found


def test_all_events_come_in_order(state: Connection) -> None:
    everything = moments(state)
    assert len(everything) == COUNT + 5 + 2
    assert len({one.id for one in everything}) == len(everything)
    assert store_name(state)[0].endswith("/feed")
    for limit in (1, 7, COUNT + 6, COUNT + 7, 1000):
        assert moments(state, limit=limit) == everything[-limit:]


def test_events_are_chosen(state: Connection) -> None:
    since, until = START + 10 * HOUR, START + 20 * HOUR
    assert [one.version for one in moments(state, since=since, until=until)] == list(range(12, 23))
    assert len(moments(state, kinds=("title",))) == len(moments(state, kinds=("links",))) == COUNT / 4
    assert len(moments(state, kinds=("changed",), limit=100)) == COUNT / 4
    assert all(one.added is None for one in moments(state, kinds=("changed",)))
    # What nobody counted may have been large, or not: it is left out.
    assert [one.added for one in moments(state, kinds=("text", "changed"), min_words=COUNT - 3)] == [20, 21]
    assert {one.kinds for one in moments(state, channels=(2,))} == {("gone",), ("back",)}
    assert len(moments(state, channels=(2,))) == len(moments(state, channels=(2,), since=START)) == 7
    assert len(moments(state, channels=(1, 2), limit=1000)) == COUNT + 7
    assert moments(state, channels=(3,)) == moments(state, channels=()) == []


def test_an_article_with_everything_and_what_is_like_it(state: Connection) -> None:
    number = find_article(state, URL)
    assert number is not None
    found = article_history(state, number)
    assert [note.version for note in found.versions] == list(range(1, COUNT + 2))
    assert [twin.url for twin in found.twins] == [f"http://example.org/other/{n}" for n in range(5)]
    assert [channel.number for channel in found.channels] == [1]
    assert not found.is_gone
    assert article_history(state, number + 1).is_gone
    assert not article_history(state, number + 2).is_gone
    # Where there is none, articles of the nearest folder are told.
    assert similar_articles(state, "http://example.org/other/9")[0].startswith("http://example.org/other/")
    assert len(similar_articles(state, "http://example.org/other/deep/er/9")) == 5
    assert URL in similar_articles(state, "http://example.org/fery")
    assert similar_articles(state, "http://example.com/ferry") == []
    assert find_article(state, "http://example.com/ferry") is None


def test_events_are_found_by_their_indexes(tmp_path: Path) -> None:
    """No question about a span of time may read through all versions."""
    with made(tmp_path / "archive") as new:
        url = str(new.database._engine.url)
    with reading(url) as connection:
        seen: list[str] = []
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.set_trace_callback(seen.append)
        for channels in (None, (1,)):
            list(find_events(connection, Wanted(since=START, channels=channels, limit=10), NOTHING_WITHHELD))
        raw.set_trace_callback(None)
        asked = [one for one in seen if one.startswith("SELECT")]
        assert len(asked) == 6
        for query in asked:
            plan = [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))]
            assert not [step for step in plan if step.startswith("SCAN")], plan
