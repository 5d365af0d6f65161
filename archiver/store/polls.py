"""A poll becomes state: the channel, its validators and its pending entries, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.feeds.hints import hints_of
from archiver.feeds.schedule import ChannelState, next_poll
from archiver.outcomes import Success
from archiver.store import channels as channel_store
from archiver.store.entries import Arrival, Turns, find_changes, store_changes
from archiver.store.requisites import WantedRequisite, want
from archiver.store.schema import channels
from archiver.urls import is_web, request_url, with_credentials_of

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.feeds.schedule import NextPoll, PollPolicy
    from archiver.items import ChannelPoll
    from archiver.outcomes import Failed, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class PollRules:
    """What the operator set."""

    policy: PollPolicy
    # Of a feed with thousands of new entries, this many pages are asked for at a time.
    pages_at_once: int
    # The channel's own page is kept whenever its feed has something new.
    channel_pages: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PollResult:
    """What a poll came to."""

    url: str
    outcome: Outcome
    new: int = 0
    changed: int = 0
    discovered: int = 0
    moved: bool = False
    retired: bool = False
    detail: str = ""


def store_poll(
    connection: Connection, poll: ChannelPoll, *, rules: PollRules, recorded: datetime, now: datetime
) -> PollResult:
    """Write everything that this poll changed. `recorded` is machine time, `now` the schedule's."""
    row = channel_store.channel_row(connection, poll.channel_id)
    state = ChannelState(url=row.url, every=channel_store.every_of(row), failures=row.failures)
    if poll.failed is not None:
        decision = next_poll(state, poll.failed, rules.policy, now)
        return _store_failure(connection, row, poll.failed, decision, recorded)
    if poll.discovered is not None:
        decision = next_poll(state, Success.SITE, rules.policy, now)
        added = channel_store.add_discovered(connection, row, poll.discovered, now)
        channel_store.save_poll(connection, row.id, decision, recorded, outcome=Success.SITE, kind="site")
        return PollResult(url=row.url, outcome=Success.SITE, discovered=added)
    return _store_feed(
        connection, row, state, poll, Arrival(recorded=recorded, now=now, capture=poll.capture), rules
    )


def _store_failure(
    connection: Connection, row: Row[Any], failed: Failed, decision: NextPoll, recorded: datetime
) -> PollResult:
    channel_store.save_poll(connection, row.id, decision, recorded, outcome=failed.failure)
    return PollResult(url=row.url, outcome=failed.failure, retired=decision.retired, detail=failed.detail)


def _store_feed(
    connection: Connection,
    row: Row[Any],
    state: ChannelState,
    poll: ChannelPoll,
    arrival: Arrival,
    rules: PollRules,
) -> PollResult:
    changes = find_changes(connection, row.id, poll.feed.entries if poll.feed else ())
    outcome = Success.NOT_MODIFIED if poll.feed is None else Success.UNCHANGED
    if changes.new or changes.changed:
        outcome = Success.NEW
    decision = next_poll(state, outcome, rules.policy, arrival.now)
    turns = Turns(at_once=rules.pages_at_once, interval=decision.at - arrival.now)
    store_changes(connection, row.id, changes, arrival, turns)
    described = _described(poll, len(changes.new)) | _moved(connection, row, poll)
    channel_store.save_poll(connection, row.id, decision, arrival.recorded, outcome=outcome, **described)
    link = poll.feed.info.link if poll.feed else None
    if rules.channel_pages and outcome is Success.NEW and link and is_web(link):
        home = WantedRequisite(url=request_url(link), kind="home", via=poll.url)
        want(connection, [home], now=arrival.now, max_age=timedelta())
    if poll.feed is not None:
        channel_store.save_validators(connection, row.id, poll.url, poll.validators)
    return PollResult(
        url=row.url,
        outcome=outcome,
        new=len(changes.new),
        changed=len(changes.changed),
        moved="url" in described,
    )


def _described(poll: ChannelPoll, new: int) -> dict[str, object]:
    """What the document says of its channel."""
    if poll.feed is None:
        return {}
    info = poll.feed.info
    return {
        "kind": "feed",
        "title": info.title,
        "link": info.link,
        "language": info.language,
        "format": poll.feed.format,
        "hints": hints_of(poll.feed),
        "entries": channels.c.entries + new,
    }


def _moved(connection: Connection, row: Row[Any], poll: ChannelPoll) -> dict[str, object]:
    """A permanent redirect is believed when it is seen for the second time."""
    if poll.moved_to is None or poll.moved_to != row.moved_to:
        return {"moved_to": poll.moved_to}
    url = with_credentials_of(poll.moved_to, row.url)
    taken = connection.execute(select(channels.c.id).where(channels.c.url == url)).first()
    return {} if taken else {"url": url, "moved_to": None}
