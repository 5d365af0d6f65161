"""Channels: who is due, in what order, and what an operator can do to them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.feeds.discovered import DiscoveredFeed
from archiver.store.polling import channels as channel_store
from archiver.store.polling import due as due_store
from archiver.store.polling.due import HostLimit, due_channels, next_due
from archiver.store.polling.listing import import_seeds
from archiver.store.schema import channels, validators
from tests.store.samples import FEED, HOUR, NOW, RULES, add_channel, feed_of, poll, row_of, rows_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.channels.polls import PollResult
    from archiver.acquisition.targets import DueChannel
    from archiver.store.database import Database

OTHER = "http://example.net/feed"
FAILED = Failed(failure=Failure.TIMEOUT)


def due(database: Database, now: datetime = NOW, **other: Any) -> list[DueChannel]:
    values = {"limit": 10, "busy": frozenset(), "sources": None, "not_since": None} | other
    return database.run(due_channels, now, **values)


def due_urls(database: Database, now: datetime = NOW, **other: Any) -> list[str]:
    return [channel.url for channel in due(database, now, **other)]


def test_a_channel_is_due_from_its_moment_on(database: Database) -> None:
    channel = add_channel(database)
    assert due_urls(database) == [FEED]
    poll(database, channel)
    assert due_urls(database, NOW + HOUR * 0.89) == []
    assert due_urls(database, NOW + HOUR) == [FEED]


def test_the_longest_waiting_comes_first(database: Database) -> None:
    urls = [f"http://example.org/{number}" for number in range(5)]
    ids = [add_channel(database, url) for url in urls]
    for number in (3, 0, 4, 1, 2):
        poll(database, ids[number], now=NOW + timedelta(days=number))
    assert due_urls(database, NOW + timedelta(days=9)) == urls
    assert due_urls(database, NOW + timedelta(days=9), limit=2) == urls[:2]


def test_what_is_asked_for_already_does_not_take_the_place_of_others(database: Database) -> None:
    ids = [add_channel(database, f"http://example.org/{number}") for number in range(6)]
    assert [channel.id for channel in due(database, busy=set(ids[:3]), limit=3)] == ids[3:]


def test_only_active_channels_are_due(database: Database) -> None:
    for change in (channel_store.pause, channel_store.remove):
        channel = add_channel(database)
        database.run(change, channel, NOW)
        assert due(database) == []
        database.run(channel_store.resume, channel, NOW)
        assert due_urls(database) == [FEED]


def test_a_run_that_ends_polls_each_channel_once(database: Database) -> None:
    channel = add_channel(database, every=timedelta(minutes=1))
    poll(database, channel)
    later = NOW + timedelta(minutes=5)
    assert due_urls(database, later, not_since=NOW) == []
    assert due_urls(database, later, not_since=NOW + timedelta(seconds=1)) == [FEED]
    assert due_urls(database, later, not_since=None) == [FEED]


@pytest.mark.parametrize("many", [1, 20_000], ids=["many named", "few named"])
def test_with_seeds_only_their_channels_and_the_feeds_of_their_sites_are_due(
    database: Database, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(due_store, "_MANY", many)
    add_channel(database)
    site = add_channel(database, "http://example.com/")
    found = DiscoveredFeed(url="http://example.com/rss", title="Found")
    poll(database, site, feed=None, discovered=(found,))
    assert due_urls(database, sources=[FEED]) == [FEED]
    assert due_urls(database, sources=["http://example.com/"]) == [found.url]
    assert due_urls(database, sources=["/other.txt"]) == []
    assert due_urls(database) == [FEED, found.url]


def test_the_next_moment_is_known(database: Database) -> None:
    assert database.run(next_due, None) is None
    channel = add_channel(database)
    poll(database, channel)
    moment = database.run(next_due, None)
    assert moment is not None
    assert NOW + HOUR * 0.9 <= moment <= NOW + HOUR
    assert database.run(next_due, ["/other.txt"]) is None
    database.run(channel_store.pause, channel, NOW)
    assert database.run(next_due, None) is None


def test_validators_are_kept_for_each_url_verbatim(database: Database) -> None:
    channel = add_channel(database)
    odd = Validators(etag='W/"ä\t"', last_modified="gestern")
    poll(database, channel, validators=odd)
    poll(database, channel, url=OTHER, validators=Validators(etag='"2"'))
    (found,) = due(database, NOW + 2 * HOUR)
    assert found.validators == {FEED: odd, OTHER: Validators(etag='"2"')}


def test_validators_are_replaced_by_an_answer_and_kept_by_a_304_or_a_failure(database: Database) -> None:
    channel = add_channel(database)
    poll(database, channel, validators=Validators(etag='"1"'))
    poll(database, channel, feed=None)
    poll(database, channel, feed=None, failed=FAILED)
    assert row_of(database, validators).etag == '"1"'
    poll(database, channel, validators=Validators(last_modified="today"))
    assert row_of(database, validators).etag is None
    poll(database, channel)
    assert rows_of(database, validators) == []


def test_found_feeds_are_added_once_and_inherit_from_their_site(database: Database) -> None:
    site = add_channel(database, "http://example.org/", labels=("news",), every=2 * HOUR)
    found = (DiscoveredFeed(url=FEED, title="A"), DiscoveredFeed(url=OTHER, title="B"))
    assert poll(database, site, feed=None, discovered=found).discovered == 2
    assert poll(database, site, feed=None, discovered=found).discovered == 0
    row = row_of(database, channels, seed_url=FEED)
    assert (row.kind, row.site_id, row.labels, row.title) == ("feed", site, ("news",), "A")
    assert channel_store.every_of(row) == 2 * HOUR
    assert row_of(database, channels, id=site).kind == "site"


def test_a_site_has_at_most_so_many_feeds_also_where_it_names_others_each_time(database: Database) -> None:
    site = add_channel(database, "http://example.org/")
    rules = replace(RULES, feeds_per_site=3)

    def found(first: int) -> PollResult:
        feeds = tuple(DiscoveredFeed(url=f"{FEED}/{number}") for number in range(first, first + 5))
        return poll(database, site, feed=None, discovered=feeds, rules=rules)

    result = found(0)
    assert result.discovered == 3
    (note,) = result.notes
    assert note == "http://example.org/ names 5 feeds: at most MAX_FEEDS_PER_SITE=3 are polled"
    assert found(5).discovered == 0
    assert len(rows_of(database, channels)) == 1 + 3


def test_a_found_feed_that_is_a_channel_already_stays_that(database: Database) -> None:
    channel = add_channel(database)
    site = add_channel(database, "http://example.org/")
    found = DiscoveredFeed(url=FEED, title="A")
    assert poll(database, site, feed=None, discovered=(found, found)).discovered == 0
    assert row_of(database, channels, id=channel).site_id is None


def test_a_found_feed_that_a_seeds_file_dropped_is_polled_with_its_site(database: Database) -> None:
    channel = add_channel(database)
    database.run(import_seeds, [], [FEED], NOW)
    dropped = row_of(database, channels, id=channel)
    assert (dropped.status, dropped.why) == ("unlisted", "no seeds file names it any more")
    site = add_channel(database, "http://example.org/")
    assert poll(database, site, feed=None, discovered=(DiscoveredFeed(url=FEED, title="A"),)).discovered == 1
    row = row_of(database, channels, id=channel)
    assert (row.status, row.site_id, row.next_poll) == ("active", site, NOW)


def test_a_found_feed_that_was_removed_by_hand_stays_removed(database: Database) -> None:
    channel = add_channel(database)
    database.run(channel_store.remove, channel, NOW)
    site = add_channel(database, "http://example.org/")
    assert poll(database, site, feed=None, discovered=(DiscoveredFeed(url=FEED, title="A"),)).discovered == 0
    assert row_of(database, channels, id=channel).status == "unlisted"


def test_a_channel_is_found_by_number_and_by_either_url(database: Database) -> None:
    channel = add_channel(database)
    for _ in range(2):
        poll(database, channel, url=OTHER, moved_to=OTHER)
    for name in (str(channel), FEED, OTHER):
        row = database.run(channel_store.find_channel, name)
        assert row is not None
        assert row.id == channel
    for name in ("99", "http://nobody/", "", "9" * 30):
        assert database.run(channel_store.find_channel, name) is None


def test_a_resumed_channel_is_due_at_once_and_forgets_its_failures(database: Database) -> None:
    channel = add_channel(database)
    poll(database, channel, feed=None, failed=Failed(failure=Failure.GONE))
    assert row_of(database, channels).status == "retired"
    database.run(channel_store.resume, channel, NOW)
    row = row_of(database, channels)
    assert (row.status, row.failures, row.next_poll, row.why) == ("active", 0, NOW, "resumed by hand")


def test_removing_a_site_removes_its_feeds_and_keeps_their_rows(database: Database) -> None:
    site = add_channel(database, "http://example.org/")
    poll(database, site, feed=None, discovered=(DiscoveredFeed(url=FEED, title="A"),))
    database.run(channel_store.remove, site, NOW)
    assert [row.status for row in rows_of(database, channels)] == ["unlisted", "unlisted"]


def test_addresses_that_no_index_takes_do_no_harm(database: Database) -> None:
    """A redirect, or a page that names feeds, may hold anything."""
    long = "http://example.org/?" + "".join(f"{number:x}." for number in range(4000))
    channel = add_channel(database)
    poll(database, channel, url=long, moved_to=long, validators=Validators(etag='"1"'))
    poll(database, channel, url=long, moved_to=long, validators=Validators(etag='"1"'))
    assert due_urls(database, NOW + 2 * HOUR) == [FEED]
    site = add_channel(database, "http://example.org/")
    assert poll(database, site, feed=None, discovered=(DiscoveredFeed(url=long, title=""),)).discovered == 0


def test_what_a_feed_says_of_itself_is_kept(database: Database) -> None:
    channel = add_channel(database)
    info = {"title": "Zwölf 🥊", "link": "http://example.org/", "language": "de"}
    poll(database, channel, feed=feed_of(**info))
    row = row_of(database, channels)
    assert (row.kind, row.format, row.title, row.language) == ("feed", "rss20", "Zwölf 🥊", "de")


def test_no_host_takes_the_places_of_the_others(database: Database) -> None:
    many = [f"http://many.example/{number}" for number in range(30)]
    for url in (*many, FEED, OTHER):
        add_channel(database, url)
    hosts = HostLimit(most=3, polled=("many.example",))
    first = due_urls(database, limit=5, hosts=hosts)
    assert first == [many[0], many[1], FEED, OTHER]
    # Where there is no other, the host has still no more than its share.
    assert due_urls(database, limit=40, hosts=hosts) == first
    full = HostLimit(most=3, polled=("many.example",) * 3)
    assert due_urls(database, limit=1, busy=[1, 2, 3], hosts=full) == [FEED]


@pytest.mark.parametrize("limit", [1, 2, 5, 40])
def test_the_longest_waiting_that_their_hosts_have_room_for_are_picked(
    database: Database, limit: int
) -> None:
    # Runs of one host, as large sites bring them: page after page has nothing but full hosts.
    hosts = [f"host{number // 7 % 4}.example" for number in range(40)]
    ids = [add_channel(database, f"http://{host}/{number}") for number, host in enumerate(hosts)]
    busy = ids[3:5]
    room = dict.fromkeys(set(hosts), 3) | {"host0.example": 1}
    expected = []
    for number, host in zip(ids, hosts, strict=True):
        if number not in busy and room[host] > 0 and len(expected) < limit:
            room[host] -= 1
            expected.append(number)
    limits = HostLimit(most=3, polled=("host0.example",) * 2)
    assert [channel.id for channel in due(database, busy=busy, limit=limit, hosts=limits)] == expected
