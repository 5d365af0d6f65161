"""When a feed listed an entry: noted with each document, and only where something came or went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, event, insert, update

from archiver.acquisition.outcomes import Failed, Failure
from archiver.inspection.rebuild.listing import listed_at
from archiver.store.polling.entries import known_links
from archiver.store.polling.sightings import entries_at, first_seen, moments_seen, note_missed, spans_at
from archiver.store.schema import absences, articles, entries, pages, sightings, versions
from tests.store.samples import HOUR, NOW, all_entries, capture, entry, poll, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.documents.feeds.model import FeedEntry
    from archiver.store.database import Database
    from archiver.store.polling.sightings import EntryAt


def look(database: Database, channel: int, names: str, hours: float, **other: object) -> None:
    poll(database, channel, *map(entry, names), now=NOW + hours * HOUR, **other)


def spans(database: Database) -> list[tuple[str, int, float | None, float, float | None, float | None]]:
    """Key, place, and the four times in hours."""
    names = {row.id: key for key, row in all_entries(database).items()}
    rows = sorted(rows_of(database, sightings), key=lambda row: (row.seen, row.place, row.id))
    return [
        (
            names[row.entry_id],
            row.place,
            *(hours(moment) for moment in (row.not_before, row.seen, row.left_after, row.left)),
        )
        for row in rows
    ]


def hours(moment: datetime | None) -> float | None:
    return None if moment is None else (moment - NOW) / HOUR


def test_a_first_document_begins_a_span_for_each_entry(database: Database, channel: int) -> None:
    look(database, channel, "ab", 0)
    assert spans(database) == [("a", 0, None, 0, None, None), ("b", 1, None, 0, None, None)]


def test_what_comes_and_what_goes_is_bracketed_by_two_documents(database: Database, channel: int) -> None:
    look(database, channel, "ba", 0)
    look(database, channel, "cb", 1)
    assert spans(database) == [
        ("b", 0, None, 0, None, None),
        ("a", 1, None, 0, 0, 1),
        ("c", 0, 0, 1, None, None),
    ]


def test_an_entry_that_comes_back_begins_another_span(database: Database, channel: int) -> None:
    for hour, names in enumerate(("ab", "a", "ba")):
        look(database, channel, names, hour)
    assert spans(database)[1:] == [("b", 1, None, 0, 0, 1), ("b", 0, 1, 2, None, None)]


def test_a_304_confirms_what_was_listed(database: Database, channel: int) -> None:
    look(database, channel, "a", 0)
    look(database, channel, "", 1, feed=None)
    look(database, channel, "b", 2)
    assert spans(database) == [("a", 0, None, 0, 1, 2), ("b", 0, 1, 2, None, None)]


def test_a_poll_that_failed_says_nothing(database: Database, channel: int) -> None:
    look(database, channel, "a", 0)
    look(database, channel, "", 1, feed=None, failed=Failed(failure=Failure.TIMEOUT))
    look(database, channel, "b", 2)
    assert spans(database) == [("a", 0, None, 0, 0, 2), ("b", 0, 0, 2, None, None)]


def test_a_part_of_a_feed_takes_nothing_away(database: Database, channel: int) -> None:
    look(database, channel, "ba", 0)
    look(database, channel, "c", 1, partial=True)
    assert spans(database)[1:] == [("a", 1, None, 0, None, None), ("c", 0, 0, 1, None, None)]
    look(database, channel, "cb", 2)
    assert [one[0] for one in spans(database) if one[-1] == 2] == ["a"]


def test_an_empty_document_ends_everything(database: Database, channel: int) -> None:
    look(database, channel, "ab", 0)
    look(database, channel, "", 1)
    assert [one[-1] for one in spans(database)] == [1, 1]


def test_an_entry_with_another_id_is_still_there(database: Database, channel: int) -> None:
    look(database, channel, "a", 0)
    poll(database, channel, entry("a", id="renamed"), now=NOW + HOUR)
    assert spans(database) == [("renamed", 0, None, 0, None, None)]


def test_what_an_older_archiver_knew_may_have_been_there_for_long(database: Database, channel: int) -> None:
    look(database, channel, "a", 0)
    database.run(lambda connection: connection.execute(delete(sightings)))
    look(database, channel, "ba", 1)
    assert spans(database) == [("b", 0, 0, 1, None, None), ("a", 1, None, 1, None, None)]


def test_the_entries_of_a_gap_came_and_went_between_two_documents(database: Database, channel: int) -> None:
    look(database, channel, "a", 0)
    look(database, channel, "z", 1)

    def fill(connection: Connection) -> None:
        known = {"channel_id": channel, "entry": entry("m"), "digest": "", "first_seen": NOW}
        connection.execute(insert(entries).values(key="m", pending=False, **known))
        note_missed(connection, channel, ["m"], NOW + HOUR)

    database.run(fill)
    assert spans(database)[-1] == ("m", 0, 0, 1, None, 1)


@pytest.fixture
def statements(database: Database) -> Iterator[list[str]]:
    """What is written to the store."""
    written: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "sightings" in statement and not statement.startswith("SELECT"):
            written.append(statement)

    event.listen(database._engine, "before_cursor_execute", note)
    yield written
    event.remove(database._engine, "before_cursor_execute", note)


def many(numbers: range) -> list[FeedEntry]:
    return [entry(f"e{number:04}") for number in numbers]


def test_a_long_feed_in_which_nothing_changed_writes_nothing(
    database: Database, channel: int, statements: list[str]
) -> None:
    poll(database, channel, *many(range(1200)), now=NOW)
    assert len(rows_of(database, sightings)) == 1200
    statements.clear()
    poll(database, channel, *many(range(1200)), now=NOW + HOUR)
    assert statements == []
    poll(database, channel, *many(range(1, 1201)), now=NOW + 2 * HOUR)
    assert len(rows_of(database, sightings)) == 1201
    assert len(statements) == 2


def test_only_what_reaches_to_a_moment_is_read(database: Database, channel: int) -> None:
    for hour, names in enumerate(("a", "b", "c", "d")):
        look(database, channel, names, hour)

    found = database.run(spans_at, channel, NOW + 1.5 * HOUR)
    assert sorted(hours(span.seen) or 0 for span in found) == [1, 2]
    assert database.run(first_seen, channel) == NOW
    assert database.run(first_seen, channel + 1) is None


def test_each_list_is_found_again(database: Database, channel: int) -> None:
    lists = ("cba", "dcb", "dcb", "fedc", "bfed", "")
    for hour, names in enumerate(lists):
        look(database, channel, names, hour)
    names = {row.id: key for key, row in all_entries(database).items()}
    for hour, expected in enumerate(lists):
        at = NOW + hour * HOUR
        found = listed_at(database.run(spans_at, channel, at), at, NOW + 9 * HOUR)
        assert "".join(names[one.entry_id] for one in found) == expected


def write_version(database: Database, number: int, hours: float) -> None:
    """As if the article behind the first page had been read then."""
    values = {"digest": "d", "title_digest": "t", "text_digest": "x", "method": "article"}
    place = {"object_file": "o.jsonl", "object_offset": 100 * number}
    at = NOW + hours * HOUR

    def write(connection: Connection) -> None:
        if number == 1:
            known = {"key": "k", "url": "u", "first_seen": at, "last_captured": at, "version": 1}
            connection.execute(insert(articles).values(id=1, **known))
            connection.execute(update(pages).where(pages.c.id == 1).values(article_id=1))
        made = {"article_id": 1, "version": number, "captured": at, "capture": capture(number, date=at)}
        connection.execute(insert(versions).values(**made, **values, **place))

    database.run(write)


def entry_at(database: Database, hours: float) -> EntryAt:
    (found,) = database.run(entries_at, [1], NOW + hours * HOUR).values()
    return found


def test_an_entry_has_the_version_that_was_captured_last_by_then(database: Database, channel: int) -> None:
    look(database, channel, "a", 0)
    for number, hour in ((1, 1), (2, 3)):
        write_version(database, number, hour)
    numbers = [entry_at(database, hour).version for hour in (0.5, 1, 2.9, 3, 9)]
    assert [one and (one.version, one.object_offset) for one in numbers] == [
        None,
        (1, 100),
        (1, 100),
        (2, 200),
        (2, 200),
    ]


def test_an_article_is_gone_from_when_it_was_missed_until_it_was_back(
    database: Database, channel: int
) -> None:
    look(database, channel, "a", 0)
    write_version(database, 1, 0)
    times = {"after": NOW, "gone": NOW + 2 * HOUR, "back_after": NOW + 3 * HOUR, "back": NOW + 4 * HOUR}
    absence = insert(absences).values(article_id=1, how="not_found", noted=NOW, **times)
    database.run(lambda connection: connection.execute(absence))
    found = [entry_at(database, hour).gone for hour in (1.9, 2, 3.9, 4)]
    assert found == [None, "not_found", "not_found", None]


def test_an_entry_without_a_page_is_known_all_the_same(database: Database, channel: int) -> None:
    poll(database, channel, entry("a", link=None), now=NOW)
    assert entry_at(database, 1).entry.title == "Title a"
    assert entry_at(database, 1).version is None


def test_links_to_entries_of_the_channel_are_known(database: Database, channel: int) -> None:
    look(database, channel, "ab", 0)
    keys = {f"http://example.org/{name}" for name in "abz"}
    assert database.run(known_links, channel, keys) == keys - {"http://example.org/z"}
    assert database.run(known_links, channel + 1, keys) == set()


def test_the_moments_at_which_anything_came(database: Database, channel: int) -> None:
    for number, names in enumerate(("ab", "ab", "cab", "dcab")):
        look(database, channel, names, number)
    found = database.run(lambda store: moments_seen(store, channel, 10))
    assert [hours(moment) for moment in found] == [0, 2, 3]
    newest = database.run(lambda store: moments_seen(store, channel, 2))
    assert [hours(moment) for moment in newest] == [2, 3]
