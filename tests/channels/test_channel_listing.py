"""The list of channels: searched, filtered, sorted, page by page; each in one state."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from archiver.acquisition.channels.polling.listing import is_failing
from archiver.acquisition.channels.polling.rhythm import packed, unknown
from archiver.archive.withheld import NOTHING_WITHHELD, pattern_of, withheld_by
from archiver.errors import ConfigurationError
from archiver.inspection.channels.listing import read_channels, selected_channels
from archiver.inspection.channels.model import ChannelsWanted
from archiver.store.reading import reading
from archiver.store.schema import channels
from tests.store.samples import HOUR, NOW, add_channel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.inspection.channels.model import ChannelList
    from archiver.store.database import Database

WITHOUT_ALPHA = withheld_by([(pattern_of("alpha.example"), "asked for")])
ASKED: dict[str, Any] = {"last_poll": NOW, "last_success": NOW, "outcome": "new"}
# What each channel is like, and the state that it is in.
KNOWN: dict[str, tuple[dict[str, Any], str]] = {
    "alpha": (ASKED | {"entries": 5, "next_poll": NOW + HOUR}, "healthy"),
    "Beta": (ASKED | {"entries": 9, "next_poll": NOW + 3 * HOUR, "last_success": NOW - HOUR}, "healthy"),
    "gamma": (ASKED | {"failures": 3, "outcome": "not_found", "next_poll": NOW + 2 * HOUR}, "failing"),
    "delta": (ASKED | {"rhythm": packed(unknown(1)), "overdue": 500.0}, "silent"),
    "epsilon": ({}, "unpolled"),
    "zeta": (ASKED | {"status": "paused", "failures": 1}, "paused"),
    "eta": ({"status": "retired", "failures": 1, "outcome": "gone", "last_poll": NOW}, "retired"),
    "theta": (ASKED | {"status": "unlisted"}, "unlisted"),
    "iota": (ASKED | {"status": "merged"}, "merged"),
}


@pytest.fixture
def state(database: Database, store_url: str) -> Iterator[Connection]:
    for name, (values, _) in KNOWN.items():
        labels = ("greek", "vowel") if name[0] in "aei" else ("greek",)
        number = add_channel(database, f"http://{name.lower()}.example/feed", labels=labels)
        change = update(channels).where(channels.c.id == number).values(**{"title": name} | values)
        database.run(lambda connection, change=change: connection.execute(change))
    with reading(store_url) as connection:
        yield connection


def read(state: Connection, /, **wanted: Any) -> ChannelList:
    return read_channels(state, ChannelsWanted(**wanted), NOW, NOTHING_WITHHELD)


def titles(found: ChannelList) -> list[str | None]:
    return [one.title for one in found.channels]


def test_each_channel_is_in_one_state(state: Connection) -> None:
    found = read(state)
    assert {one.title: one.state for one in found.channels} == {name: how for name, (_, how) in KNOWN.items()}
    assert sum(one.count for one in found.states) == found.total == len(KNOWN)


def test_a_failure_is_told_in_words(state: Connection) -> None:
    (failing,) = read(state, state="failing").channels
    assert (failing.title, failing.words, failing.failures) == ("gamma", "not found (404)", 3)


def test_whatever_fails_and_is_polled_is_among_those_of_channels_failing(state: Connection) -> None:
    """`scrapy channels --failing` has the same, and those that are retired."""
    known = {row.title: row for row in selected_channels(state, ChannelsWanted(), NOTHING_WITHHELD)}
    failing = {name for name, row in known.items() if is_failing(row)}
    assert failing == {"gamma", "eta"}
    assert {one.title for one in read(state, state="failing").channels} == {"gamma"}


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ({"sort": "title"}, ["alpha", "Beta", "delta"]),
        ({"sort": "title", "reverse": True}, ["zeta", "theta", "iota"]),
        ({"sort": "entries"}, ["Beta", "alpha"]),
        ({"sort": "failures"}, ["gamma"]),
        ({"sort": "next_poll", "state": "healthy"}, ["alpha", "Beta"]),
        ({"sort": "last_success", "state": "healthy"}, ["alpha", "Beta"]),
    ],
)
def test_channels_are_sorted(state: Connection, wanted: dict[str, Any], first: list[str]) -> None:
    assert titles(read(state, **wanted))[: len(first)] == first


@pytest.mark.parametrize("sort", ["title", "next_poll", "last_success", "entries", "failures"])
@pytest.mark.parametrize("reverse", [False, True])
def test_pages_have_every_channel_once(state: Connection, sort: str, *, reverse: bool) -> None:
    found: list[str | None] = []
    after = None
    for _ in range(len(KNOWN)):
        some = read(state, sort=sort, reverse=reverse, limit=2, after=after)
        found += titles(some)
        after = some.next
        if after is None:
            break
    assert found == titles(read(state, sort=sort, reverse=reverse))
    assert len(set(found)) == len(KNOWN)


def test_a_page_goes_on_where_the_last_one_ended_whatever_changes_before_it(
    state: Connection, database: Database, store_url: str
) -> None:
    first = read(state, limit=2)
    database.run(
        lambda connection: connection.execute(
            update(channels).where(channels.c.title == "alpha").values(title="zzz")
        )
    )
    with reading(store_url) as later:
        assert titles(read(later, limit=3, after=first.next))[0] == "delta"
        assert titles(read(later))[-1] == "zzz"


def test_an_end_of_another_list_is_refused(state: Connection) -> None:
    with pytest.raises(ConfigurationError, match="sorted by entries"):
        read(state, sort="entries", after=read(state, limit=1).next)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"q": "ETA.example"}, {"Beta", "eta", "theta", "zeta"}),
        ({"q": "ta bet"}, {"Beta"}),
        ({"label": ("vowel",)}, {"alpha", "epsilon", "eta", "iota"}),
        ({"label": ("vowel", "greek"), "q": "alp"}, {"alpha"}),
        ({"label": ("latin",)}, set()),
        ({"q": "%"}, set()),
    ],
)
def test_words_and_labels_choose(state: Connection, wanted: dict[str, Any], found: set[str]) -> None:
    assert set(titles(read(state, **wanted))) == found


def test_secrets_of_addresses_are_neither_shown_nor_found(database: Database, store_url: str) -> None:
    add_channel(database, "http://me:hunter2@secret.example/feed?token=abcdef123456")
    with reading(store_url) as state:
        (shown,) = read(state, q="secret.example").channels
        assert "hunter2" not in shown.url
        assert "abcdef123456" not in shown.url
        assert read(state, q="hunter2").total == read(state, q="abcdef").total == 0
        assert read(state).secret == 1


def test_what_is_withheld_is_not_in_the_list(state: Connection) -> None:
    found = read_channels(state, ChannelsWanted(), NOW, WITHOUT_ALPHA)
    assert "alpha" not in titles(found)
    assert found.total == len(KNOWN) - 1


def test_the_clock_is_never_before_the_last_poll(state: Connection) -> None:
    assert read_channels(state, ChannelsWanted(), NOW - timedelta(days=9), NOTHING_WITHHELD).now == NOW


def test_channels_that_are_not_polled_have_no_next_poll(state: Connection) -> None:
    without = {one.title for one in read(state).channels if one.next_poll is None}
    assert without == {"zeta", "eta", "theta", "iota"}
