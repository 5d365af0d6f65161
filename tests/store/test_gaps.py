"""A gap is noted with the poll that shows it, asked for step by step, and ended: on every database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.items import ChannelPoll, GapFetch, Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.feeds.model import FeedDate, FeedEntry, FeedInfo, ParsedFeed
from archiver.documents.lists.model import ArchivePage, GapState, Way
from archiver.store.polling import channels as channel_store
from archiver.store.polling.filling import FillRules, store_gap_fetch
from archiver.store.polling.gaps import count_open_gaps, gaps_by_channel, next_gap_try, pending_gaps
from archiver.store.polling.polls import store_poll
from archiver.store.schema import channels, gaps
from tests.store.samples import (
    FEED,
    HOUR,
    NOW,
    RULES,
    add_channel,
    all_entries,
    all_pages,
    capture,
    feed_of,
    poll,
    row_of,
    rows_of,
)

if TYPE_CHECKING:
    from archiver.acquisition.targets import GapAsk
    from archiver.store.database import Database
    from archiver.store.polling.filling import GapResult

DAY = timedelta(days=1)


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


def entry(number: int, **other: Any) -> FeedEntry:
    at = NOW - 10 * DAY + number * HOUR
    values = {
        "id": f"n{number}",
        "link": f"http://example.org/stories/{number}.html",
        "title": f"Story {number}",
        "published": FeedDate(text=at.isoformat(), utc=at),
    }
    return FeedEntry(**values | other)


def told(*numbers: int) -> list[FeedEntry]:
    return [entry(number) for number in numbers]


def burst(database: Database, channel: int, **other: Any) -> GapState | None:
    """Polled with 1 to 3, and again when the feed shows 9 to 7."""
    poll(database, channel, *told(3, 2, 1))
    return poll(database, channel, *told(9, 8, 7), now=NOW + HOUR, **other).gap


def ask(database: Database, **other: Any) -> GapAsk:
    values: dict[str, Any] = {"limit": 10, "busy": ()} | other
    (found,) = database.run(pending_gaps, NOW + 2 * HOUR, **values)
    return found


def answer(database: Database, *found: FeedEntry, gap: GapAsk | None = None, **other: Any) -> GapResult:
    """Store an answer to what is asked next; of these entries, unless it was something else."""
    gap = gap or ask(database)
    rules = other.pop("rules", FillRules())
    page = ArchivePage(feed=feed_of(*found), entries=tuple(found))
    values = {"page": page, "url": gap.ask.url, "capture": capture(7, url=gap.ask.url)} | other
    fetch = GapFetch(gap=gap, **values)
    return database.run(store_gap_fetch, fetch, rules=rules, recorded=NOW + HOUR, now=NOW + HOUR)


def no_answer(database: Database, failure: Failure = Failure.NOT_FOUND) -> GapResult:
    return answer(database, page=None, capture=None, failed=Failed(failure=failure))


# ── Noticing ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_gap_is_noted_with_its_edges(database: Database, channel: int) -> None:
    assert burst(database, channel) is GapState.OPEN
    gap = row_of(database, gaps)
    assert (gap.channel_id, gap.state, gap.seen, gap.next_try) == (channel, "open", NOW + HOUR, NOW + HOUR)
    assert (gap.after_key, gap.before_key) == (entry(3).link, entry(7).link)
    assert (gap.after, gap.floor, gap.before) == tuple(
        one.published.utc for one in told(3, 1, 7) if one.published
    )
    row = row_of(database, channels)
    assert (row.last_gap, row.hints.shown) == (NOW + HOUR, 3)
    assert database.run(gaps_by_channel) == {channel: {"open": 1}}
    assert database.run(count_open_gaps) == 1


def test_the_channel_is_polled_sooner_for_a_week(database: Database, channel: int) -> None:
    has = {"validators": Validators(etag='"1"')}
    burst(database, channel, **has)
    row = row_of(database, channels)
    assert row.next_poll - (NOW + HOUR) == 0.5 * HOUR
    assert "entries were missing on 2026-03-02" in row.why
    poll(database, channel, *told(10, 9, 8), now=NOW + 6 * DAY, **has)
    assert row_of(database, channels).next_poll - (NOW + 6 * DAY) <= 0.5 * HOUR
    poll(database, channel, *told(11, 10, 9), now=NOW + 9 * DAY, **has)
    assert row_of(database, channels).next_poll - (NOW + 9 * DAY) > 0.8 * HOUR


def test_no_gap_makes_a_poll_sooner_than_politeness_allows(database: Database, channel: int) -> None:
    burst(database, channel)
    assert row_of(database, channels).next_poll - (NOW + HOUR) >= 50 / 60 * HOUR


def test_an_interval_that_a_seed_asks_for_stays(database: Database) -> None:
    channel = add_channel(database, every=2 * HOUR)
    assert burst(database, channel) is GapState.OPEN
    assert row_of(database, channels).next_poll - (NOW + HOUR) > 1.7 * HOUR


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(told(9, 8, 3), id="overlap"),
        pytest.param([], id="empty"),
        pytest.param([entry(3, id="x"), entry(2, id="y"), entry(1, id="z")], id="other ids"),
        pytest.param([entry(9), entry(9), entry(3)], id="repeated"),
        pytest.param(
            [entry(n, id=f"s{n}", link=f"http://example.org/stories/{n}0.html") for n in (3, 2, 1)],
            id="other ids and links",
        ),
    ],
)
def test_no_gap(database: Database, channel: int, second: list[FeedEntry]) -> None:
    assert poll(database, channel, *told(3, 2, 1)).gap is None
    assert poll(database, channel, *second).gap is None
    assert rows_of(database, gaps) == []


def test_no_gap_where_the_answer_was_another(database: Database, channel: int) -> None:
    poll(database, channel, *told(3, 2, 1))
    assert poll(database, channel, feed=None).gap is None
    assert poll(database, channel, *told(9, 8), partial=True).gap is None
    assert poll(database, channel, *told(19, 18), moved_to="http://example.net/feed").gap is None
    failed = ChannelPoll(channel_id=channel, url=FEED, failed=Failed(failure=Failure.TIMEOUT))
    assert database.run(store_poll, failed, rules=RULES, recorded=NOW, now=NOW).gap is None


def test_what_comes_after_an_empty_document_is_no_gap(database: Database, channel: int) -> None:
    poll(database, channel, *told(3, 2, 1))
    poll(database, channel)
    assert poll(database, channel, *told(9, 8, 7)).gap is None
    assert poll(database, channel, *told(19, 18, 17)).gap is GapState.OPEN


def test_a_repeated_entry_does_not_hide_a_gap(database: Database, channel: int) -> None:
    poll(database, channel, *told(3, 2, 1))
    assert poll(database, channel, *told(9, 9, 8)).gap is GapState.OPEN


def test_without_dates_the_last_poll_is_the_edge(database: Database, channel: int) -> None:
    poll(database, channel, *[entry(n, published=None) for n in (3, 2, 1)])
    poll(database, channel, *[entry(n, published=None) for n in (9, 8)], now=NOW + HOUR)
    gap = row_of(database, gaps)
    assert (gap.after, gap.floor, gap.before) == (NOW, None, None)


def test_a_date_in_the_future_hides_nothing(database: Database, channel: int) -> None:
    poll(database, channel, entry(3, published=FeedDate(text="2030", utc=NOW + 2000 * DAY)), entry(2))
    poll(database, channel, *told(9, 8), now=NOW + HOUR)
    assert row_of(database, gaps).after == NOW


def test_with_no_documents_allowed_a_gap_is_only_noted(database: Database, channel: int) -> None:
    rules = PollRules(policy=RULES.policy, pages_at_once=500, gap_pages=0)
    assert burst(database, channel, rules=rules) is GapState.UNFILLABLE
    assert database.run(pending_gaps, NOW + DAY, limit=10, busy=()) == []


# ── Asking ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_next_document_is_handed_out_when_its_time_has_come(database: Database, channel: int) -> None:
    burst(database, channel)
    assert database.run(pending_gaps, NOW, limit=10, busy=()) == []
    found = ask(database)
    assert (found.channel_id, found.ask.way, found.ask.url) == (channel, Way.PAGED, f"{FEED}?paged=2")
    assert database.run(pending_gaps, NOW + DAY, limit=10, busy={found.id}) == []
    assert database.run(next_gap_try) == NOW + HOUR
    assert database.run(pending_gaps, None, limit=10, busy=()) == [found]


def test_a_channel_that_is_paused_is_not_asked_for(database: Database, channel: int) -> None:
    burst(database, channel)
    database.run(channel_store.pause, channel, NOW)
    assert database.run(pending_gaps, NOW + DAY, limit=10, busy=()) == []
    assert database.run(next_gap_try) is None
    database.run(channel_store.resume, channel, NOW)
    assert ask(database).channel_id == channel


def test_lists_are_asked_for_with_examples_of_the_channels_own(database: Database, channel: int) -> None:
    poll(database, channel, *told(3, 2), entry(1, link="http://example.com/x"))
    poll(database, channel, *told(9, 8, 7), now=NOW + HOUR)
    assert ask(database).examples == ()
    no_answer(database)
    no_answer(database)
    found = ask(database)
    assert (found.ask.way, found.since) == (Way.LISTING, entry(3).published and entry(3).published.utc)  # type: ignore[union-attr] # has a date
    assert set(found.examples) == {one.link for one in told(3, 2, 9, 8, 7)}


# ── Filling ──────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_found_waits_for_its_pages_and_says_where_it_was(database: Database, channel: int) -> None:
    burst(database, channel)
    result = answer(database, *told(6, 5, 4, 3))
    assert (result.found, result.filled, result.state) == (3, 3, GapState.FILLED)
    found = all_entries(database)
    assert [found[f"n{n}"].found_by for n in (3, 6, 5, 4, 9)] == [None, "paged", "paged", "paged", None]
    assert found["n5"].pending
    assert found["n5"].feed_capture == capture(7, url=f"{FEED}?paged=2")
    assert all_pages(database)[str(entry(5).link)].state == "pending"
    gap = row_of(database, gaps)
    assert (gap.state, gap.how, gap.filled, gap.documents, gap.ended) == ("filled", "paged", 3, 1, NOW + HOUR)
    assert row_of(database, channels).entries == 9
    assert database.run(pending_gaps, NOW + DAY, limit=10, busy=()) == []


def test_what_is_known_is_not_touched(database: Database, channel: int) -> None:
    burst(database, channel)
    before = all_entries(database)["n3"]
    answer(database, *told(6), entry(3, id="other", title="As it was first"))
    found = all_entries(database)
    assert found["n3"] == before
    assert "other" not in found


def test_an_answer_that_was_stored_is_not_stored_again(database: Database, channel: int) -> None:
    burst(database, channel)
    first = ask(database)
    answer(database, *told(6, 5), gap=first)
    assert answer(database, *told(6, 5), gap=first).found == 0
    assert row_of(database, gaps).documents == 1
    assert ask(database).ask.url == f"{FEED}?paged=3"


def test_what_fails_for_good_is_passed_over_and_what_will_pass_is_asked_again(
    database: Database, channel: int
) -> None:
    burst(database, channel)
    assert no_answer(database, Failure.UNAVAILABLE).state is GapState.OPEN
    gap = row_of(database, gaps)
    assert (gap.tries, gap.documents) == (1, 0)
    assert gap.next_try > NOW + HOUR
    for _ in range(2):
        found = database.run(pending_gaps, NOW + DAY, limit=1, busy=())[0]
        answer(database, gap=found, page=None, failed=Failed(failure=Failure.UNAVAILABLE))
    # Three tries, and the next way.
    assert ask(database).ask.way is Way.PAGE
    no_answer(database, Failure.ROBOTS)
    assert ask(database).ask.way is Way.LISTING


def test_when_there_is_nothing_left_to_ask_it_is_told(database: Database, channel: int) -> None:
    burst(database, channel)
    results = [no_answer(database)]
    while results[-1].state is GapState.OPEN:
        results.append(no_answer(database))
    last = results[-1]
    assert (last.state, last.channel_url, last.filled) == (GapState.UNFILLABLE, FEED, 0)
    assert (last.after, last.before) == (entry(3).link, entry(7).link)
    assert row_of(database, gaps).documents == len(results) < 12


def test_a_gap_is_left_after_so_many_documents(database: Database, channel: int) -> None:
    burst(database, channel)
    rules = FillRules(documents=2)
    assert answer(database, *told(6), rules=rules).state is GapState.OPEN
    assert answer(database, *told(5), rules=rules).state is GapState.PARTLY
    assert (row_of(database, gaps).how, row_of(database, gaps).filled) == ("paged", 2)


def test_a_site_that_gave_nothing_is_not_asked_again_within_a_week(database: Database, channel: int) -> None:
    burst(database, channel)
    while no_answer(database).state is GapState.OPEN:
        pass
    assert poll(database, channel, *told(19, 18, 17), now=NOW + 2 * DAY).gap is GapState.UNFILLABLE
    assert poll(database, channel, *told(29, 28, 27), now=NOW + 8 * DAY).gap is GapState.OPEN


def test_links_of_a_list_are_told_by_their_address_also_where_entries_share_one(
    database: Database, channel: int
) -> None:
    home = "http://example.org/stories/1.html"
    poll(database, channel, entry(3), entry(2, link=home), entry(1, link=home))
    poll(database, channel, *told(9, 8, 7), now=NOW + HOUR)
    no_answer(database)
    no_answer(database)
    links = [FeedEntry(link=one.link, title="A headline") for one in told(9, 8, 7, 6, 5, 4, 1, 0)]
    result = answer(database, page=ArchivePage(entries=tuple(links)))
    assert (result.found, result.state) == (3, GapState.FILLED)
    found = [row for row in all_entries(database).values() if row.found_by == "listing"]
    assert {row.entry.link for row in found} == {one.link for one in told(6, 5, 4)}
    assert {row.entry.title for row in found} == {"A headline"}


def test_of_two_gaps_the_newer_is_filled_first_and_then_the_older(database: Database, channel: int) -> None:
    burst(database, channel)
    poll(database, channel, *told(19, 18, 17), now=NOW + HOUR)
    newer = ask(database)
    for failure in (Failure.NOT_FOUND, Failure.NOT_FOUND):
        no_answer(database, failure)
    # The list has both gaps.
    links = [FeedEntry(link=one.link, title=one.title) for one in told(*range(19, -1, -1))]
    first = answer(database, page=ArchivePage(entries=tuple(links)))
    assert (first.found, first.state) == (7, GapState.FILLED)
    older = ask(database)
    assert older.id < newer.id
    for failure in (Failure.NOT_FOUND, Failure.NOT_FOUND):
        no_answer(database, failure)
    second = answer(database, page=ArchivePage(entries=tuple(links)))
    assert (second.found, second.state) == (3, GapState.FILLED)
    assert len(all_entries(database)) == 19
    assert database.run(next_gap_try) is None


def test_paging_links_of_the_feed_come_first(database: Database, channel: int) -> None:
    poll(database, channel, *told(3, 2, 1))
    info = FeedInfo(paging={"next": f"{FEED}?after=7"})
    feed = ParsedFeed(format="json11", info=info, entries=tuple(told(9, 8, 7)))
    poll(database, channel, feed=feed, now=NOW + HOUR)
    assert (ask(database).ask.way, ask(database).ask.url) == (Way.NEXT, f"{FEED}?after=7")
