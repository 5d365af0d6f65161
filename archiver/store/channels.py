"""Channels: which are due, what a poll changed, what an operator wants."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, delete, exists, func, insert, literal, select, true, tuple_, update

from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.seeds import Seed
from archiver.acquisition.seeds.model import BY_HAND
from archiver.acquisition.targets import DueChannel
from archiver.store.confirming import to_confirm
from archiver.store.moving import known_as, place
from archiver.store.schema import channels, listings, validators
from archiver.urls import LONGEST_URL

_REMOVED = "removed by hand"
_MOST_DIGITS = 19  # of a number that every database takes
_MANY = 20_000  # channels of a seeds file: to list them all takes longer than to ask of each that is due

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from archiver.acquisition.channels.polling.schedule import NextPoll
    from archiver.documents.feeds.discover import DiscoveredFeed

_ACTIVE = channels.c.status == "active"
# Asked now and then whether it came back, unless its server said that it will not.
# Asked now and then whether it still is the feed that it was merged into.
_MERGED = channels.c.status == "merged"
_RETIRED = (channels.c.status == "retired") & (channels.c.outcome != Failure.GONE)


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
    known = _validators_of(connection, [row.id for row in picked.rows if row.status != "merged"])
    if moment is not None:
        outcomes = {row.id: row.outcome for row in picked.rows}
        known = {number: to_confirm(outcomes[number], its, moment) for number, its in known.items()}
    return [
        DueChannel(id=row.id, url=row.url, kind=row.kind, host=row.host, validators=known.get(row.id, {}))
        for row in picked.rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimit:
    """How many channels of a host may be polled at a time: none takes the places of the others."""

    most: int
    polled: Sequence[str] = ()  # the hosts of those that are being polled


class _Picked:
    """Channels that are handed out together, so many of each host."""

    def __init__(self, *, limit: int, busy: Collection[int], hosts: HostLimit) -> None:
        self.rows: list[Row[Any]] = []
        self._limit = limit
        self._asked = limit + len(busy)
        self._busy = frozenset(busy)
        self._at_host = Counter(hosts.polled)
        self._per_host = hosts.most

    def take(self, connection: Connection, query: Select[Any]) -> None:
        """Ask for those after the last that was seen, until there is no room or no other.

        Hosts that have enough are left out by the database; nothing is read twice, also where a hundred
        thousand channels of such a host have waited the longest.
        """
        after: ColumnElement[bool] = true()
        is_more = True
        while is_more and len(self.rows) < self._limit:
            full = [host for host, count in self._at_host.items() if count >= self._per_host]
            found = connection.execute(
                query.where(after, channels.c.host.not_in(full)).limit(self._asked)
            ).all()
            for row in found:
                self._take(row)
            is_more = len(found) == self._asked
            after = _comes_after(found[-1]) if found else after

    def _take(self, row: Row[Any]) -> None:
        has_room = len(self.rows) < self._limit and self._at_host[row.host] < self._per_host
        if has_room and row.id not in self._busy:
            self.rows.append(row)
            self._at_host[row.host] += 1


def _comes_after(row: Row[Any]) -> ColumnElement[bool]:
    return tuple_(channels.c.next_poll, channels.c.id) > tuple_(
        literal(row.next_poll, channels.c.next_poll.type), literal(row.id)
    )


def _validators_of(connection: Connection, ids: list[int]) -> Mapping[int, Mapping[str, Validators]]:
    found: dict[int, dict[str, Validators]] = {}
    for row in connection.execute(select(validators).where(validators.c.channel_id.in_(ids))):
        known = Validators(etag=row.etag, last_modified=row.last_modified, capture=row.capture)
        found.setdefault(row.channel_id, {})[row.url] = known
    return found


def pollable_channels(connection: Connection) -> list[DueChannel]:
    """Every channel, due or not."""
    rows = connection.execute(select(channels.c.id, channels.c.url, channels.c.kind).order_by(channels.c.id))
    return [DueChannel(id=row.id, url=row.url, kind=row.kind, validators={}) for row in rows]


def seeds_of(connection: Connection) -> list[Seed]:
    """The channels as somebody named them, without those that were discovered on sites."""
    rows = connection.execute(select(channels).where(channels.c.site_id.is_(None)).order_by(channels.c.id))
    return [
        Seed(url=row.seed_url, labels=row.labels, every=every_of(row), source="replay", line=row.id)
        for row in rows
    ]


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


def polled_first() -> tuple[ColumnElement[bool], ...]:
    """Which channels are polled: those that are well or may be, then those that are asked now and then."""
    return _ACTIVE, _RETIRED


def soonest(now: datetime) -> ColumnElement[datetime]:
    """Now, or when a server that asked for rest has had it: Retry-After gives way to nothing."""
    moment = literal(now, channels.c.next_poll.type)
    return case((channels.c.not_before > now, channels.c.not_before), else_=moment)


def channels_of(sources: Sequence[str]) -> Select[int]:
    return select(listings.c.channel_id).where(listings.c.source.in_(sources))


def _polled(
    connection: Connection, sources: Sequence[str] | None
) -> Iterator[tuple[ColumnElement[bool], ColumnElement[bool]]]:
    """Which channels are polled, one status after the other, with who must list them."""
    listed = listed_in(connection, sources)
    yield _ACTIVE, listed
    yield _RETIRED, listed
    # Whoever lists it lists the channel that it was merged into.
    yield _MERGED, true() if sources is None else _named_by(sources, channels.c.merged_into)


def listed_in(connection: Connection, sources: Sequence[str] | None) -> ColumnElement[bool]:
    """Only the channels that these seeds files name, and the feeds found on their sites."""
    if sources is None:
        return true()
    mine = channels_of(sources)
    count = connection.execute(select(func.count()).select_from(mine.limit(_MANY).subquery())).scalar_one()
    if count < _MANY:
        return channels.c.id.in_(mine) | channels.c.site_id.in_(mine)
    return _named_by(sources, channels.c.id) | _named_by(sources, channels.c.site_id)


def _named_by(sources: Sequence[str], number: ColumnElement[int]) -> ColumnElement[bool]:
    # Asked of each channel that is looked at: where many are meant, these are soon found.
    return exists().where(listings.c.channel_id == number, listings.c.source.in_(sources)).correlate(channels)


def channel_row(connection: Connection, channel_id: int) -> Row[Any]:
    return connection.execute(select(channels).where(channels.c.id == channel_id)).one()


def save_poll(
    connection: Connection, channel_id: int, decision: NextPoll, now: datetime, **changes: object
) -> None:
    """Write what the poll changed: the schedule's decision and whatever the document said."""
    if decision.retired:
        changes["status"] = "retired"
    if decision.failures == 0:
        changes |= {"last_success": now, "failing_since": None}
    connection.execute(
        update(channels)
        .where(channels.c.id == channel_id)
        .values(
            last_poll=now,
            next_poll=decision.at,
            why=decision.why,
            failures=decision.failures,
            polls=channels.c.polls + 1,
            **changes,
        )
    )


def save_validators(connection: Connection, channel_id: int, url: str, new: Validators) -> None:
    connection.execute(
        delete(validators).where(validators.c.channel_id == channel_id, validators.c.url == url)
    )
    if (new.etag or new.last_modified) and len(url) <= LONGEST_URL:
        values = {"etag": new.etag, "last_modified": new.last_modified, "capture": new.capture}
        connection.execute(insert(validators).values(channel_id=channel_id, url=url, **values))


def add_discovered(
    connection: Connection, site: Row[Any], found: Iterable[DiscoveredFeed], now: datetime, *, most: int
) -> int:
    """Make channels of the feeds that a site names; they take its labels and interval.

    A site has at most so many: a page may name thousands, and others each time.
    """
    added = 0
    room = most - _count_of_site(connection, site.id)
    for feed in found:
        if added >= room:
            break
        if len(feed.url) > LONGEST_URL:
            continue
        known = known_as(connection, feed.url)
        if known is not None:
            added += _taken_back(connection, known, site.id, now)
            continue
        connection.execute(
            insert(channels).values(
                seed_url=feed.url,
                kind="feed",
                site_id=site.id,
                status="active",
                labels=site.labels,
                every=site.every,
                added=now,
                next_poll=now,
                why="never polled",
                title=feed.title,
                **place(feed.url),
            )
        )
        added += 1
    return added


def _taken_back(connection: Connection, channel_id: int, site_id: int, now: datetime) -> bool:
    """A feed that a seeds file dropped comes back with a site that names it; one removed by hand does not."""
    dropped = (channels.c.status == "unlisted") & func.coalesce(channels.c.why, "").not_like(f"{_REMOVED}%")
    values = {"status": "active", "site_id": site_id, "next_poll": soonest(now), "why": "found on a site"}
    done = connection.execute(update(channels).where(channels.c.id == channel_id, dropped).values(**values))
    return done.rowcount > 0


def _count_of_site(connection: Connection, site_id: int) -> int:
    query = select(func.count()).select_from(channels).where(channels.c.site_id == site_id)
    return int(connection.execute(query).scalar_one())


def has_channels(connection: Connection) -> bool:
    return connection.execute(select(channels.c.id).limit(1)).first() is not None


def was_ever_polled(connection: Connection) -> bool:
    """Whether any channel was: channels alone may have been added to a store that took a lost one's place."""
    query = select(channels.c.id).where(channels.c.last_poll.is_not(None))
    return connection.execute(query.limit(1)).first() is not None


def find_channel(connection: Connection, name: str) -> Row[Any] | None:
    """A channel by its number or URL."""
    by_url = (channels.c.seed_url == name) | (channels.c.url == name)
    wanted = channels.c.id == int(name) if name.isdecimal() and len(name) < _MOST_DIGITS else by_url
    return connection.execute(select(channels).where(wanted)).first()


def list_channels(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(channels).order_by(channels.c.id)).all()


def pause(connection: Connection, channel_id: int, now: datetime) -> None:
    """Not polled until it is resumed."""
    _change(connection, channel_id, status="paused", why=f"paused by hand on {now:%Y-%m-%d}")


def resume(connection: Connection, channel_id: int, now: datetime) -> None:
    """Due as soon as its server allows, whatever stopped it, also where no seeds file names it any more."""
    listed = select(listings.c.source).where(listings.c.channel_id == channel_id)
    if connection.execute(listed).first() is None:
        connection.execute(insert(listings).values(channel_id=channel_id, source=BY_HAND))
    # Who takes a channel out of another wants it apart; it would be merged again at its next poll.
    merged = select(channels.c.merged_into).where(channels.c.id == channel_id)
    if connection.execute(merged).scalar() is not None:
        _change(connection, channel_id, merged_into=None, apart=True)
    again = {"failures": 0, "failing_since": None, "why": "resumed by hand"}
    _change(connection, channel_id, status="active", next_poll=soonest(now), **again)


def sources_of(connection: Connection, channel_id: int) -> list[str]:
    """Who names a channel."""
    query = select(listings.c.source).where(listings.c.channel_id == channel_id)
    return list(connection.execute(query).scalars())


def sources_by_channel(connection: Connection) -> dict[int, list[str]]:
    """Who names each channel."""
    found: dict[int, list[str]] = {}
    query = select(listings.c.channel_id, listings.c.source).order_by(listings.c.source)
    for row in connection.execute(query):
        found.setdefault(row.channel_id, []).append(row.source)
    return found


def remove(connection: Connection, channel_id: int, now: datetime) -> None:
    """Not polled any more, nor its feeds if it is a site; everything that was kept stays."""
    connection.execute(delete(listings).where(listings.c.channel_id == channel_id))
    why = f"{_REMOVED} on {now:%Y-%m-%d}"
    family = (channels.c.id == channel_id) | (channels.c.site_id == channel_id)
    connection.execute(update(channels).where(family).values(status="unlisted", why=why))
    # With a site of its own it would come back at the next import.
    _change(connection, channel_id, site_id=None)


def _change(connection: Connection, channel_id: int, **values: object) -> None:
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))


def every_of(row: Row[Any]) -> timedelta | None:
    return timedelta(seconds=row.every) if row.every else None
