"""Seeds become channels: the store agrees with the files, however often they are imported."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.seeds import SeedProblem
from archiver.acquisition.seeds.dropping import ANY_NUMBER, DropRule
from archiver.acquisition.seeds.model import BY_HAND
from archiver.documents.feeds.discovered import DiscoveredFeed
from archiver.store.polling import channels as channel_store
from archiver.store.polling.listing import ImportCounts, add_seed, import_seeds, tell
from archiver.store.schema import channels, listings, told_lines
from tests.store.samples import FEED, HOUR, NOW, SEEDS, add_channel, feed_of, poll, row_of, rows_of, seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.store.database import Database

OTHER = "http://example.net/feed"
FOUND = DiscoveredFeed(url="http://example.org/found.xml", title="Found")


def load(database: Database, *urls: str, source: str = SEEDS) -> ImportCounts:
    return database.run(import_seeds, [seed(url, source=source) for url in urls], [source], NOW)


def statuses(database: Database) -> dict[str, str]:
    return {row.seed_url: row.status for row in rows_of(database, channels)}


def test_a_seed_is_a_channel_that_is_due(database: Database) -> None:
    assert load(database, FEED) == ImportCounts(added=1)
    row = row_of(database, channels)
    assert (row.seed_url, row.url, row.kind, row.status) == (FEED, FEED, "unknown", "active")
    assert (row.next_poll, row.added, row.why, row.failures) == (NOW, NOW, "never polled", 0)


def test_importing_again_changes_nothing(database: Database) -> None:
    load(database, FEED, OTHER)
    before = rows_of(database, channels), rows_of(database, listings)
    assert load(database, FEED, OTHER) == ImportCounts(known=2)
    assert (rows_of(database, channels), rows_of(database, listings)) == before


def test_importing_again_leaves_the_schedule_alone(database: Database) -> None:
    load(database, FEED)
    poll(database, 1)
    due = row_of(database, channels).next_poll
    load(database, FEED)
    assert row_of(database, channels).next_poll == due > NOW


def test_a_seed_that_is_removed_is_not_polled_but_keeps_its_history(database: Database) -> None:
    load(database, FEED, OTHER)
    poll(database, 1)
    assert load(database, OTHER) == ImportCounts(known=1, unlisted=1)
    assert statuses(database) == {FEED: "unlisted", OTHER: "active"}
    assert row_of(database, channels, seed_url=FEED).polls == 1


def test_a_seed_that_returns_is_polled_again(database: Database) -> None:
    load(database, FEED, OTHER)
    load(database, OTHER)
    load(database, FEED, OTHER)
    assert statuses(database) == {FEED: "active", OTHER: "active"}


def test_an_emptied_file_lists_nothing(database: Database) -> None:
    load(database, FEED)
    assert load(database) == ImportCounts(unlisted=1)


def test_labels_and_interval_follow_the_file(database: Database) -> None:
    for labels, every in ((("a", "b"), timedelta(hours=2)), ((), None)):
        database.run(import_seeds, [seed(labels=labels, every=every)], [SEEDS], NOW)
        row = row_of(database, channels)
        assert row.labels == labels
        assert channel_store.every_of(row) == every


def test_another_file_does_not_unlist_the_seeds_of_the_first(database: Database) -> None:
    load(database, FEED, source="/a.txt")
    load(database, OTHER, source="/b.txt")
    assert statuses(database) == {FEED: "active", OTHER: "active"}


def test_a_seed_of_two_files_is_polled_until_both_have_dropped_it(database: Database) -> None:
    both = [seed(source="/a.txt"), seed(source="/b.txt")]
    assert database.run(import_seeds, both, ["/a.txt", "/b.txt"], NOW) == ImportCounts(added=1)
    load(database, source="/b.txt")
    assert statuses(database) == {FEED: "active"}
    load(database, source="/a.txt")
    assert statuses(database) == {FEED: "unlisted"}


def test_what_was_paused_stays_paused(database: Database) -> None:
    load(database, FEED)
    database.run(channel_store.pause, 1, NOW)
    load(database, FEED)
    assert statuses(database) == {FEED: "paused"}


def test_what_is_gone_stays_retired(database: Database) -> None:
    load(database, FEED)
    poll(database, 1, failed=Failed(failure=Failure.GONE))
    load(database, FEED)
    assert statuses(database) == {FEED: "retired"}


def test_feeds_found_on_a_site_follow_the_site(database: Database) -> None:
    load(database, "http://example.org/")
    poll(database, 1, feed=None, discovered=(FOUND,))
    assert statuses(database)[FOUND.url] == "active"
    load(database)
    assert statuses(database) == {"http://example.org/": "unlisted", FOUND.url: "unlisted"}
    load(database, "http://example.org/")
    assert statuses(database) == {"http://example.org/": "active", FOUND.url: "active"}


def test_a_found_feed_that_is_also_a_seed_stays_without_its_site(database: Database) -> None:
    load(database, "http://example.org/", FOUND.url)
    poll(database, 1, feed=None, discovered=(FOUND,))
    load(database, FOUND.url)
    assert statuses(database) == {"http://example.org/": "unlisted", FOUND.url: "active"}


def test_a_found_feed_that_was_removed_by_hand_does_not_come_back(database: Database) -> None:
    load(database, "http://example.org/")
    poll(database, 1, feed=None, discovered=(FOUND,))
    database.run(channel_store.remove, row_of(database, channels, seed_url=FOUND.url).id, NOW)
    load(database, "http://example.org/")
    poll(database, 1, feed=None, discovered=(FOUND,))
    assert statuses(database)[FOUND.url] == "unlisted"


def test_adding_one_by_hand_keeps_the_others(database: Database) -> None:
    load(database, FEED)
    assert database.run(add_seed, seed(OTHER, source="by hand"), NOW).is_new
    assert database.run(add_seed, seed("http://example.com/", source="by hand"), NOW).is_new
    assert not database.run(add_seed, seed(OTHER, source="by hand"), NOW).is_new
    load(database, FEED)
    assert set(statuses(database).values()) == {"active"}


def test_adding_by_hand_leaves_what_a_file_says_alone_unless_it_says_otherwise(database: Database) -> None:
    listed = replace(seed(FEED), labels=("Harbour",), every=2 * HOUR)
    database.run(import_seeds, [listed], [SEEDS], NOW)
    added = database.run(add_seed, seed(FEED, source=BY_HAND), NOW)
    assert (added.is_new, added.also_in) == (False, (SEEDS,))
    row = row_of(database, channels)
    assert (row.labels, row.every) == (("Harbour",), 7200.0)
    # That it stays without the file is said once.
    assert database.run(add_seed, replace(seed(FEED, source=BY_HAND), every=HOUR), NOW).also_in == ()
    row = row_of(database, channels)
    assert (row.labels, row.every) == (("Harbour",), 3600.0)


def test_a_channel_that_was_removed_is_added_as_a_new_one(database: Database) -> None:
    database.run(add_seed, replace(seed(FEED, source=BY_HAND), labels=("Harbour",), every=HOUR), NOW)
    database.run(channel_store.remove, 1, NOW)
    assert database.run(add_seed, seed(FEED, source=BY_HAND), NOW).also_in == ()
    row = row_of(database, channels)
    assert (row.labels, row.every, row.status) == ((), None, "active")


def test_what_a_file_drops_and_a_hand_added_is_told(database: Database) -> None:
    load(database, FEED, OTHER)
    database.run(add_seed, seed(FEED, source=BY_HAND), NOW)
    counts = load(database, OTHER)
    assert (counts.dropped, counts.kept) == ((), (FEED,))
    assert statuses(database)[FEED] == "active"
    assert load(database, OTHER).kept == ()


def test_a_site_that_is_added_again_brings_its_feeds_back(database: Database) -> None:
    database.run(add_seed, seed("http://example.org/", source="by hand"), NOW)
    poll(database, 1, feed=None, discovered=(FOUND,))
    database.run(channel_store.remove, 1, NOW)
    assert set(statuses(database).values()) == {"unlisted"}
    database.run(add_seed, seed("http://example.org/", source="by hand"), NOW)
    assert set(statuses(database).values()) == {"active"}


def test_many_seeds_are_imported_at_once(database: Database) -> None:
    urls = [f"http://example.org/{number}" for number in range(600)]
    assert load(database, *urls) == ImportCounts(added=600)
    assert load(database, *urls[:-1]) == ImportCounts(known=599, unlisted=1)


def test_a_moved_channel_is_still_known_by_its_seed(database: Database) -> None:
    channel = add_channel(database)
    for _ in range(2):
        poll(database, channel, url=OTHER, moved_to=OTHER)
    assert database.run(import_seeds, [seed(source=FEED)], [FEED], NOW + HOUR) == ImportCounts(known=1)
    assert row_of(database, channels).url == OTHER


# ── What files drop ──────────────────────────────────────────────────────────────────────────────────────

MANY = [f"http://example.org/{number}" for number in range(20)]


def reload(database: Database, urls: Sequence[str], *, source: str = SEEDS, **other: Any) -> ImportCounts:
    seeds = [seed(url, source=source) for url in urls]
    return database.run(import_seeds, seeds, [source], NOW, **{"drops": DropRule(), **other})


def polled(database: Database) -> int:
    return sum(status == "active" for status in statuses(database).values())


@pytest.mark.parametrize(
    ("listed", "left", "refused"),
    [(20, 16, False), (20, 15, True), (20, 1, True), (5, 1, False), (5, 0, True), (6, 1, True)],
)
def test_a_file_that_lost_many_lines_is_not_obeyed(
    database: Database, listed: int, left: int, refused: bool
) -> None:
    reload(database, MANY[:listed])
    counts = reload(database, MANY[:left])
    assert (counts.refused, counts.listed) == (refused, listed)
    assert counts.dropped == tuple(MANY[left:listed])
    assert polled(database) == (listed if refused else left)
    # It is said again until somebody decides.
    assert reload(database, MANY[:left]).refused == refused


def test_what_was_refused_is_dropped_when_a_person_says_so(database: Database) -> None:
    reload(database, MANY)
    reload(database, MANY[:3])
    counts = reload(database, MANY[:3], drops=ANY_NUMBER)
    assert (counts.unlisted, len(counts.dropped), counts.refused) == (17, 17, False)
    assert polled(database) == 3
    assert reload(database, MANY[:3]).dropped == ()


def test_what_another_file_names_is_not_dropped(database: Database) -> None:
    reload(database, MANY)
    reload(database, MANY[:18], source="/other.txt")
    counts = reload(database, MANY[:1])
    assert (counts.dropped, counts.refused) == (tuple(MANY[18:]), False)
    assert polled(database) == 18


def test_a_file_that_was_renamed_takes_the_place_of_the_old_one(database: Database) -> None:
    reload(database, MANY, source="/old.txt")
    counts = reload(database, MANY[:-1], source="/new.txt", vanished=["/old.txt"])
    assert counts.replaced == ("/old.txt",)
    assert counts.dropped == (MANY[-1],)
    assert {row.source for row in rows_of(database, listings)} == {"/new.txt"}
    assert polled(database) == 19


def test_a_file_that_was_renamed_and_lost_many_lines_is_not_obeyed_either(database: Database) -> None:
    reload(database, MANY, source="/old.txt")
    counts = reload(database, MANY[:12], source="/new.txt", vanished=["/old.txt"])
    assert (counts.refused, len(counts.dropped), counts.listed) == (True, 8, 20)
    assert polled(database) == 20
    assert {row.source for row in rows_of(database, listings)} == {"/new.txt"}


@pytest.mark.parametrize("why", ["still there", "other channels", "known file"])
def test_a_file_takes_no_other_ones_place(database: Database, why: str) -> None:
    if why == "known file":
        reload(database, MANY[:1], source="/new.txt")
    reload(database, MANY, source="/old.txt")
    named = MANY if why != "other channels" else [*MANY[:3], OTHER]
    vanished = [] if why == "still there" else ["/old.txt"]
    counts = reload(database, named, source="/new.txt", vanished=vanished)
    assert counts.replaced == counts.dropped == ()
    assert "/old.txt" in {row.source for row in rows_of(database, listings)}


def test_a_title_of_a_seeds_file_names_a_channel_until_its_feed_does(database: Database) -> None:
    def named(title: str | None) -> str | None:
        database.run(import_seeds, [seed(title=title)], [SEEDS], NOW)
        name: str | None = row_of(database, channels).title
        return name

    assert named(None) is None
    assert named("From OPML") == "From OPML"
    assert named("Renamed") == "Renamed"
    poll(database, 1, feed=feed_of(title=None))
    assert row_of(database, channels).title == "Renamed"
    poll(database, 1, feed=feed_of(title="Its own"))
    assert named("From OPML") == "Its own"


# ── Lines that were told ─────────────────────────────────────────────────────────────────────────────────


def bad(text: str, line: int = 1, file: str = SEEDS) -> SeedProblem:
    return SeedProblem(source="seeds.txt", line=line, reason="not a URL", file=file, text=text)


def told(database: Database, *problems: SeedProblem, **other: Any) -> list[str]:
    return [one.text for one in database.run(tell, problems, [SEEDS], NOW, **other)]


def test_a_bad_line_is_told_once_until_it_changes(database: Database) -> None:
    assert told(database, bad("x"), bad("y", 2)) == ["x", "y"]
    # Also at another line, and although something else is told.
    assert told(database, bad("x", 7), bad("z")) == ["z"]
    assert told(database, bad("x!")) == ["x!"]
    # It was mended in between.
    assert told(database, bad("x")) == ["x"]


def test_bad_lines_of_other_files_are_remembered_meanwhile(database: Database) -> None:
    told(database, bad("x"))
    other = [bad("x", file="/other.txt")]
    assert database.run(tell, other, ["/other.txt"], NOW) == other
    assert told(database, bad("x")) == []
    renamed = [bad("x", file="/new.txt")]
    assert database.run(tell, renamed, ["/new.txt"], NOW, replaced=[SEEDS]) == []


def test_no_password_is_kept_with_what_was_told(database: Database) -> None:
    told(database, bad("user:hunter2@example.org"))
    assert "hunter2" not in str(rows_of(database, told_lines))
