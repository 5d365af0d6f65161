"""Which channels are polled now: by their time, by hand, or since a setting changed that they failed for."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, exists, func, literal, select, true, tuple_, update

from archiver.acquisition.channels.confirming import to_confirm
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.targets import DueChannel
from archiver.batches import batches
from archiver.display.when import when
from archiver.store.leaving_out import none_of
from archiver.store.polling.channels import soonest, validators_of
from archiver.store.reliability.validators import trusted_of_channels
from archiver.store.schema import channels, listings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row, Select

_MANY = 20_000  # channels of a seeds file: to list them all takes longer than to ask of each that is due
_MOST_AT_ONCE = 2000  # channels that are read with one query
# On a connection: which seeds files name many. Either way of asking gives the same: it may be a little old.
_COUNTED = "channels of seeds files"
_COUNTED_FOR = 60.0
_ACTIVE = channels.c.status == "active"
# Asked now and then whether it still is the feed that it was merged into.
_MERGED = channels.c.status == "merged"
# Asked now and then whether it came back, unless its server said that it will not.
_RETIRED = (channels.c.status == "retired") & (channels.c.outcome != Failure.GONE)
BY_HAND = "asked for by hand"


# ── By their time ────────────────────────────────────────────────────────────────────────────────────────


def due_channels(
    connection: Connection,
    now: datetime,
    *,
    limit: int,
    busy: Collection[int],
    sources: Sequence[str] | None,
    not_since: datetime | None,
    hosts: HostLimit | None = None,
    moment: datetime | None = None,
) -> list[DueChannel]:
    """The channels whose time has come and that were not polled since, the longest waiting first.

    `moment` is the machine's time, where feeds that nothing but 304s confirmed for long are asked for whole.
    """
    names = ("id", "url", "kind", "host", "next_poll", "status", "outcome")
    query = select(*(channels.c[name] for name in names)).where(channels.c.next_poll <= now)
    if not_since is not None:
        query = query.where(channels.c.last_poll.is_(None) | (channels.c.last_poll < not_since))
    query = query.order_by(channels.c.next_poll, channels.c.id)
    picked = _Picked(limit=limit, busy=busy, hosts=hosts or HostLimit(most=limit))
    # One after the other: each is read in the order of the index.
    for polled in _polled(connection, sources):
        picked.take(connection, query.where(*polled))
    # What a merged channel shows is compared, so the whole of it is asked for.
    known = validators_of(connection, [row.id for row in picked.rows if row.status != "merged"])
    if moment is not None:
        outcomes = {row.id: row.outcome for row in picked.rows}
        known = {number: to_confirm(outcomes[number], its, moment) for number, its in known.items()}
    known = trusted_of_channels(connection, known, now)
    return [
        DueChannel(id=row.id, url=row.url, kind=row.kind, host=row.host, validators=known.get(row.id, {}))
        for row in picked.rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimit:
    """How many channels of a host may be polled at a time: none takes the places of the others."""

    most: int
    polled: Sequence[str] = ()  # the hosts of those that are being polled
    without: Collection[str] = ()  # hosts of which none is polled here


class _Picked:
    """Channels that are handed out together, so many of each host."""

    def __init__(self, *, limit: int, busy: Collection[int], hosts: HostLimit) -> None:
        self.rows: list[Row[Any]] = []
        self._limit = limit
        self._asked = limit + len(busy)
        self._busy = frozenset(busy)
        self._at_host = Counter(hosts.polled)
        self._per_host = hosts.most
        self._without = hosts.without

    def take(self, connection: Connection, query: Select[Any]) -> None:
        """Ask for those after the last that was seen, until there is no room or no other.

        Hosts that have enough are left out by the database; nothing is read twice, also where a hundred
        thousand channels of such a host have waited the longest.
        """
        after: ColumnElement[bool] = true()
        is_more, asked = True, self._asked
        while is_more and len(self.rows) < self._limit:
            full = [host for host, count in self._at_host.items() if count >= self._per_host]
            full += self._without
            found = connection.execute(
                query.where(after, none_of(connection, channels.c.host, full)).limit(asked)
            ).all()
            for row in found:
                self._take(row)
            is_more = len(found) == asked
            after = _comes_after(found[-1]) if found else after
            # Where many of a few hosts fell due at once, few of them fit: not as many queries.
            asked = max(asked, min(2 * asked, _MOST_AT_ONCE))

    def _take(self, row: Row[Any]) -> None:
        has_room = len(self.rows) < self._limit and self._at_host[row.host] < self._per_host
        if has_room and row.id not in self._busy:
            self.rows.append(row)
            self._at_host[row.host] += 1


def _comes_after(row: Row[Any]) -> ColumnElement[bool]:
    return tuple_(channels.c.next_poll, channels.c.id) > tuple_(
        literal(row.next_poll, channels.c.next_poll.type), literal(row.id)
    )


def pollable_channels(connection: Connection) -> list[DueChannel]:
    """Every channel, due or not."""
    rows = connection.execute(select(channels.c.id, channels.c.url, channels.c.kind).order_by(channels.c.id))
    return [DueChannel(id=row.id, url=row.url, kind=row.kind, validators={}) for row in rows]


def count_due(
    connection: Connection, now: datetime, sources: Sequence[str] | None, *, not_since: datetime | None
) -> int:
    """How many channels are to be polled at a time."""
    query = select(func.count()).where(channels.c.next_poll <= now)
    if not_since is not None:
        query = query.where(channels.c.last_poll.is_(None) | (channels.c.last_poll < not_since))
    groups = _polled(connection, sources)
    return sum(connection.execute(query.where(*polled)).scalar_one() for polled in groups)


def count_failing(connection: Connection, since: datetime) -> int:
    """How many of the channels that were polled since then fail."""
    query = select(func.count()).where(channels.c.last_poll >= since, channels.c.failures > 0)
    return connection.execute(query).scalar_one()


def next_due(connection: Connection, sources: Sequence[str] | None) -> datetime | None:
    """When the next channel falls due."""
    query = select(channels.c.next_poll).order_by(channels.c.next_poll).limit(1)
    moments = [connection.execute(query.where(*polled)).scalar() for polled in _polled(connection, sources)]
    return min((moment for moment in moments if moment is not None), default=None)


def channels_of(sources: Sequence[str]) -> Select[int]:
    return select(listings.c.channel_id).where(listings.c.source.in_(sources))


def _polled(
    connection: Connection, sources: Sequence[str] | None
) -> Iterator[tuple[ColumnElement[bool], ColumnElement[bool]]]:
    """Which channels are polled, one status after the other, with the seeds files that must list them."""
    listed = listed_in(connection, sources)
    yield _ACTIVE, listed
    yield _RETIRED, listed
    # A seeds file that lists it lists the channel that it was merged into.
    yield _MERGED, true() if sources is None else _named_by(sources, channels.c.merged_into)


def listed_in(connection: Connection, sources: Sequence[str] | None) -> ColumnElement[bool]:
    """Only the channels that these seeds files name, and the feeds found on their sites."""
    if sources is None:
        return true()
    if _are_many(connection, sources):
        return _named_by(sources, channels.c.id) | _named_by(sources, channels.c.site_id)
    mine = channels_of(sources)
    return channels.c.id.in_(mine) | channels.c.site_id.in_(mine)


def _are_many(connection: Connection, sources: Sequence[str]) -> bool:
    """Whether these files name many channels; counted now and then, for that takes longer than to ask."""
    known: dict[tuple[str, ...], _Counted] = connection.info.setdefault(_COUNTED, {})
    found = known.get(tuple(sources))
    if found is None or time.monotonic() - found.at > _COUNTED_FOR:
        some = channels_of(sources).limit(_MANY).subquery()
        count = connection.execute(select(func.count()).select_from(some)).scalar_one()
        found = known[tuple(sources)] = _Counted(at=time.monotonic(), are_many=count == _MANY)
    return found.are_many


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    at: float
    are_many: bool


def _named_by(sources: Sequence[str], number: ColumnElement[int]) -> ColumnElement[bool]:
    # Asked of each channel that is looked at: where many are meant, these are soon found.
    return exists().where(listings.c.channel_id == number, listings.c.source.in_(sources)).correlate(channels)


def failing_share(connection: Connection, sources: Sequence[str] | None, since: datetime) -> float:
    """How much of what is polled with these files fails, and was found to fail by polls since this moment.

    Of all these channels and of those that were polled, the lower share: one failing channel that happens to
    be polled alone says nothing of the others, and others that were not polled say nothing of this run.
    """
    fails, polled = channels.c.failures > 0, channels.c.last_poll >= since
    counts = [func.sum(case((what, 1), else_=0)) for what in (fails, polled, fails & polled)]
    mine = (channels.c.status == "active") & listed_in(connection, sources)
    row = connection.execute(select(func.count(), *counts).where(mine)).one()
    listed, failing, polled_now, failed_now = (int(number or 0) for number in row)
    return min(failing / listed, failed_now / polled_now) if polled_now else 0.0


# ── Before their time ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeDue:
    """What became of channels that were to be polled now."""

    due: int = 0
    # Address and moment of those whose server asked for rest (Retry-After), the first one first.
    waiting: tuple[tuple[str, datetime], ...] = ()
    # The addresses of those that are not polled at all any more.
    retired: tuple[str, ...] = ()

    def held_in_words(self, now: datetime) -> list[str]:
        """Which channels were asked for and are not polled now, and why."""
        told = []
        if self.waiting:
            url, until = self.waiting[0]
            why = "its server asked for rest (Retry-After)"
            told.append(f"Not polled now{_others(self.waiting)}: {url}, {why}; due {when(until, now)}")
        if self.retired:
            why = "it is retired; `scrapy channels resume` brings it back"
            told.append(f"Not polled now{_others(self.retired)}: {self.retired[0]}, {why}")
        return told


def _others(some: Sequence[object]) -> str:
    return f", with {len(some) - 1} others" if len(some) > 1 else ""


def poll_now(
    connection: Connection,
    now: datetime,
    *,
    sources: Sequence[str] | None = None,
    ids: Collection[int] | None = None,
    failing: bool = False,
) -> MadeDue:
    """Make these channels due; all those of `sources` where no `ids` are given."""
    fit: ColumnElement[bool] = channels.c.failures > 0 if failing else true()
    groups = [listed_in(connection, sources)]
    if ids is not None:
        groups = [channels.c.id.in_(some) for some in batches(sorted(ids))]
    found = [_make_due(connection, fit & group, now) for group in groups]
    return MadeDue(
        due=sum(one.due for one in found),
        waiting=tuple(sorted((pair for one in found for pair in one.waiting), key=lambda pair: pair[1])),
        retired=tuple(url for one in found for url in one.retired),
    )


def _make_due(connection: Connection, wanted: ColumnElement[bool], now: datetime) -> MadeDue:
    active = wanted & (channels.c.status == "active")
    # What has waited the longest stays first.
    late = active & (channels.c.next_poll > soonest(now))
    connection.execute(update(channels).where(late).values(next_poll=soonest(now), why=BY_HAND))
    due = select(func.count()).select_from(channels).where(active, channels.c.next_poll <= now)
    waiting = select(channels.c.url, channels.c.next_poll).where(active, channels.c.next_poll > now)
    retired = select(channels.c.url).where(wanted, channels.c.status == "retired").order_by(channels.c.id)
    return MadeDue(
        due=connection.execute(due).scalar_one(),
        waiting=tuple((row.url, row.next_poll) for row in connection.execute(waiting)),
        retired=tuple(connection.execute(retired).scalars()),
    )


def settings_changed(
    connection: Connection, causes: Mapping[str, str], now: datetime, sources: Sequence[str] | None = None
) -> list[str]:
    """Make those channels due that failed under other settings, perhaps because of them; their addresses."""
    found: list[str] = []
    mine = listed_in(connection, sources)
    for failure, digest in causes.items():
        failed = (channels.c.status == "active") & (channels.c.failures > 0) & (channels.c.outcome == failure)
        changed = mine & failed & (channels.c.cause != digest) & (channels.c.next_poll > soonest(now))
        found += connection.execute(select(channels.c.url).where(changed)).scalars()
        why = f"{failure}, and a setting has changed since that may have been the reason"
        connection.execute(update(channels).where(changed).values(next_poll=soonest(now), why=why))
    return found


def next_up(connection: Connection, sources: Sequence[str] | None) -> Row[Any, Any, Any] | None:
    """The channel that is polled next: its address, when, and why then."""
    query = select(channels.c.url, channels.c.next_poll, channels.c.why)
    query = query.where(listed_in(connection, sources)).order_by(channels.c.next_poll).limit(1)
    rows = [connection.execute(query.where(polled)).first() for polled in (_ACTIVE, _RETIRED)]
    return min((row for row in rows if row is not None), key=lambda row: row.next_poll, default=None)


def labelled(connection: Connection, label: str) -> list[int]:
    """The numbers of the channels that have this label."""
    rows = connection.execute(select(channels.c.id, channels.c.labels).order_by(channels.c.id))
    return [row.id for row in rows if label in row.labels]


def family(connection: Connection, channel_id: int) -> list[int]:
    """A channel and, where it is a site, the feeds that were found on it."""
    mine = (channels.c.id == channel_id) | (channels.c.site_id == channel_id)
    return list(connection.execute(select(channels.c.id).where(mine).order_by(channels.c.id)).scalars())
