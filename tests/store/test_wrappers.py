"""Wrappers: remembered for their channel, counted as they serve, ended when they no longer fit."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from archiver.articles.model import Wrapper
from archiver.store.content.wrappers import Lessons, list_wrappers, memory_of, remember
from archiver.store.schema import versions, wrappers
from tests.store.samples import HOUR, NOW, add_channel, article, entry, poll, row_of, rows_of
from tests.store.settling import finding, settle

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

EXTRACTOR = "learning/1"


def wrapper(name: str = "w", **other: Any) -> Wrapper:
    values: dict[str, Any] = {
        "xpath": f"//div[@class='{name}']",
        "signature": ("html/body",),
        "kept": ("p",),
        "dropped": (),
        "furniture": ("t1:0",),
        "samples": ("<urn:uuid:1>",),
        "confidence": 0.5,
    } | other
    return Wrapper(id=name, **values)


def learn(database: Database, channel: int, *found: Wrapper, at: datetime = NOW, **other: Any) -> None:
    lessons = Lessons(scope=channel, extractor=EXTRACTOR, learned=found, **other)
    database.run(remember, [lessons], at)


def memory(database: Database, channel: int, extractor: str = EXTRACTOR) -> tuple[Wrapper, ...]:
    return database.run(memory_of, [channel], extractor).get(channel, ())


def test_what_was_learned_comes_back_as_it_was(database: Database) -> None:
    channel = add_channel(database)
    learn(database, channel, wrapper("a"), wrapper("b"))
    assert set(memory(database, channel)) == {wrapper("a"), wrapper("b")}


def test_the_memory_is_of_one_channel_and_one_extractor(database: Database) -> None:
    one, other = add_channel(database), add_channel(database, "http://example.com/feed")
    learn(database, one, wrapper("a"))
    assert memory(database, other) == ()
    assert memory(database, one, "learning/2") == ()


def test_a_wrapper_counts_the_pages_that_it_served(database: Database) -> None:
    channel = add_channel(database)
    learn(database, channel, wrapper("a"), used=("a", "a"))
    learn(database, channel, used=("a",), at=NOW + HOUR)
    row = row_of(database, wrappers)
    assert (row.learned, row.last_used, row.pages, row.outdated) == (NOW, NOW + HOUR, 3, None)


def test_what_served_last_stands_in_front(database: Database) -> None:
    channel = add_channel(database)
    learn(database, channel, wrapper("a"), wrapper("b"), wrapper("c"))
    learn(database, channel, used=("b",), at=NOW + HOUR)
    assert [one.id for one in memory(database, channel)] == ["b", "a", "c"]


def test_a_wrapper_that_no_longer_fits_is_kept_but_not_used(database: Database) -> None:
    channel = add_channel(database)
    learn(database, channel, wrapper("a"))
    learn(database, channel, wrapper("b"), outdated=("a", "unknown"), at=NOW + HOUR)
    learn(database, channel, outdated=("a",), at=NOW + 2 * HOUR)
    assert memory(database, channel) == (wrapper("b"),)
    assert row_of(database, wrappers, id="a").outdated == NOW + HOUR


def test_what_no_object_names_is_forgotten(database: Database) -> None:
    """Some methods replace a wrapper whenever they learn more: only those that served are kept for good."""
    channel = add_channel(database)
    learn(database, channel, wrapper("served"), wrapper("never"), used=("served",))
    learn(database, channel, outdated=("served", "never"))
    learn(database, channel, wrapper("new"), at=NOW + timedelta(days=2))
    assert [row.id for row in database.run(list_wrappers)] == ["new", "served"]


def test_a_wrapper_that_is_learned_again_is_used_again(database: Database) -> None:
    channel = add_channel(database)
    learn(database, channel, wrapper("a"), used=("a",))
    learn(database, channel, outdated=("a",))
    learn(database, channel, wrapper("a", confidence=0.9), at=NOW + HOUR)
    assert memory(database, channel) == (wrapper("a", confidence=0.9),)
    row = row_of(database, wrappers)
    assert (row.learned, row.pages, row.outdated) == (NOW + HOUR, 1, None)


def test_wrappers_are_listed_by_channel_those_in_use_in_front(database: Database) -> None:
    one, other = add_channel(database), add_channel(database, "http://example.com/feed")
    learn(database, other, wrapper("x"))
    learn(database, one, wrapper("a"), wrapper("b"))
    learn(database, one, outdated=("a",))
    assert [(row.channel_id, row.id) for row in database.run(list_wrappers)] == [
        (one, "b"), (one, "a"), (other, "x")
    ]  # fmt: skip
    assert [row.url for row in database.run(list_wrappers, other)] == ["http://example.com/feed"]


def test_a_template_whose_pages_changed_while_their_words_stayed_is_over(
    database: Database, objects: ObjectWriter
) -> None:
    channel = add_channel(database)
    poll(database, channel, entry("a"), entry("b"))
    learn(database, channel, wrapper("old"), wrapper("other"), used=("old",))
    for number, name in enumerate("ab", 1):
        found = replace(article(f"Words of {name}")[0], wrapper="old")
        settle(database, objects, finding(database, number, url=f"http://example.org/{name}", article=found))
    assert {row.wrapper for row in rows_of(database, versions)} == {"old"}
    # One page alone, and the template served others just now.
    learn(database, channel, redesigned=(1,), at=NOW + HOUR)
    assert {one.id for one in memory(database, channel)} == {"old", "other"}
    learn(database, channel, redesigned=(1, 2), used=("old",), at=NOW + HOUR)
    assert {one.id for one in memory(database, channel)} == {"old", "other"}
    learn(database, channel, redesigned=(1, 2), at=NOW + HOUR)
    assert {one.id for one in memory(database, channel)} == {"other"}
