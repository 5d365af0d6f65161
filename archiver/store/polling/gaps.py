"""Gaps: noted when a poll shows them, asked for one document at a time, ended."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, case, func, insert, select, update

from archiver.acquisition.channels.gaps.notice import EXAMPLES, EarlierEntry
from archiver.acquisition.targets import GapAsk
from archiver.documents.lists.addresses import own_links
from archiver.documents.lists.model import Bounds, GapState, Way
from archiver.store.schema import channels, entries, gaps

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.channels.gaps.notice import NewGap
    from archiver.acquisition.channels.polls import Arrival

# Of the entries of a channel, so many tell whether words come again and how its addresses look.
_LOOKED_AT = 200
# What was published before the first poll, asked for by hand: no entry lies before it.
BEFORE_ALL = -1
IS_HISTORY = gaps.c.after_entry == BEFORE_ALL


# ── Noticing ─────────────────────────────────────────────────────────────────────────────────────────────


def newest_entries(connection: Connection, channel_id: int) -> list[EarlierEntry]:
    """The entries that a channel's documents showed last, the last one first."""
    found = connection.execute(_NEWEST_ENTRIES, {"channel": channel_id})
    return [EarlierEntry(id=row.id, entry=row.entry) for row in found]


# Asked at many polls: made once.
_NEWEST_ENTRIES = (
    select(entries.c.id, entries.c.entry)
    # What was found elsewhere came later, and is older.
    .where(entries.c.channel_id == bindparam("channel"), entries.c.found_by.is_(None))
    .order_by(entries.c.id.desc())
    .limit(_LOOKED_AT)
)


def last_entry(connection: Connection, channel_id: int) -> int:
    """The number of the entry that came last, wherever it was found."""
    query = select(func.max(entries.c.id)).where(entries.c.channel_id == channel_id)
    return connection.execute(query).scalar() or 0


def searched_in_vain(connection: Connection, channel_id: int) -> datetime | None:
    """When the last gap for which the site was asked was seen, if that gave nothing."""
    query = select(gaps.c.state, gaps.c.seen).where(
        gaps.c.channel_id == channel_id, gaps.c.documents > 0, ~IS_HISTORY
    )
    last = connection.execute(query.order_by(gaps.c.id.desc()).limit(1)).first()
    return last.seen if last is not None and last.state == GapState.UNFILLABLE else None


def save_new_gap(connection: Connection, channel_id: int, gap: NewGap, arrival: Arrival) -> None:
    values = {field.name: getattr(gap, field.name) for field in fields(gap)}
    noted = {"channel_id": channel_id, "seen": arrival.recorded, "next_try": arrival.now}
    connection.execute(insert(gaps).values(**noted, **values))


# ── Asking ───────────────────────────────────────────────────────────────────────────────────────────────


# Of a channel's open gaps the newest: what is found there lies above the others, and must be known for them.
# A history, which may take days, waits for all of them.
_NEWEST = (
    select(func.coalesce(func.max(case((~IS_HISTORY, gaps.c.id))), func.max(gaps.c.id)))
    .where(gaps.c.state == GapState.OPEN)
    .group_by(gaps.c.channel_id)
)
# A channel that the operator stopped is left alone; one whose feed is gone may still have an archive.
_FILLABLE = and_(gaps.c.id.in_(_NEWEST), channels.c.status.in_(("active", "retired")))


def pending_gaps(
    connection: Connection, now: datetime | None, *, limit: int, busy: Collection[int]
) -> list[GapAsk]:
    """The next document of each open gap, the longest waiting first; with no `now`, due or not."""
    query = (
        select(gaps, channels.c.url, channels.c.link)
        .join(channels, channels.c.id == gaps.c.channel_id)
        .where(_FILLABLE)
    )
    if now is not None:
        query = query.where(gaps.c.next_try <= now)
    query = query.order_by(gaps.c.next_try, gaps.c.id).limit(limit + len(busy))
    rows = [row for row in connection.execute(query) if row.id not in busy][:limit]
    return [_gap_ask(connection, row) for row in rows]


def _gap_ask(connection: Connection, row: Row[Any]) -> GapAsk:
    ask = row.plan.waiting[0]
    examples: tuple[str, ...] = ()
    if ask.way in {Way.LISTING, Way.SITEMAP}:
        links = [one.entry.link for one in newest_entries(connection, row.channel_id) if one.entry.link]
        examples = tuple(own_links(links, row.url, row.link)[:EXAMPLES])
    return GapAsk(
        id=row.id,
        channel_id=row.channel_id,
        channel_url=row.url,
        ask=ask,
        tries=row.tries,
        examples=examples,
        since=row.after,
    )


def next_gap_try(connection: Connection) -> datetime | None:
    """When the next document of a gap may be asked for."""
    query = select(gaps.c.next_try).join(channels, channels.c.id == gaps.c.channel_id).where(_FILLABLE)
    return connection.execute(query.order_by(gaps.c.next_try).limit(1)).scalar()


def open_gap(connection: Connection, gap_id: int) -> Row[Any] | None:
    query = select(gaps).where(gaps.c.id == gap_id, gaps.c.state == GapState.OPEN)
    return connection.execute(query).first()


def bounds_of(row: Row[Any]) -> Bounds:
    return Bounds(after=row.after, floor=row.floor)


def save_gap(connection: Connection, gap_id: int, **values: object) -> None:
    connection.execute(update(gaps).where(gaps.c.id == gap_id).values(**values))


# ── Telling ──────────────────────────────────────────────────────────────────────────────────────────────


def count_open_gaps(connection: Connection) -> int:
    query = select(func.count()).where(gaps.c.state == GapState.OPEN, ~IS_HISTORY)
    return connection.execute(query).scalar_one()


def gaps_by_channel(connection: Connection) -> dict[int, dict[str, int]]:
    """How many gaps of each state every channel has had."""
    query = select(gaps.c.channel_id, gaps.c.state, func.count()).where(~IS_HISTORY)
    found: dict[int, dict[str, int]] = {}
    for channel_id, state, count in connection.execute(query.group_by(gaps.c.channel_id, gaps.c.state)):
        found.setdefault(channel_id, {})[state] = count
    return found
