"""Parts of pages: rows of their own, one fetch for all of them, and one look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.pages import EntryOutcome
from archiver.documents.parts import zone_part
from archiver.inspection.history.queries import find_article
from archiver.running.reading.grouping import ALONE
from archiver.running.reading.taking import GroupRequest, take_groups
from archiver.store.content import pages as page_store
from archiver.store.content.pages import FreshCapture
from archiver.store.content.parts import waiting_parts
from archiver.store.looks.rechecks import due_rechecks
from archiver.store.schema import articles, pages
from tests.store.samples import HOUR, NOW, add_channel, all_entries, capture, entry, poll, rows_of
from tests.store.settling import RULES, finding, lines, settle

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.content.pages import CapturedPage
    from archiver.store.database import Database

PAGE = "http://example.org/notes"


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


def keys(database: Database) -> list[str]:
    return [row.key for row in rows_of(database, pages)]


def pending(database: Database, now: datetime = NOW) -> list[int]:
    found = database.run(page_store.pending_pages, now, limit=100, per_host=100, busy=())
    return [page.id for page in found]


def captured(database: Database, page_id: int, now: datetime = NOW) -> list[CapturedPage]:
    fresh = FreshCapture(page_id=page_id, capture=capture(page_id, url=PAGE, date=now))
    database.run(page_store.mark_captured, [fresh])
    wish = GroupRequest(rules=ALONE, extractor="article/1", room=100, now=now, moment=now)
    groups = database.run(take_groups, wish).groups
    return [page for group in groups for page in group.pages]


def test_entries_with_fragments_wait_for_parts_of_one_page(database: Database, channel: int) -> None:
    poll(database, channel, *(entry(name, link=f"{PAGE}#{name}") for name in ("a", "b")))
    assert keys(database) == [f"{PAGE}#a", f"{PAGE}#b"]
    assert pending(database) == [1]
    assert [one.id for one in database.run(waiting_parts, 1)] == [2]
    found = captured(database, 1)
    assert [(page.id, page.part, page.is_known_part) for page in found] == [(1, "a", False), (2, "b", False)]
    assert {page.capture.capture_id for page in found} == {"<urn:uuid:1>"}
    assert [[one.part for one in page.others] for page in found] == [["b"], ["a"]]
    assert pending(database) == []


def test_entries_without_fragments_have_parts_where_they_share_their_page(
    database: Database, channel: int
) -> None:
    poll(database, channel, entry("a", link=PAGE), entry("b", link=PAGE), entry("c"))
    zones = [f"{PAGE}#{zone_part(name)}" for name in "ab"]
    assert keys(database) == [*zones, "http://example.org/c"]
    assert pending(database) == [1, 3]


def test_an_entry_that_comes_to_a_page_of_its_channel_has_a_part(database: Database, channel: int) -> None:
    poll(database, channel, entry("a", link=PAGE))
    poll(database, channel, entry("a", link=PAGE), entry("b", link=PAGE), now=NOW + HOUR)
    assert keys(database) == [PAGE, f"{PAGE}#{zone_part('b')}"]
    # The first stays with what is read for it, also when it changes.
    poll(database, channel, entry("a", link=PAGE, title="New"), entry("b", link=PAGE), now=NOW + 2 * HOUR)
    assert len(keys(database)) == 2
    assert {all_entries(database)[name].page_id for name in "ab"} == {1, 2}


def test_ids_that_change_do_not_join_posts_of_one_thread(database: Database, channel: int) -> None:
    poll(database, channel, entry("1", link=f"{PAGE}#post-1"))
    poll(database, channel, entry("2", link=f"{PAGE}#post-2"), now=NOW + HOUR)
    assert sorted(all_entries(database)) == ["1", "2"]


def test_a_page_that_another_channel_announced_is_not_fetched_for_a_part(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a", link=PAGE))
    captured(database, 1)
    settle(database, objects, finding(database, url=PAGE))
    other = add_channel(database, "http://example.org/other")
    poll(database, other, entry("b", link=f"{PAGE}#b"), now=NOW + HOUR)
    assert pending(database, NOW + HOUR) == []
    row = rows_of(database, pages)[1]
    assert (row.state, row.scope_id, row.capture) == ("captured", other, capture(1, url=PAGE))


def test_articles_of_parts_are_told_apart(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, *(entry(name, link=f"{PAGE}#{name}") for name in ("a", "b")))
    found = [
        finding(database, number, f"Words of {name}", url=f"{PAGE}#{name}", part=name)
        for number, name in ((1, "a"), (2, "b"))
    ]
    assert settle(database, objects, *found) == [EntryOutcome.STORED] * 2
    assert [line["url"] for line in lines(tmp_path)] == [f"{PAGE}#a", f"{PAGE}#b"]
    assert len({line["id"] for line in lines(tmp_path)}) == 2
    numbers = {row.key: row.id for row in rows_of(database, articles)}
    for address, key in ((f"{PAGE}#a", "a"), (f"{PAGE}#b", "b"), (f"{PAGE}#c", "a"), (PAGE, "a")):
        assert database.run(find_article, address) == numbers[f"{PAGE}#{key}"], address


def test_a_look_at_a_page_is_one_for_all_of_its_parts(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, *(entry(name, link=f"{PAGE}#{name}") for name in ("a", "b")))
    captured(database, 1)
    found = [
        finding(database, number, f"Words of {name}", url=f"{PAGE}#{name}", part=name)
        for number, name in ((1, "a"), (2, "b"))
    ]
    settle(database, objects, *found)
    later = max(row.recheck for row in rows_of(database, pages)) + HOUR
    # Channels that were polled since need not be polled first.
    many = {"limit": 10, "per_host": 10, "not_since": NOW}
    due = database.run(due_rechecks, later, RULES.rechecks, busy=(), **many)
    assert [page.id for page in due] == [1]
    assert database.run(due_rechecks, later, RULES.rechecks, busy={1}, **many) == []
    looked = captured(database, 1, later)
    assert [(page.id, page.part, page.is_known_part) for page in looked] == [(1, "a", True), (2, "b", True)]
    assert all(page.is_recheck for page in looked)


def test_only_the_entry_that_an_object_names_is_stored(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    other = add_channel(database, "http://example.org/other")
    poll(database, channel, entry("a", link=PAGE))
    poll(database, other, entry("b", link=PAGE))
    settle(database, objects, finding(database, url=PAGE))
    assert {name: row.outcome for name, row in all_entries(database).items()} == {
        "a": "stored",
        "b": "unchanged",
    }
    assert [line["entry_id"] for line in lines(tmp_path)] == ["a"]


def test_an_article_that_many_entries_announce_is_watched_once(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, *(entry(name, link=PAGE) for name in "abc"))
    captured(database, 1)
    same = {"url": PAGE, "is_elsewhere": True, "capture": capture(1, url=PAGE)}
    found = [finding(database, number, **same) for number in (1, 2, 3)]
    assert settle(database, objects, *found) == ["stored", "unchanged", "unchanged"]
    assert [row.recheck is not None for row in rows_of(database, pages)] == [True, False, False]
    assert [page.id for page in captured(database, 1, NOW + HOUR)] == [1]
