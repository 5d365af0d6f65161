"""A poll becomes state: the channel, its validators and its pending entries, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.channels.polling.estimate import last_look, learn, silence
from archiver.acquisition.channels.polling.forecast import chance_in_words, is_alarming
from archiver.acquisition.channels.polling.rhythm import moments_of
from archiver.acquisition.channels.polling.schedule import ChannelState, next_poll
from archiver.acquisition.channels.polling.wishes import Wishes, joined
from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failure, Success
from archiver.documents.feeds.dating import datings
from archiver.documents.feeds.entries import identify
from archiver.documents.feeds.hints import hints_of
from archiver.documents.feeds.sameness import identity_of, shown_by
from archiver.store import channels as channel_store
from archiver.store import failing, merging, moving, subscriptions
from archiver.store.broken_off import keep_entries
from archiver.store.confirming import untrue_in_words, was_untrue
from archiver.store.entries import Arrival, PageStagger, find_changes, store_changes
from archiver.store.gaps import note_gap
from archiver.store.parting import check_merged
from archiver.store.prices import price_of_poll
from archiver.store.quotas import Use, count
from archiver.store.recheck_prices import count_requests
from archiver.store.requisites import WantedRequisite, want
from archiver.store.schema import channels
from archiver.store.sightings import note_document
from archiver.store.vanished import look_now
from archiver.urls import is_web, redact, request_url

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.channels.polling.estimate import Learned
    from archiver.acquisition.channels.polling.schedule import PollPolicy
    from archiver.acquisition.items import ChannelPoll
    from archiver.acquisition.outcomes import Failed, Outcome
    from archiver.documents.feeds.dating import Dating
    from archiver.documents.feeds.discover import DiscoveredFeed
    from archiver.documents.feeds.entries import EntryChanges
    from archiver.documents.lists.model import GapState


@dataclass(frozen=True, slots=True, kw_only=True)
class PollRules:
    """What the operator set."""

    policy: PollPolicy
    # Of a feed with thousands of new entries, this many pages are asked for at a time.
    pages_at_once: int
    # The channel's own page is kept whenever its feed has something new.
    channel_pages: bool = False
    # Hubs are subscribed to where feeds name one.
    websub: bool = False
    # Polls for each channel and day, on average over all; None: as many as they are worth.
    budget: float | None = None
    # So many documents are asked for to fill a gap; with none, gaps are only noted.
    gap_pages: int = 20
    # By kind of failure: a digest of the settings that may have caused it.
    causes: Mapping[str, str] = field(default_factory=dict)
    # So many feeds of those that a site names become channels.
    feeds_per_site: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PollResult:
    """What a poll came to."""

    url: str
    outcome: Outcome
    new: int = 0
    changed: int = 0
    discovered: int = 0
    moved_to: str | None = None
    retired: bool = False
    detail: str = ""
    # What an operator may want to know.
    notes: tuple[str, ...] = ()
    gap: GapState | None = None


def store_poll(
    connection: Connection, poll: ChannelPoll, *, rules: PollRules, recorded: datetime, now: datetime
) -> PollResult:
    """Write everything that this poll changed. `recorded` is machine time, `now` the schedule's."""
    row = channel_store.channel_row(connection, poll.channel_id)
    count_requests(connection, others=1)
    count(connection, [Use(host=row.host, channel_id=row.id, pages=0, size=poll.size)], now)
    if row.status == "merged":
        return _store_look(connection, row, poll, recorded=recorded, now=now)
    arrival = Arrival(recorded=recorded, now=now, capture=poll.capture)
    if poll.failed is not None:
        return _store_failure(connection, row, poll, poll.failed, arrival, rules)
    if poll.discovered is not None:
        return _store_site(connection, row, poll, poll.discovered, arrival, rules)
    return _store_feed(connection, row, poll, arrival, rules)


def _store_look(
    connection: Connection, row: Row[Any], poll: ChannelPoll, *, recorded: datetime, now: datetime
) -> PollResult:
    """A merged channel keeps no entries: it is only asked whether it still is the same feed."""
    notes = check_merged(connection, row, poll, recorded=recorded, now=now)
    outcome = poll.failed.failure if poll.failed else Success.UNCHANGED
    return PollResult(
        url=row.url, outcome=outcome, notes=notes, detail=poll.failed.detail if poll.failed else ""
    )


def _datings(poll: ChannelPoll, recorded: datetime) -> dict[str, Dating]:
    """What the document says of its entries' dates, by their keys."""
    listed = identify(poll.feed.entries if poll.feed else ())
    found = datings([one.entry for one in listed], recorded)
    return {one.key: dating for one, dating in zip(listed, found, strict=False)}


def _state_of(row: Row[Any], wishes: Wishes | None = None, *, pushed: bool = False) -> ChannelState:
    return ChannelState(
        url=row.url,
        every=channel_store.every_of(row),
        failures=row.failures,
        failing_since=row.failing_since,
        retired=row.status == "retired",
        wishes=wishes or Wishes(),
        pushed=pushed,
        rhythm=row.rhythm,
        last_gap=row.last_gap,
    )


def _store_failure(
    connection: Connection,
    row: Row[Any],
    poll: ChannelPoll,
    failed: Failed,
    arrival: Arrival,
    rules: PollRules,
) -> PollResult:
    decision = next_poll(_state_of(row), failed, _priced(connection, row, rules, arrival.now), arrival.now)
    changes, notes = failing.changes(connection, row, poll, decision)
    if decision.failures == 1:
        changes["failing_since"] = arrival.now
    if "url" in changes:  # it may be well where it is asked now
        sooner = min(decision.at, arrival.now + rules.policy.interval)
        decision = replace(decision, at=sooner, why=f"{failed.failure} at its old address")
    turns = PageStagger(at_once=rules.pages_at_once, interval=rules.policy.interval)
    new = keep_entries(connection, row, poll.feed, arrival, turns) if poll.feed else 0
    changes |= {
        "not_before": _not_before(failed.retry_after, arrival.now),
        "cause": rules.causes.get(failed.failure),
        "entries": channels.c.entries + new,
    }
    channel_store.save_poll(connection, row.id, decision, arrival.recorded, outcome=failed.failure, **changes)
    if poll.forgets:
        channel_store.save_validators(connection, row.id, poll.url, Validators())
    return PollResult(
        url=row.url,
        outcome=failed.failure,
        new=new,
        retired=failed.failure is Failure.GONE,
        detail=failed.detail,
        notes=notes,
    )


def _store_site(
    connection: Connection,
    row: Row[Any],
    poll: ChannelPoll,
    found: tuple[DiscoveredFeed, ...],
    arrival: Arrival,
    rules: PollRules,
) -> PollResult:
    state = _state_of(row, replace(poll.wishes, at=arrival.now))
    decision = next_poll(state, Success.SITE, rules.policy, arrival.now)
    most = rules.feeds_per_site
    added = channel_store.add_discovered(connection, row, found, arrival.now, most=most)
    changes, notes = failing.revived(row)
    changes["not_before"] = _not_before(poll.wishes.retry_after, arrival.now)
    if poll.found_on and added:
        feeds = ", ".join(redact(feed.url) for feed in found[:most])
        notes = (*notes, f"{row.url} names no feed itself; found on {redact(poll.found_on)}: {feeds}")
    if len(found) > most:
        told = f"{row.url} names {len(found)} feeds: at most MAX_FEEDS_PER_SITE={most} are polled"
        notes = (*notes, told)
    channel_store.save_poll(
        connection, row.id, decision, arrival.recorded, outcome=Success.SITE, kind="site", **changes
    )
    return PollResult(url=row.url, outcome=Success.SITE, discovered=added, notes=notes)


def _store_feed(
    connection: Connection, row: Row[Any], poll: ChannelPoll, arrival: Arrival, rules: PollRules
) -> PollResult:
    changes = find_changes(connection, row.id, poll.feed.entries if poll.feed else ())
    outcome = Success.NOT_MODIFIED if poll.feed is None else Success.UNCHANGED
    if changes.new or changes.changed:
        outcome = Success.NEW
        arrival = replace(arrival, datings=_datings(poll, arrival.recorded))
    is_untrue = was_untrue(connection, row, poll, changes, arrival.recorded)
    wishes = _wishes(row, poll, arrival, is_untrue=is_untrue)
    pushed = rules.websub and subscriptions.after_poll(
        connection, row, poll, new=len(changes.new), now=arrival.now
    )
    gap = note_gap(connection, row, poll, changes, arrival, fill=rules.gap_pages > 0)
    learned = _learned(row, poll, changes, arrival, is_gap=gap is not None)
    state = replace(
        _state_of(row, wishes, pushed=pushed),
        rhythm=learned.rhythm,
        last_gap=arrival.now if gap else row.last_gap,
    )
    policy = _priced(connection, row, rules, arrival.now)
    decision = next_poll(state, outcome, policy, arrival.now)
    # What a publisher wishes of those who poll it does not wish of those who read its pages.
    interval = min(decision.at - arrival.now, channel_store.every_of(row) or rules.policy.interval)
    turns = PageStagger(at_once=rules.pages_at_once, interval=interval)
    store_changes(connection, row.id, changes, arrival, turns)
    if poll.feed is not None:
        is_whole = not poll.partial
        vanished = note_document(connection, row, changes, recorded=arrival.recorded, is_whole=is_whole)
        look_now(connection, vanished, arrival.now)
    moved, twin = _moved(connection, row, poll)
    back, notes = failing.revived(row)
    described = (
        _described(poll, len(changes.new)) | moved | back | {"wishes": wishes, "rhythm": learned.rhythm}
    )
    overdue, told = _silence(row, learned, new=len(changes.new))
    described |= {"overdue": overdue, "not_before": _not_before(wishes.retry_after, arrival.now)}
    channel_store.save_poll(connection, row.id, decision, arrival.recorded, outcome=outcome, **described)
    _want_home(connection, poll, outcome, arrival, rules)
    if poll.feed is not None:
        given = Validators() if wishes.ignores_validators else poll.validators
        channel_store.save_validators(connection, row.id, poll.url, given)
    if is_untrue:
        notes = (*notes, untrue_in_words(redact(row.url)))
    return PollResult(
        url=row.url,
        outcome=outcome,
        new=len(changes.new),
        changed=len(changes.changed),
        moved_to=str(described["url"]) if "url" in described else None,
        notes=(*notes, *told, *_merged(connection, row.id, poll, twin, arrival.now)),
        gap=gap,
    )


def _not_before(retry_after: timedelta | None, now: datetime) -> datetime | None:
    """The moment before which a server asked not to be asked again, by whatever is due."""
    return None if retry_after is None else now + retry_after


def _silence(row: Row[Any], learned: Learned, *, new: int) -> tuple[float, tuple[str, ...]]:
    """How many entries were expected since the last one, and what to tell where that is many."""
    if new:
        return 0.0, ()
    overdue = row.overdue + learned.expected
    # By what was known then: a step that is passed since more is known would be told by neither poll.
    before, after = silence(row.rhythm, row.overdue), silence(learned.rhythm, overdue)
    if not is_alarming(before, after):
        return overdue, ()
    chance = chance_in_words(after)
    return overdue, (f"It should have published by now, the chance of such a silence is {chance}: {row.url}",)


def _learned(
    row: Row[Any], poll: ChannelPoll, changes: EntryChanges, arrival: Arrival, *, is_gap: bool
) -> Learned:
    """How the channel publishes, after this poll."""
    # A channel that came before rhythms were kept was seen all the same.
    last_poll = last_look(row.rhythm) or (arrival.now if row.last_success else None)
    moments = moments_of((one.entry for one in changes.new), last_poll, arrival.now)
    # A part of a feed does not show how much the whole of it holds.
    shown = len(poll.feed.entries) if poll.feed and not poll.partial else 0
    return learn(row.rhythm, moments, shown=shown, is_gap=is_gap, now=arrival.now)


def _priced(connection: Connection, row: Row[Any], rules: PollRules, now: datetime) -> PollPolicy:
    """The policy with what a poll costs at present."""
    aim = rules.policy.aim
    if aim is None or rules.budget is None or row.every:
        return rules.policy
    price = price_of_poll(connection, rules.budget, float(aim.fairness), now)
    return replace(rules.policy, aim=replace(aim, price=price))


def _wishes(row: Row[Any], poll: ChannelPoll, arrival: Arrival, *, is_untrue: bool) -> Wishes:
    validators = None if poll.feed is None else bool(poll.validators.etag or poll.validators.last_modified)
    info = poll.feed.info if poll.feed else None
    wishes = joined(row.wishes, poll.wishes, info, at=arrival.now, has_validators=validators)
    if not is_untrue and not wishes.ignores_validators:
        return wishes
    return replace(wishes, ignores_validators=True, has_validators=False)


def _want_home(
    connection: Connection, poll: ChannelPoll, outcome: Success, arrival: Arrival, rules: PollRules
) -> None:
    link = poll.feed.info.link if poll.feed else None
    if rules.channel_pages and outcome is Success.NEW and link and is_web(link):
        home = WantedRequisite(url=request_url(link), kind="home", via=poll.url)
        want(connection, [home], now=arrival.now, max_age=timedelta())


def _described(poll: ChannelPoll, new: int) -> dict[str, object]:
    """What the document says of its channel."""
    if poll.feed is None:
        return {}
    info = poll.feed.info
    described: dict[str, object] = {
        "kind": "feed",
        "link": info.link,
        "language": info.language,
        "format": poll.feed.format,
        "entries": channels.c.entries + new,
    }
    # Without a title of its own, a feed goes by the name that a seeds file gave it.
    if info.title:
        described["title"] = info.title
    if not poll.partial:
        described |= {
            "identity": identity_of(poll.feed, poll.url),
            "shown": shown_by(poll.feed.entries),
            "hints": hints_of(poll.feed),
        }
    return described


def _moved(
    connection: Connection, row: Row[Any], poll: ChannelPoll
) -> tuple[dict[str, object], Row[Any] | None]:
    """A permanent redirect is believed when it is seen for the second time.

    Where it leads to another channel's address, these are one by their server's word: also that channel.
    """
    url = moving.seen_again(row, poll.moved_to)
    if url is None:
        return {"moved_to": poll.moved_to}, None
    other = moving.others_at(connection, row, url)
    if other is None:
        return moving.move(connection, row, url), None
    if not merging.may_merge(row, other):
        return {}, None
    return (moving.move(connection, row, url) if row.id < other.id else {}), other


def _merged(
    connection: Connection, channel_id: int, poll: ChannelPoll, twin: Row[Any] | None, now: datetime
) -> tuple[str, ...]:
    """Unite the channel with another one that is the same, if there is one; what to tell of it."""
    reason = "one redirects to the other for good"
    row = channel_store.channel_row(connection, channel_id)
    if twin is None and poll.feed is not None and not poll.partial:
        twin = merging.find_twin(connection, row, row.identity, row.shown or ())
        reason = "it says that it is the same feed, and shows the same entries"
    if twin is None or row.status != "active":
        return ()
    return (merging.merge(connection, row, twin, reason, now),)
