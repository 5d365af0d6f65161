"""Sightings: from when to when a feed listed each of its entries, as far as its documents tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import func, insert, or_, select, update

from archiver.rebuild.model import Span
from archiver.store.schema import entries, sightings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.feeds.entries import EntryChanges

T = TypeVar("T")
# Databases limit how many values one statement may carry.
_BATCH = 500


# ── Noting ───────────────────────────────────────────────────────────────────────────────────────────────


def note_document(
    connection: Connection, row: Row[Any], changes: EntryChanges, *, recorded: datetime, is_whole: bool
) -> None:
    """Note which entries came with a document and which went; to be called when its entries are stored.

    `row` is the channel before this poll. Its last success was a document, or a 304 that confirmed one:
    what was listed is known to have been listed then.
    """
    listed = _listed(connection, row.id)
    shown = set(changes.shown)
    last_look = row.last_success if row.kind == "feed" else None
    if is_whole and (gone := [number for key, number in listed.items() if key not in shown]):
        _note_gone(connection, gone, last_look or recorded, recorded)
    came = {key: place for place, key in enumerate(changes.shown) if key not in listed}
    if not came:
        return
    new = {entry.key for entry in changes.new}
    # What was known before anything was noted may have been listed for long.
    is_certain = new >= came.keys() or bool(listed) or _has_any(connection, row.id)
    fixed = {"channel_id": row.id, "seen": recorded}
    values = {
        key: fixed | {"place": place, "not_before": last_look if is_certain or key in new else None}
        for key, place in came.items()
    }
    _add(connection, row.id, values)


def note_missed(connection: Connection, channel_id: int, keys: Sequence[str], gap_seen: datetime) -> None:
    """Note entries that no document had: they came and went between the two around a gap."""
    query = select(func.max(sightings.c.not_before)).where(
        sightings.c.channel_id == channel_id, sightings.c.seen == gap_seen
    )
    before = connection.execute(query).scalar()
    if before is None:
        return
    fixed = {"channel_id": channel_id, "not_before": before, "seen": gap_seen, "left": gap_seen}
    _add(connection, channel_id, {key: fixed | {"place": place} for place, key in enumerate(keys)})


def _listed(connection: Connection, channel_id: int) -> dict[str, int]:
    """The sighting of each entry that was there when somebody last looked, by the entry's key."""
    query = (
        select(entries.c.key, sightings.c.id)
        .join(entries, entries.c.id == sightings.c.entry_id)
        .where(sightings.c.channel_id == channel_id, sightings.c.left.is_(None))
    )
    return {row.key: row.id for row in connection.execute(query)}


def _has_any(connection: Connection, channel_id: int) -> bool:
    query = select(sightings.c.id).where(sightings.c.channel_id == channel_id).limit(1)
    return connection.execute(query).first() is not None


def _note_gone(connection: Connection, gone: Sequence[int], after: datetime, left: datetime) -> None:
    for some in _batches(gone):
        ended = update(sightings).where(sightings.c.id.in_(some))
        connection.execute(ended.values(left_after=after, left=left))


def _add(connection: Connection, channel_id: int, values: Mapping[str, dict[str, object]]) -> None:
    for some in _batches(list(values)):
        query = select(entries.c.id, entries.c.key).where(
            entries.c.channel_id == channel_id, entries.c.key.in_(some)
        )
        rows = [values[row.key] | {"entry_id": row.id} for row in connection.execute(query)]
        if rows:
            connection.execute(insert(sightings), rows)


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def first_seen(connection: Connection, channel_id: int) -> datetime | None:
    """When the first document came of which anything was noted."""
    query = select(func.min(sightings.c.seen)).where(sightings.c.channel_id == channel_id)
    found: datetime | None = connection.execute(query).scalar()
    return found


def spans_at(connection: Connection, channel_id: int, at: datetime) -> list[Span]:
    """The spans that reach to a moment, and those that begin with the next document that brought anything."""
    own = sightings.c.channel_id == channel_id
    later = connection.execute(select(func.min(sightings.c.seen)).where(own, sightings.c.seen > at)).scalar()
    query = (
        select(sightings, entries.c.entry)
        .join(entries, entries.c.id == sightings.c.entry_id)
        .where(own, or_(sightings.c.left.is_(None), sightings.c.left > at))
        .where(sightings.c.seen <= (later or at))
    )
    return [_span(row) for row in connection.execute(query)]


def _span(row: Row[Any]) -> Span:
    published = row.entry.published
    return Span(
        entry_id=row.entry_id,
        place=row.place,
        not_before=row.not_before,
        seen=row.seen,
        left_after=row.left_after,
        left=row.left,
        published=published.utc if published else None,
    )


def _batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]
