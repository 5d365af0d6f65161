"""What hosts and channels have given today, what waits since that is enough, and hosts with long delays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from archiver.acquisition.hosts import Rest
from archiver.batches import batches
from archiver.documents.lists.model import GapState
from archiver.store.schema import channels, day_uses, entries, gaps, host_rests, pages, requisites, sitemaps
from archiver.store.workers import worker_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import ColumnElement, Connection, Insert

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_MB = 1 << 20
HOST, CHANNEL = "host", "channel"
# Beside them, of all hosts together: how many requests were answered for requisites, and for all else.
ASKED, REQUISITES, OTHERS = "asked", "requisites", "others"
# On a connection: the day for which those before were forgotten.
_TODAY = "day_uses"
# Pages that are put off in one transaction: others want to write meanwhile.
_AT_ONCE = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """What the operator allows for each day; 0: any amount."""

    host_pages: int = 0
    host_mb: int = 0
    channel_pages: int = 0
    channel_mb: int = 0

    @property
    def are_set(self) -> bool:
        return bool(self.host_pages or self.host_mb or self.channel_pages or self.channel_mb)


NO_QUOTAS = Quotas()


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What came of a host, for a channel; a poll is not a page."""

    host: str
    channel_id: int = 0  # 0: for none of them
    pages: int = 1
    size: int = 0  # in bytes
    is_requisite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A host or a channel that has given enough for today."""

    kind: str
    name: str
    setting: str  # the limit that was reached, as the operator knows it
    limit: int
    until: datetime

    @property
    def told(self) -> str:
        return (
            f"{self.name} has reached {self.setting} = {self.limit}:"
            f" what is left waits until {self.until:%Y-%m-%d %H:%M} UTC"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """What was reached, and whether more waits to be put off."""

    reached: tuple[Reached, ...] = ()
    is_more: bool = False


def day_of(now: datetime) -> int:
    return (now - _EPOCH) // _DAY


def count(connection: Connection, uses: Iterable[Use], now: datetime) -> None:
    """Add what came to what came before on this day, and forget the days before."""
    sums: dict[tuple[str, str], list[int]] = {}
    worker = worker_of(connection)
    # All of them count requests, each in a row of its own: none waits for another.
    mine = f"@{worker.id}" if worker is not None else ""
    for use in uses:
        names = [(HOST, use.host), *([(CHANNEL, str(use.channel_id))] if use.channel_id else [])]
        for name in names:
            total = sums.setdefault(name, [0, 0])
            total[0] += use.pages
            total[1] += use.size
        total = sums.setdefault((ASKED, (REQUISITES if use.is_requisite else OTHERS) + mine), [0, 0])
        total[0] += max(1, use.pages)
        total[1] += use.size
    if not sums:
        return
    today = day_of(now)
    if connection.info.get(_TODAY) != today:  # once a day and connection: it is seldom that there are any
        connection.execute(delete(day_uses).where(day_uses.c.day < today))
        connection.info[_TODAY] = today
    rows = [
        {"day": today, "kind": kind, "name": name, "pages": total[0], "bytes": total[1]}
        # In one order, so that two writers never wait for each other.
        for (kind, name), total in sorted(sums.items())
    ]
    _add(connection, rows)


def _add(connection: Connection, rows: Sequence[dict[str, object]]) -> None:
    connection.execute(_addition(is_sqlite=connection.dialect.name == "sqlite"), rows)


@cache
def _addition(*, is_sqlite: bool) -> Insert:
    # Not both at the top: what is known of PostgreSQL takes a twentieth of a second to load.
    dialect = import_module(f"sqlalchemy.dialects.{'sqlite' if is_sqlite else 'postgresql'}")
    new = dialect.insert(day_uses)
    more = {name: day_uses.c[name] + new.excluded[name] for name in ("pages", "bytes")}
    added: Insert = new.on_conflict_do_update(index_elements=["day", "kind", "name"], set_=more)
    return added


def count_pages(connection: Connection, page_ids: Sequence[int], now: datetime) -> None:
    """Count pages that were just captured, for their hosts and the channels that they are read with."""
    uses = [
        Use(host=row.host, channel_id=max(0, row.scope_id), pages=row.pages, size=int(row.size or 0))
        for row in connection.execute(_CAPTURED, {"ids": page_ids})
    ]
    count(connection, uses, now)


# Asked for with every few captures: to put it together each time would take longer than to answer it.
_CAPTURED = (
    select(pages.c.host, pages.c.scope_id, func.count().label("pages"), func.sum(pages.c.size).label("size"))
    .where(pages.c.id.in_(bindparam("ids", expanding=True)))
    .group_by(pages.c.host, pages.c.scope_id)
)


def asked_today(connection: Connection, now: datetime) -> tuple[int, int]:
    """How many requests this day had for requisites, and for all else."""
    query = select(day_uses.c.name, day_uses.c.pages).where(
        day_uses.c.day == day_of(now), day_uses.c.kind == ASKED
    )
    counts: Counter[str] = Counter()
    for row in connection.execute(query):
        counts[row.name.partition("@")[0]] += row.pages
    return counts[REQUISITES], counts[OTHERS]


def count_other(connection: Connection, page_id: int, size: int, now: datetime) -> None:
    """Count an answer in the place of a page: an error, or something that is not read."""
    query = select(pages.c.host, _ITS_CHANNEL.label("channel_id")).where(pages.c.id == page_id)
    row = connection.execute(query).one()
    count(connection, [Use(host=row.host, channel_id=row.channel_id or 0, size=size)], now)


def hold_back(connection: Connection, quotas: Quotas, now: datetime) -> HeldBack:
    """Put off to tomorrow what is due of hosts and channels that have given enough for today."""
    found = _reached(connection, quotas, now)
    if not found:
        return HeldBack()
    until = _EPOCH + (day_of(now) + 1) * _DAY
    hosts = [one.name for one in found if one.kind == HOST]
    ids = [int(one.name) for one in found if one.kind == CHANNEL]
    put_off = _put_off_pages(connection, hosts, ids, now, until)
    _put_off_others(connection, hosts, ids, now, until)
    # A feed is polled on after a limit of pages: what it shows would be missed.
    _put_off_polls(connection, [one for one in found if one.setting.endswith("_MB_PER_DAY")], now, until)
    return HeldBack(reached=_named(connection, found), is_more=put_off == _AT_ONCE)


def _reached(connection: Connection, quotas: Quotas, now: datetime) -> list[Reached]:
    """Bytes before pages: of two limits the one that holds back more is told."""
    until = _EPOCH + (day_of(now) + 1) * _DAY
    limits = (
        (HOST, "bytes", quotas.host_mb, "HOST_MB_PER_DAY"),
        (HOST, "pages", quotas.host_pages, "HOST_PAGES_PER_DAY"),
        (CHANNEL, "bytes", quotas.channel_mb, "CHANNEL_MB_PER_DAY"),
        (CHANNEL, "pages", quotas.channel_pages, "CHANNEL_PAGES_PER_DAY"),
    )
    found: dict[tuple[str, str], Reached] = {}
    for kind, what, limit, setting in limits:
        most = limit * _MB if what == "bytes" else limit
        query = select(day_uses.c.name).where(
            day_uses.c.day == day_of(now), day_uses.c.kind == kind, day_uses.c[what] >= most
        )
        for name in connection.execute(query.order_by(day_uses.c.name)).scalars() if limit else ():
            one = Reached(kind=kind, name=name, setting=setting, limit=limit, until=until)
            found.setdefault((kind, name), one)
    return list(found.values())


def _named(connection: Connection, found: Sequence[Reached]) -> tuple[Reached, ...]:
    """With the addresses of channels in the place of their numbers."""
    ids = [int(one.name) for one in found if one.kind == CHANNEL]
    query = select(channels.c.id, channels.c.url).where(channels.c.id.in_(ids))
    urls = {str(row.id): row.url for row in connection.execute(query)}
    return tuple(
        Reached(
            kind=one.kind,
            name=urls.get(one.name, one.name) if one.kind == CHANNEL else one.name,
            setting=one.setting,
            limit=one.limit,
            until=one.until,
        )
        for one in found
    )


# The channel that a page would be counted for.
_ITS_CHANNEL = (
    select(func.min(entries.c.channel_id))
    .where(entries.c.page_id == pages.c.id, entries.c.pending)
    .correlate(pages)
    .scalar_subquery()
)


def _put_off_pages(
    connection: Connection, hosts: Sequence[str], ids: Sequence[int], now: datetime, until: datetime
) -> int:
    """How many were put off; those that are not due cost nothing, however many they are."""
    whose: list[ColumnElement[bool]] = [pages.c.host.in_(hosts)]
    if ids:
        whose.append(_ITS_CHANNEL.in_(ids))
    due = select(pages.c.id).where(pages.c.state == "pending", pages.c.next_try <= now, or_(*whose))
    found = connection.execute(due.limit(_AT_ONCE)).scalars().all()
    if found:
        connection.execute(update(pages).where(pages.c.id.in_(found)).values(next_try=until))
    # Known articles that are due wait without being asked for.
    known = (pages.c.state == "settled") & (pages.c.recheck <= now)
    later = known & or_(pages.c.host.in_(hosts), pages.c.scope_id.in_(ids))
    connection.execute(
        update(pages)
        .where(later)
        .values(recheck=until, why="its host or channel has given enough for the day")
    )
    return len(found)


def _put_off_others(
    connection: Connection, hosts: Sequence[str], ids: Sequence[int], now: datetime, until: datetime
) -> None:
    needed = (requisites.c.state == "pending") & (requisites.c.next_try <= now) & requisites.c.host.in_(hosts)
    connection.execute(update(requisites).where(needed).values(next_try=until))
    told = (sitemaps.c.next_ask <= now) & sitemaps.c.host.in_(hosts)
    connection.execute(update(sitemaps).where(told).values(next_ask=until))
    theirs = select(channels.c.id).where(or_(channels.c.host.in_(hosts), channels.c.id.in_(ids)))
    asked = (gaps.c.state == GapState.OPEN) & (gaps.c.next_try <= now) & gaps.c.channel_id.in_(theirs)
    connection.execute(update(gaps).where(asked).values(next_try=until))


def _put_off_polls(connection: Connection, found: Sequence[Reached], now: datetime, until: datetime) -> None:
    polled = channels.c.status.in_(("active", "retired", "merged")) & (channels.c.next_poll <= now)
    for one in found:
        its = channels.c.host == one.name if one.kind == HOST else channels.c.id == int(one.name)
        why = f"{one.setting} = {one.limit} is reached for this {one.kind}"
        connection.execute(update(channels).where(polled, its).values(next_poll=until, why=why))


# More are forgotten, those first that were asked longest ago.
_MOST_HOSTS = 10_000


def note_rest(connection: Connection, host: str, delay: float, moment: datetime) -> None:
    """A host has just answered, and wants so many seconds until it is asked again."""
    connection.execute(delete(host_rests).where(host_rests.c.host == host))
    connection.execute(insert(host_rests).values(host=host, asked=moment, delay=delay))


def resting_hosts(connection: Connection, moment: datetime) -> dict[str, Rest]:
    """The hosts that are not to be asked yet; the others are forgotten."""
    rows = connection.execute(select(host_rests).order_by(host_rests.c.asked.desc())).all()
    rests = {row.host: Rest(delay=row.delay, left=_left(row.asked, row.delay, moment)) for row in rows}
    found = {host: rest for host, rest in list(rests.items())[:_MOST_HOSTS] if rest.left > 0}
    for some in batches([host for host in rests if host not in found]):
        connection.execute(delete(host_rests).where(host_rests.c.host.in_(some)))
    return found


def _left(asked: datetime, delay: float, moment: datetime) -> float:
    """Seconds until it may be asked: never more than it wants, also where a clock was ahead."""
    return min(delay, (asked + timedelta(seconds=delay) - moment).total_seconds())
