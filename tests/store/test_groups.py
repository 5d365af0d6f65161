"""Captured pages are taken channel by channel: together when all are in, each once, nobody left out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.findings import Settlement
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.pages import EntryOutcome
from archiver.running.reading.grouping import ALONE, Busy, GroupRules
from archiver.running.reading.taking import GroupRequest, Taken, take_groups
from archiver.store.content import pages as page_store
from archiver.store.content.pages import FreshCapture
from archiver.store.content.wrappers import Lessons, remember
from archiver.store.schema import articles, pages
from tests.store.samples import HOUR, NOW, add_channel, all_pages, capture, entry, poll
from tests.store.test_wrappers import EXTRACTOR, wrapper

if TYPE_CHECKING:
    from archiver.store.database import Database

RULES = GroupRules(pages=4, size=1000, wait=timedelta(seconds=30), siblings=2)


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


def take(database: Database, **other: Any) -> Taken:
    values: dict[str, Any] = {
        "rules": RULES, "extractor": EXTRACTOR, "room": 100, "now": NOW, "moment": NOW, "taught": frozenset()
    } | other  # fmt: skip
    return database.run(take_groups, GroupRequest(**values))


def alone(database: Database, **other: Any) -> Taken:
    return take(database, rules=ALONE, taught=None, **other)


def names(taken: Taken) -> list[list[str]]:
    return [[page.url.rpartition("/")[2] for page in group.pages] for group in taken.groups]


def publish(database: Database, channel: int, *letters: str, host: str = "example.org") -> None:
    poll(
        database, channel, *(entry(one, link=f"http://{host}/{one}", summary=f"On {one}") for one in letters)
    )


def bring(database: Database, *letters: str, host: str = "example.org", size: int = 10, **other: Any) -> None:
    """The pages of these entries are captured."""
    found = all_pages(database)
    urls = [f"http://{host}/{one}" for one in letters]
    fresh = [
        FreshCapture(page_id=found[url].id, capture=capture(found[url].id, url=url, **other), size=size)
        for url in urls
    ]
    database.run(page_store.mark_captured, fresh)


def settle(database: Database, *letters: str, host: str = "example.org") -> None:
    """These pages have shown articles."""
    found = all_pages(database)
    for one in letters:
        page = found[f"http://{host}/{one}"]
        values = {"key": page.url, "url": page.url, "first_seen": NOW, "last_captured": NOW, "version": 1}

        def add(connection: Any, page: Any = page, values: Any = values) -> None:
            number = connection.execute(articles.insert().values(**values)).inserted_primary_key[0]
            ended = {"outcome": EntryOutcome.STORED, "known_at": NOW, "article_id": number}
            ending = Settlement(page_id=page.id, **ended)
            page_store.settle(connection, [ending], recorded=NOW, now=NOW)

        database.run(add)


def test_pages_wait_until_all_of_their_channel_are_in(database: Database, channel: int) -> None:
    publish(database, channel, "a", "b", "c")
    bring(database, "a", "c")
    waiting = take(database)
    assert (names(waiting), waiting.again) == ([], NOW + timedelta(seconds=30))
    bring(database, "b")
    assert names(take(database)) == [["a", "b", "c"]]


def test_nobody_waits_for_a_page_that_is_tried_again_later(database: Database, channel: int) -> None:
    publish(database, channel, "a", "b")
    bring(database, "a")
    database.run(
        page_store.try_again, all_pages(database)["http://example.org/b"].id, Failure.TIMEOUT, HOUR, NOW
    )
    assert names(take(database)) == [["a"]]


def test_pages_that_have_waited_long_enough_are_read(database: Database, channel: int) -> None:
    publish(database, channel, "a", "b")
    bring(database, "a")
    assert names(take(database, moment=NOW + timedelta(seconds=30))) == [["a"]]


def test_a_channel_with_enough_pages_does_not_wait_for_the_rest(database: Database, channel: int) -> None:
    publish(database, channel, *"abcdefghij")
    bring(database, *"abcde")
    assert names(take(database)) == [["a", "b", "c", "d"]]


def test_a_channel_with_enough_bytes_does_not_wait_either(database: Database, channel: int) -> None:
    publish(database, channel, *"abcd")
    bring(database, "a", "b", size=600)
    assert names(take(database)) == [["a"]]


def test_where_a_method_sees_one_page_at_a_time_each_is_a_group(database: Database, channel: int) -> None:
    publish(database, channel, *"abc")
    bring(database, "a", "b")
    assert names(alone(database)) == [["a"], ["b"]]
    assert names(alone(database, busy_pages=frozenset({1}), busy={channel: Busy(pages=1)})) == [["b"]]


def test_a_page_of_several_channels_is_read_with_the_one_that_is_known_longest(
    database: Database, channel: int
) -> None:
    other = add_channel(database, "http://example.com/feed")
    publish(database, other, "a", "z")
    publish(database, channel, "a", "b")
    bring(database, *"abz")
    taken = take(database)
    assert {group.scope: len(group.pages) for group in taken.groups} == {channel: 2, other: 1}
    assert [one.scope for one in taken.groups[0].pages[0].leads] == [channel, other]


def test_what_is_being_read_is_not_taken_again(database: Database, channel: int) -> None:
    publish(database, channel, *"abcdefgh")
    bring(database, *"abcdefgh")
    busy = {"busy_pages": frozenset({1, 2, 3, 4}), "busy": {channel: Busy(pages=4, size=40)}}
    assert names(take(database, **busy)) == []
    assert names(take(database, **busy, taught=frozenset({channel}))) == [["e", "f", "g", "h"]]


def test_one_group_teaches_before_the_others_are_taken(database: Database, channel: int) -> None:
    publish(database, channel, *"abcdef")
    bring(database, *"abcdef")
    assert names(take(database)) == [["a", "b", "c", "d"]]
    lessons = Lessons(scope=channel, extractor=EXTRACTOR, learned=(wrapper(),))
    database.run(remember, [lessons], NOW)
    taken = take(database)
    assert names(taken) == [["a", "b", "c", "d"], ["e", "f"]]
    assert {group.memory for group in taken.groups} == {(wrapper(),)}


def test_every_channel_has_its_turn(database: Database) -> None:
    numbers = [add_channel(database, f"http://example.org/{number}/feed") for number in range(4)]
    for number in numbers:
        publish(database, number, f"p{number}")
        bring(database, f"p{number}")
    first = take(database, room=2)
    assert ([group.scope for group in first.groups], first.more) == (numbers[:2], True)
    second = take(database, room=3, after=numbers[1])
    assert [group.scope for group in second.groups] == [numbers[2], numbers[3], numbers[0]]


def test_few_new_pages_are_read_with_the_newest_of_before(database: Database, channel: int) -> None:
    publish(database, channel, *"abcd")
    bring(database, *"abcd")
    settle(database, "a", "b", "c")
    (group,) = take(database).groups
    assert [one.capture.url[-1] for one in group.siblings] == ["c", "b"]
    assert [one.said.summary for one in group.siblings] == ["On c", "On b"]


def test_an_article_that_the_feed_carried_is_no_sibling(database: Database, channel: int) -> None:
    publish(database, channel, "a", "b")
    settle(database, "a")
    bring(database, "b")
    (group,) = take(database).groups
    assert group.siblings == ()


def test_pages_of_another_site_are_no_siblings(database: Database, channel: int) -> None:
    publish(database, channel, "a", host="example.net")
    publish(database, channel, "b", "c")
    bring(database, "a", host="example.net")
    bring(database, "b", "c")
    settle(database, "a", host="example.net")
    settle(database, "b")
    (group,) = take(database).groups
    assert [one.capture.url for one in group.siblings] == ["http://example.org/b"]


def test_another_capture_of_the_same_article_is_no_sibling(database: Database, channel: int) -> None:
    publish(database, channel, "a", "b")
    bring(database, "a", "b", date=NOW)
    settle(database, "a")
    same = capture(2).digest

    def copy(connection: Any) -> None:
        found = capture(1, url="http://example.org/copy")
        values = {
            "capture": type(found)(
                **{name: getattr(found, name) for name in found.__slots__} | {"digest": same}
            )
        }
        connection.execute(pages.update().where(pages.c.id == 1).values(**values))

    database.run(copy)
    (group,) = take(database).groups
    assert group.siblings == ()


def test_a_page_knows_the_summaries_of_its_siblings_but_not_its_own(database: Database, channel: int) -> None:
    publish(database, channel, *"abc")
    bring(database, *"abc")
    (group,) = take(database).groups
    assert sorted(group.pages[0].other_summaries) == ["On b", "On c"]
    assert [one.entry.id for one in group.pages[0].leads] == ["a"]


def test_a_page_that_nobody_waits_for_is_taken_by_itself(database: Database, channel: int) -> None:
    publish(database, channel, "a")
    poll(database, channel, entry("a", link="http://example.org/elsewhere"))
    bring(database, "a")
    (group,) = take(database).groups
    assert (group.scope, group.pages[0].leads) == (0, ())


def test_nothing_captured_is_nothing_to_wait_for(database: Database, channel: int) -> None:
    publish(database, channel, "a")
    assert take(database) == Taken()
