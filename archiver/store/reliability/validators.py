"""Validators of hosts: what was seen of them, and which go with the next requests."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import select

from archiver.acquisition.channels.confirming import was_untrue
from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Success
from archiver.acquisition.pages import PageValidators
from archiver.acquisition.reliability.validators import (
    Given,
    Validator,
    ValidatorRecord,
    after_look,
    after_not_modified,
    is_check_due,
    is_sent,
    looks_of,
)
from archiver.batches import batches
from archiver.store.polling.channels import validators_of
from archiver.store.reliability.writing import put
from archiver.store.schema import host_validators
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.channels.polls import Arrival, BeforePoll, PollResult
    from archiver.acquisition.items import ChannelPoll
    from archiver.acquisition.reliability.validators import ValidatorLook
    from archiver.acquisition.targets import PendingPage

    HostRecords = dict[tuple[str, Validator], ValidatorRecord]

_SENT = (Validator.ETAG, Validator.LAST_MODIFIED)
_NAMES = tuple(column.name for column in host_validators.columns if not column.primary_key)
AnyValidators = TypeVar("AnyValidators", Validators, PageValidators)


def records_of(connection: Connection, hosts: Collection[str]) -> HostRecords:
    found: HostRecords = {}
    for some in batches(sorted(set(hosts))):
        for row in connection.execute(select(host_validators).where(host_validators.c.host.in_(some))):
            values = {name: getattr(row, name) for name in _NAMES}
            found[row.host, Validator(row.validator)] = ValidatorRecord(**values)
    return found


def save_records(connection: Connection, records: HostRecords) -> None:
    rows: list[dict[str, Any]] = [
        {"host": host, "validator": validator.value} | {name: getattr(record, name) for name in _NAMES}
        # In one order, so that two writers never wait for each other.
        for (host, validator), record in sorted(records.items())
    ]
    put(connection, host_validators, rows)


# ── What was seen ────────────────────────────────────────────────────────────────────────────────────────


class ValidatorNotes:
    """Notes what answers say of validators: one read and one write for many of them."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._looks: list[tuple[str, Mapping[Validator, ValidatorLook]]] = []
        self._not_modified: defaultdict[tuple[str, Validator], int] = defaultdict(int)

    def not_modified(self, host: str, given: Given) -> None:
        """A 304, to the validators that were sent."""
        for validator, value in (
            (Validator.ETAG, given.etag),
            (Validator.LAST_MODIFIED, given.last_modified),
        ):
            self._not_modified[host, validator] += bool(value)

    def whole(self, host: str, looks: Mapping[Validator, ValidatorLook]) -> None:
        self._looks.append((host, looks))

    def save(self, connection: Connection) -> None:
        places = {(host, one) for host, looks in self._looks for one in looks}
        places |= {place for place, times in self._not_modified.items() if times}
        if not places:
            return
        known = records_of(connection, [host for host, _ in places])
        records = {place: known.get(place, ValidatorRecord()) for place in places}
        for host, looks in self._looks:
            for one, look in looks.items():
                records[host, one] = after_look(records[host, one], look, self._now)
        # Which of them came first is not known: counted last, they are checked sooner.
        for place, times in self._not_modified.items():
            if times:
                records[place] = after_not_modified(records[place], times)
        save_records(connection, records)


def note_poll(
    connection: Connection, before: BeforePoll, poll: ChannelPoll, result: PollResult, arrival: Arrival
) -> None:
    """What a poll says of the validators of its host: those that its last document came with."""
    if poll.failed is not None or poll.discovered is not None or poll.partial:
        return
    known = validators_of(connection, [before.channel.id]).get(before.channel.id, {}).get(poll.url)
    if known is None:
        return
    notes, host = ValidatorNotes(arrival.now), host_of(poll.url)
    old = Given(etag=known.etag, last_modified=known.last_modified)
    if poll.feed is None:
        notes.not_modified(host, old)
    else:
        # Entries that were there while it answered 304, whatever their validators are by now.
        is_untrue = was_untrue(before, poll, arrival.recorded)
        given = (
            old
            if is_untrue
            else Given(etag=poll.validators.etag, last_modified=poll.validators.last_modified)
        )
        is_same = bool(poll.capture and known.capture and poll.capture.shares_payload(known.capture))
        is_vouched = before.channel.outcome == Success.NOT_MODIFIED
        is_edited = bool(result.new or result.changed)
        notes.whole(host, looks_of(old, given, is_same=is_same, is_edited=is_edited, is_vouched=is_vouched))
    notes.save(connection)


# ── What is sent ─────────────────────────────────────────────────────────────────────────────────────────


def with_trusted(connection: Connection, pages: Sequence[PendingPage], now: datetime) -> list[PendingPage]:
    """Pages to ask for, without validators that lied; and now and then one of a host without any."""
    # Of the address that gave them, which may be on another host than the one that is asked first.
    hosts = {host_of(page.validators.url) for page in pages if page.validators is not None}
    records = records_of(connection, hosts) if hosts else {}
    if not records:
        return list(pages)
    checked: set[str] = set()
    return [_asked(page, records, checked, now) for page in pages]


def _asked(page: PendingPage, records: HostRecords, checked: set[str], now: datetime) -> PendingPage:
    if page.validators is None:
        return page
    host = host_of(page.validators.url)
    known = [records.get((host, one), ValidatorRecord()) for one in _SENT]
    if host not in checked and any(map(is_check_due, known)):
        checked.add(host)
        return replace(page, validators=None)
    return replace(page, validators=trusted(page.validators, host, records, now))


def trusted_of_channels(
    connection: Connection, known: Mapping[int, Mapping[str, Validators]], now: datetime
) -> dict[int, dict[str, Validators]]:
    """What requests for feeds may be conditional on, by channel and address."""
    records = records_of(connection, {host_of(url) for its in known.values() for url in its})
    return {
        number: {
            url: left
            for url, one in its.items()
            if (left := trusted(one, host_of(url), records, now)) is not None
        }
        for number, its in known.items()
    }


def trusted(given: AnyValidators, host: str, records: HostRecords, now: datetime) -> AnyValidators | None:
    """The validators without those that are not sent to this host; None: nothing is left."""
    lied = {one for one in _SENT if not is_sent(records.get((host, one), ValidatorRecord()), now)}
    etag = None if Validator.ETAG in lied else given.etag
    last_modified = None if Validator.LAST_MODIFIED in lied else given.last_modified
    return replace(given, etag=etag, last_modified=last_modified) if etag or last_modified else None
