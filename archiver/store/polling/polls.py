"""A poll becomes state, in one transaction: what was known is read, what the poll changes is written."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, update

from archiver.acquisition.channels.after_poll import after_poll, site_result
from archiver.acquisition.channels.gaps.notice import may_show_gap
from archiver.acquisition.channels.merging import place, seen_again
from archiver.acquisition.channels.polls import Arrival, BeforePoll, PollResult
from archiver.acquisition.channels.sightings import VANISHED
from archiver.acquisition.outcomes import Success
from archiver.acquisition.requisites import HOME
from archiver.acquisition.targets import WantedRequisite
from archiver.documents.feeds.sameness import identity_of
from archiver.store.content.requisites import want
from archiver.store.looks.rechecks import look_now
from archiver.store.polling import merging, subscriptions
from archiver.store.polling.channels import add_discovered, change, known_channel, validators_of
from archiver.store.polling.entries import find_changes, store_changes
from archiver.store.polling.gaps import last_entry, newest_entries, save_new_gap, searched_in_vain
from archiver.store.polling.prices import count_requests, price_of_poll
from archiver.store.polling.sightings import note_document
from archiver.store.quotas import Use, count
from archiver.store.reliability.validators import note_poll
from archiver.store.schema import channels, validators
from archiver.urls import LONGEST_URL

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.channels.polling.schedule import PollPolicy
    from archiver.acquisition.channels.polls import KnownChannel, PollChanges, PollRules
    from archiver.acquisition.items import ChannelPoll, Validators


def store_poll(
    connection: Connection, poll: ChannelPoll, *, rules: PollRules, recorded: datetime, now: datetime
) -> PollResult:
    """Write everything that this poll changed. `recorded` is machine time, `now` the schedule's."""
    channel = known_channel(connection, poll.channel_id)
    count_requests(connection, others=1)
    count(connection, [Use(host=channel.host, channel_id=channel.id, pages=0, size=poll.size)], now)
    arrival = Arrival(recorded=recorded, now=now, capture=poll.capture)
    if channel.status == "merged":
        return _store_look(connection, channel, poll, arrival)
    before = _before(connection, channel, poll, rules, now)
    changes = after_poll(before, poll, rules, arrival)
    note_poll(connection, before, poll, changes.result, arrival)
    _write(connection, channel, poll, changes, arrival)
    if poll.discovered is None or poll.failed is not None:
        return changes.result
    most = rules.feeds_per_site
    added = add_discovered(connection, channel, poll.discovered, now, most=most)
    return site_result(changes.result, poll, added, most)


def _store_look(
    connection: Connection, channel: KnownChannel, poll: ChannelPoll, arrival: Arrival
) -> PollResult:
    """A merged channel keeps no entries: it is only asked whether it still is the same feed."""
    notes = merging.store_look(connection, channel, poll, arrival)
    if poll.failed is None:
        return PollResult(url=channel.url, outcome=Success.UNCHANGED, notes=notes)
    return PollResult(url=channel.url, outcome=poll.failed.failure, notes=notes, detail=poll.failed.detail)


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def _before(
    connection: Connection, channel: KnownChannel, poll: ChannelPoll, rules: PollRules, now: datetime
) -> BeforePoll:
    """What is known, as far as this answer makes it matter."""
    if poll.failed is None and poll.discovered is not None:
        return BeforePoll(channel=channel, policy=rules.policy)
    new_address = seen_again(channel, poll.names if poll.failed else poll.moved_to)
    before = BeforePoll(
        channel=channel,
        policy=_priced(connection, channel, rules, now),
        entries=find_changes(connection, channel.id, poll.feed.entries if poll.feed else ()),
        at_new_address=merging.other_at(connection, channel, new_address) if new_address else None,
    )
    if poll.failed is not None:
        return replace(before, merged=merging.merged_into(connection, channel.id))
    if rules.websub:
        known = subscriptions.of_channel(connection, channel.id)
        tokens = secrets.token_urlsafe(24), secrets.token_urlsafe(32)
        before = replace(before, subscription=known, tokens=tokens)
    return _before_document(connection, before, poll)


def _before_document(connection: Connection, before: BeforePoll, poll: ChannelPoll) -> BeforePoll:
    channel = before.channel
    if channel.outcome == Success.NOT_MODIFIED and before.entries.new:
        known = validators_of(connection, [channel.id]).get(channel.id, {})
        before = replace(before, validators=known.get(poll.url))
    if may_show_gap(channel, poll, before.entries):
        before = replace(before, newest=newest_entries(connection, channel.id))
    if before.newest:
        before = replace(
            before,
            last_entry=last_entry(connection, channel.id),
            searched_in_vain=searched_in_vain(connection, channel.id),
        )
    if poll.feed is None or poll.partial or channel.apart:
        return before
    claimants = merging.claimants(connection, channel.id, identity_of(poll.feed, poll.url))
    listed = merging.listed(connection, [channel.id, *(one.id for one in claimants)]) if claimants else ()
    return replace(before, claimants=claimants, listed=frozenset(listed))


def _priced(connection: Connection, channel: KnownChannel, rules: PollRules, now: datetime) -> PollPolicy:
    """The policy with what a poll costs at present."""
    aim = rules.policy.aim
    if aim is None or rules.budget is None or channel.every:
        return rules.policy
    price = price_of_poll(connection, rules.budget, float(aim.fairness), now)
    return replace(rules.policy, aim=replace(aim, price=price))


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def _write(
    connection: Connection, channel: KnownChannel, poll: ChannelPoll, changes: PollChanges, arrival: Arrival
) -> None:
    if changes.gap is not None:
        save_new_gap(connection, channel.id, changes.gap, arrival)
    if changes.subscription is not None:
        subscriptions.keep(connection, changes.subscription)
    _write_entries(connection, channel, changes, replace(arrival, datings=changes.datings))
    if changes.moves_to is not None:
        merging.take_address(connection, channel.id, changes.moves_to)
    if changes.swaps_with is not None:
        change(connection, changes.swaps_with, **place(channel.url))
    _write_channel(connection, channel.id, changes)
    if changes.validators is not None:
        _save_validators(connection, channel.id, poll.url, changes.validators)
    if changes.home is not None:
        home = WantedRequisite(url=changes.home, kind=HOME, via=poll.url)
        want(connection, [home], now=arrival.now, max_age=timedelta())
    if changes.merge is not None:
        merging.store_merge(connection, changes.merge)


def _write_entries(
    connection: Connection, channel: KnownChannel, changes: PollChanges, arrival: Arrival
) -> None:
    if changes.entries is None or changes.stagger is None:
        return
    store_changes(connection, channel.id, changes.entries, arrival, changes.stagger)
    vanished = note_document(
        connection, channel, changes.entries, recorded=arrival.recorded, is_whole=changes.is_whole
    )
    look_now(connection, vanished, VANISHED, arrival.now)


def _write_channel(connection: Connection, channel_id: int, changes: PollChanges) -> None:
    values = {"polled_channel": channel_id, "new_entries": changes.result.new}
    connection.execute(_COUNTED, values | dict(changes.fields))


# Done at every poll: to put them together each time takes longer than to do them.
_COUNTED = (
    update(channels)
    .where(channels.c.id == bindparam("polled_channel"))
    .values(polls=channels.c.polls + 1, entries=channels.c.entries + bindparam("new_entries"))
)
_FORGET_VALIDATORS = delete(validators).where(
    validators.c.channel_id == bindparam("channel"), validators.c.url == bindparam("address")
)


def _save_validators(connection: Connection, channel_id: int, url: str, new: Validators) -> None:
    connection.execute(_FORGET_VALIDATORS, {"channel": channel_id, "address": url})
    if (new.etag or new.last_modified) and len(url) <= LONGEST_URL:
        values = {"etag": new.etag, "last_modified": new.last_modified, "capture": new.capture}
        connection.execute(insert(validators).values(channel_id=channel_id, url=url, **values))
