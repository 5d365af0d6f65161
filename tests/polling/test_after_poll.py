"""What a poll changes, by values alone: no database, no clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from archiver.acquisition.channels.after_poll import after_poll, site_result
from archiver.acquisition.channels.gaps.notice import EarlierEntry, may_show_gap
from archiver.acquisition.channels.polling.schedule import PollPolicy
from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.acquisition.channels.polls import Arrival, BeforePoll, KnownChannel, PollChanges, PollRules
from archiver.acquisition.channels.websub.subscription import State, Subscription
from archiver.acquisition.items import ChannelPoll, Validators
from archiver.acquisition.outcomes import Failed, Failure, Success
from archiver.archive.warc.records import Capture
from archiver.documents.feeds.discovered import DiscoveredFeed
from archiver.documents.feeds.entries import EntryChanges, compare, identify
from archiver.documents.feeds.model import FeedDate, FeedEntry, FeedHints, FeedInfo, ParsedFeed
from archiver.documents.lists.model import GapState

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FEED, NEW_HOME = "http://example.org/feed", "http://example.org/new"
POLICY = PollPolicy(jitter=0)
RULES = PollRules(policy=POLICY, pages_at_once=100)
ARRIVAL = Arrival(recorded=NOW + timedelta(seconds=5), now=NOW)


def channel(number: int = 1, url: str = FEED, **other: Any) -> KnownChannel:
    return KnownChannel(id=number, url=url, seed_url=url, **other)


def entry(number: int) -> FeedEntry:
    at = NOW - 10 * DAY + number * HOUR
    stamp = FeedDate(text=at.isoformat(), utc=at)
    link = f"http://example.org/{number}"
    return FeedEntry(id=f"n{number}", link=link, title=f"Story {number}", published=stamp)


def document(*numbers: int, **info: Any) -> ParsedFeed:
    return ParsedFeed(format="rss20", info=FeedInfo(**info), entries=tuple(map(entry, numbers)))


def new_entries(*numbers: int, known: tuple[int, ...] = ()) -> EntryChanges:
    changes = compare(identify(map(entry, (*numbers, *known))), {}, {})
    old = {one.key for one in identify(map(entry, known))}
    return replace(changes, new=tuple(one for one in changes.new if one.key not in old))


def decided(
    known: KnownChannel | None = None,
    *,
    before: dict[str, Any] | None = None,
    rules: PollRules = RULES,
    **poll: Any,
) -> PollChanges:
    """What changes in a channel that is polled."""
    known = known or channel()
    answer = ChannelPoll(channel_id=known.id, **{"url": known.url} | poll)
    return after_poll(BeforePoll(channel=known, policy=POLICY, **before or {}), answer, rules, ARRIVAL)


# ── Failures ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_failure_is_when_failing_began() -> None:
    first = decided(failed=Failed(failure=Failure.TIMEOUT, retry_after=DAY)).fields
    assert (first["failures"], first["failing_since"], first["outcome"]) == (1, NOW, Failure.TIMEOUT)
    assert first["not_before"] == NOW + DAY
    again = decided(channel(failures=1, failing_since=NOW - DAY), failed=Failed(failure=Failure.TIMEOUT))
    assert "failing_since" not in again.fields
    assert "last_success" not in again.fields


def test_a_failure_keeps_the_validators_unless_they_led_to_nonsense() -> None:
    failed = Failed(failure=Failure.UNASKED)
    assert decided(failed=failed).validators is None
    assert decided(failed=failed, forgets=True).validators == Validators()


def test_a_page_in_the_place_of_a_feed_is_followed_when_it_names_the_feed_twice() -> None:
    failed = Failed(failure=Failure.NOT_A_FEED)
    once = decided(failed=failed, names=NEW_HOME)
    assert (once.fields["moved_to"], once.moves_to) == (NEW_HOME, None)
    twice = decided(channel(moved_to=NEW_HOME), failed=failed, names=NEW_HOME)
    assert (twice.fields["url"], twice.fields["moved_to"], twice.moves_to) == (NEW_HOME, None, NEW_HOME)
    assert twice.fields["next_poll"] == NOW + POLICY.interval
    taken = {"at_new_address": channel(2, NEW_HOME)}
    refused = decided(channel(moved_to=NEW_HOME), before=taken, failed=failed, names=NEW_HOME)
    assert (refused.moves_to, refused.fields.get("url")) == (None, None)
    assert "is polled already" in refused.result.notes[0]


def test_a_channel_that_failed_three_times_changes_places_with_a_merged_one_of_its_domain() -> None:
    merged = [channel(2, "http://elsewhere.com/feed"), channel(3, NEW_HOME)]
    failed = Failed(failure=Failure.NOT_FOUND)
    second = decided(channel(failures=1), before={"merged": merged}, failed=failed)
    assert second.swaps_with is None
    third = decided(channel(failures=2), before={"merged": merged}, failed=failed)
    assert (third.swaps_with, third.fields["url"], third.moves_to) == (3, NEW_HOME, None)


def test_of_a_feed_that_broke_off_the_entries_are_kept_that_reach_back() -> None:
    failed = {"failed": Failed(failure=Failure.TRUNCATED), "feed": document(3, 2, 1)}
    reaching = decided(channel(entries=1), before={"entries": new_entries(3, 2, known=(1,))}, **failed)
    assert (reaching.result.new, reaching.is_whole) == (2, False)
    lost = decided(channel(entries=1), before={"entries": new_entries(3, 2, 1)}, **failed)
    assert (lost.result.new, lost.entries) == (0, None)


# ── Sites ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_site_is_looked_through_and_its_feeds_are_told() -> None:
    found = tuple(DiscoveredFeed(url=f"http://example.org/{n}") for n in range(3))
    changes = decided(channel(status="retired"), discovered=found)
    assert (changes.fields["kind"], changes.fields["status"]) == ("site", "active")
    poll = ChannelPoll(channel_id=1, url=FEED, discovered=found, found_on="http://example.org/news")
    result = site_result(changes.result, poll, 2, 2)
    assert result.discovered == 2
    for note, words in zip(result.notes, ("answers again", "found on", "at most"), strict=True):
        assert words in note
    assert site_result(changes.result, replace(poll, found_on=None), 3, 3).notes == changes.result.notes


# ── Feeds ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_feed_with_something_new_changes_its_channel() -> None:
    given = Validators(etag='"1"')
    changes = decided(
        channel(failures=3, failing_since=NOW - DAY, overdue=2.0),
        before={"entries": new_entries(1, 2)},
        feed=document(1, 2, title="News", link="http://example.org/"),
        validators=given,
        rules=replace(RULES, channel_pages=True),
    )
    fields, result = changes.fields, changes.result
    assert (result.outcome, result.new, fields["failures"], fields["failing_since"]) == ("new", 2, 0, None)
    assert (fields["title"], fields["kind"], fields["overdue"]) == ("News", "feed", 0.0)
    assert fields["last_success"] == ARRIVAL.recorded
    assert (changes.validators, changes.home) == (given, "http://example.org/")
    assert set(changes.datings) == {one.key for one in new_entries(1, 2).new}


def test_a_304_changes_the_schedule_alone() -> None:
    changes = decided(channel(wishes=Wishes(has_validators=True)))
    assert changes.result.outcome is Success.NOT_MODIFIED
    assert (changes.validators, changes.entries, changes.home, changes.gap) == (None,) * 4
    assert "title" not in changes.fields


def test_of_a_delta_neither_identity_nor_size_is_believed() -> None:
    part = decided(feed=document(1), partial=True)
    assert not {"identity", "shown", "hints"} & set(part.fields)
    assert not part.is_whole


@pytest.mark.parametrize(
    ("other", "moves_to", "merges"),
    [
        (None, NEW_HOME, None),
        (channel(2, NEW_HOME), NEW_HOME, (1, 2)),
        (channel(0, NEW_HOME), None, (0, 1)),
        (channel(2, NEW_HOME, apart=True), None, None),
        (channel(2, NEW_HOME, status="paused"), None, None),
    ],
)
def test_a_redirect_that_is_seen_again_moves_a_channel_or_merges_it(
    other: KnownChannel | None, moves_to: str | None, merges: tuple[int, int] | None
) -> None:
    known = channel(moved_to=NEW_HOME)
    changes = decided(known, before={"at_new_address": other}, feed=document(1), moved_to=NEW_HOME)
    assert (changes.moves_to, changes.result.moved_to) == (moves_to, moves_to)
    merge = changes.merge
    assert (merge and (merge.older, merge.younger)) == merges


def test_feeds_that_claim_to_be_one_and_show_the_same_are_merged_within_a_domain() -> None:
    feed = document(*range(6), self_url=FEED)
    shown = decided(feed=feed).fields["shown"]
    twin = channel(2, "http://www.example.org/feed", shown=shown, labels=("b",), every=HOUR)

    def merged(other: KnownChannel, **known: Any) -> tuple[int, ...] | None:
        before = {"claimants": [other], "listed": frozenset({1, 2})}
        merge = decided(channel(**known), before=before, feed=feed).merge
        return merge and (merge.older, merge.younger)

    assert merged(twin) == (1, 2)
    assert merged(twin, apart=True) is None
    assert merged(replace(twin, url="http://elsewhere.com/feed")) is None
    assert merged(replace(twin, shown=tuple("abcdef"))) is None
    merge = decided(channel(labels=("a",)), before={"claimants": [twin]}, feed=feed).merge
    assert merge is not None
    assert (merge.labels, merge.every, merge.next_poll) == (("a", "b"), HOUR, NOW + 7 * DAY)


def test_a_feed_without_anything_known_in_it_shows_a_gap() -> None:
    known = channel(hints=FeedHints(shown=2), last_success=NOW - DAY, entries=2)
    poll = ChannelPoll(channel_id=1, url=FEED, feed=document(9, 8))
    assert may_show_gap(known, poll, new_entries(9, 8))
    assert not may_show_gap(known, poll, new_entries(9, known=(8,)))
    assert not may_show_gap(known, replace(poll, partial=True), new_entries(9, 8))
    before = {"entries": new_entries(9, 8), "newest": [EarlierEntry(id=7, entry=entry(n)) for n in (2, 1)]}
    changes = decided(known, before=before, feed=poll.feed)
    gap = changes.gap
    assert gap is not None
    assert (gap.state, gap.after_entry, gap.after_key, gap.before_key) == (
        GapState.OPEN, 7, entry(2).link, entry(8).link,
    )  # fmt: skip
    assert changes.fields["last_gap"] == NOW
    vain = decided(known, before=before | {"searched_in_vain": NOW - DAY}, feed=poll.feed).gap
    assert vain is not None
    assert (vain.state, vain.ended) == (GapState.UNFILLABLE, ARRIVAL.recorded)
    none = decided(known, before=before, feed=poll.feed, rules=replace(RULES, gap_pages=0)).gap
    assert none is not None
    assert "GAP_PAGES" in none.how


def test_304s_that_hid_entries_are_no_longer_believed() -> None:
    seen = Capture(url=FEED, file="a", offset=0, record_id="r", date=NOW - 2 * DAY, digest="d")
    known = channel(outcome=Success.NOT_MODIFIED, last_success=NOW - HOUR)
    same = Validators(etag='"1"', capture=seen)
    before = {"entries": new_entries(1), "validators": same}
    changes = decided(known, before=before, feed=document(1), validators=Validators(etag='"1"'))
    wishes = changes.fields["wishes"]
    assert isinstance(wishes, Wishes)
    assert (wishes.ignores_validators, changes.validators) == (True, Validators())
    assert "answers 304 although" in changes.result.notes[0]


def test_a_hub_that_did_not_tell_is_no_longer_relied_on() -> None:
    hub = Subscription(
        channel_id=1, hub="http://hub.example/", topic=FEED, path="p", secret="s",
        state=State.ACTIVE, next_step=NOW + DAY, expires=NOW + DAY, trusted=True, pinged=NOW - 2 * HOUR,
    )  # fmt: skip
    known = channel(wishes=Wishes(at=NOW - HOUR))
    feed = document(1, hubs=("http://hub.example/",), self_url=FEED)
    rules = replace(RULES, websub=True)
    late = decided(known, before={"subscription": hub, "entries": new_entries(1)}, feed=feed, rules=rules)
    assert late.subscription == replace(hub, trusted=False)
    told = replace(hub, pinged=NOW - HOUR / 2)
    heard = decided(known, before={"subscription": told, "entries": new_entries(1)}, feed=feed, rules=rules)
    assert heard.subscription is None
    assert heard.fields["next_poll"] == NOW + POLICY.pushed
    first = decided(known, before={"tokens": ("path", "secret")}, feed=feed, rules=rules).subscription
    assert first is not None
    assert (first.state, first.path, first.secret) == (State.WANTED, "path", "secret")
    left = decided(known, before={"subscription": hub}, feed=document(1), rules=rules).subscription
    assert left is not None
    assert left.state is State.LEAVING
