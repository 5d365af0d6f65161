"""Channels made due before their time: by hand, or since a setting changed that they failed for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, true, update

from archiver.display.when import when
from archiver.store.batches import batches
from archiver.store.channels import listed_in, polled_first, soonest
from archiver.store.schema import channels

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

BY_HAND = "asked for by hand"


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
    rows = [connection.execute(query.where(polled)).first() for polled in polled_first()]
    return min((row for row in rows if row is not None), key=lambda row: row.next_poll, default=None)


def labelled(connection: Connection, label: str) -> list[int]:
    """The numbers of the channels that have this label."""
    rows = connection.execute(select(channels.c.id, channels.c.labels).order_by(channels.c.id))
    return [row.id for row in rows if label in row.labels]


def family(connection: Connection, channel_id: int) -> list[int]:
    """A channel and, where it is a site, the feeds that were found on it."""
    mine = (channels.c.id == channel_id) | (channels.c.site_id == channel_id)
    return list(connection.execute(select(channels.c.id).where(mine).order_by(channels.c.id)).scalars())
