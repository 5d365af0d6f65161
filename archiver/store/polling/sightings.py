"""Sightings: from when to when a feed listed each of its entries, as far as its documents tell."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, or_, select, update

from archiver.acquisition.channels.sightings import ListedEntry, document_seen
from archiver.batches import batches
from archiver.store.schema import absences, entries, pages, sightings, versions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.channels.polls import KnownChannel
    from archiver.archive.warc.records import Capture
    from archiver.documents.feeds.entries import EntryChanges
    from archiver.documents.feeds.model import FeedEntry

# ── Noting ───────────────────────────────────────────────────────────────────────────────────────────────


def note_document(
    connection: Connection,
    channel: KnownChannel,
    changes: EntryChanges,
    *,
    recorded: datetime,
    is_whole: bool,
) -> tuple[int, ...]:
    """Note which entries came with a document and which went; to be called when its entries are stored.

    Answers with the pages of those that went from its middle.

    `channel` is as it was before this poll. Its last success was a document, or a 304 that confirmed one:
    what was listed is known to have been listed then.
    """
    listed = _listed(connection, channel.id)
    last_look = channel.last_success if channel.kind == "feed" else None
    was_noted = bool(listed) or _has_any(connection, channel.id)
    seen = document_seen(listed, changes, last_look=last_look, is_whole=is_whole, was_noted=was_noted)
    _note_gone(connection, seen.gone, last_look or recorded, recorded)
    values = {key: {"seen": recorded, **asdict(one)} for key, one in seen.came.items()}
    _add(connection, channel.id, values)
    return seen.vanished


def note_missed(connection: Connection, channel_id: int, keys: Sequence[str], gap_seen: datetime) -> None:
    """Note entries that no document had: they came and went between the two around a gap."""
    query = select(func.max(sightings.c.not_before)).where(
        sightings.c.channel_id == channel_id, sightings.c.seen == gap_seen
    )
    before = connection.execute(query).scalar()
    if before is None:
        return
    fixed = {"not_before": before, "seen": gap_seen, "left": gap_seen}
    _add(connection, channel_id, {key: fixed | {"place": place} for place, key in enumerate(keys)})


def _listed(connection: Connection, channel_id: int) -> dict[str, ListedEntry]:
    """Each entry that was there when the feed was last looked at, by its key."""
    rows = connection.execute(_LISTED, {"channel": channel_id})
    return {
        row.key: ListedEntry(sighting_id=row.id, page_id=row.page_id, place=row.place, seen=row.seen)
        for row in rows
    }


# Asked at every poll: made once.
_LISTED = (
    select(entries.c.key, entries.c.page_id, sightings.c.id, sightings.c.place, sightings.c.seen)
    .join(entries, entries.c.id == sightings.c.entry_id)
    .where(sightings.c.channel_id == bindparam("channel"), sightings.c.left.is_(None))
)
_ANY = select(sightings.c.id).where(sightings.c.channel_id == bindparam("channel")).limit(1)
_NUMBERS = select(entries.c.key, entries.c.id).where(
    entries.c.channel_id == bindparam("channel"), entries.c.key.in_(bindparam("keys", expanding=True))
)


def _has_any(connection: Connection, channel_id: int) -> bool:
    return connection.execute(_ANY, {"channel": channel_id}).first() is not None


def _note_gone(connection: Connection, gone: Sequence[int], after: datetime, left: datetime) -> None:
    for some in batches(gone):
        ended = update(sightings).where(sightings.c.id.in_(some))
        connection.execute(ended.values(left_after=after, left=left))


def _add(connection: Connection, channel_id: int, values: Mapping[str, dict[str, object]]) -> None:
    for some in batches(list(values)):
        found = connection.execute(_NUMBERS, {"channel": channel_id, "keys": some})
        rows = [values[key] | {"entry_id": number, "channel_id": channel_id} for key, number in found]
        if rows:
            connection.execute(insert(sightings), rows)


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def first_seen(connection: Connection, channel_id: int) -> datetime | None:
    """When the first document came of which anything was noted."""
    query = select(func.min(sightings.c.seen)).where(sightings.c.channel_id == channel_id)
    found: datetime | None = connection.execute(query).scalar()
    return found


def moments_seen(connection: Connection, channel_id: int, most: int) -> list[datetime]:
    """When documents came that brought anything: the newest of these moments, the oldest of them first."""
    found: list[datetime] = []
    while len(found) < most:
        # One step through the index for each: a document may have brought a thousand entries.
        query = select(func.max(sightings.c.seen)).where(sightings.c.channel_id == channel_id)
        earlier = query.where(sightings.c.seen < found[-1]) if found else query
        moment = connection.execute(earlier).scalar()
        if moment is None:
            break
        found.append(moment)
    return found[::-1]


def spans_at(connection: Connection, channel_id: int, at: datetime) -> list[SightingSpan]:
    """The spans that reach to a moment, and those that begin with the next document that brought anything."""
    own = sightings.c.channel_id == channel_id
    later = connection.execute(select(func.min(sightings.c.seen)).where(own, sightings.c.seen > at)).scalar()
    # Not the bare column: by the index on it, all that was ever seen before would be looked at.
    seen = func.coalesce(sightings.c.seen, sightings.c.seen)
    query = (
        select(sightings, entries.c.entry)
        .join(entries, entries.c.id == sightings.c.entry_id)
        .where(own, seen <= (later or at))
    )
    reach = (sightings.c.left.is_(None), sightings.c.left > at)
    return [_span(row) for one in reach for row in connection.execute(query.where(one))]


def _span(row: Row[Any]) -> SightingSpan:
    published = row.entry.published
    return SightingSpan(
        entry_id=row.entry_id,
        place=row.place,
        not_before=row.not_before,
        seen=row.seen,
        left_after=row.left_after,
        left=row.left,
        published=published.utc if published else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionAt:
    """The version of an article that was current at a moment, and where its object is."""

    version: int
    capture: Capture
    object_file: str
    object_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryAt:
    """An entry, and what was known of its article at a moment."""

    id: int
    key: str
    entry: FeedEntry  # as the last document had it
    changed: datetime | None  # when it came to be so; None: from the first
    feed_capture: Capture | None
    version: VersionAt | None = None  # None: nothing was captured by then
    # How the article was missing, and since when at the latest.
    gone: str | None = None
    gone_since: datetime | None = None


def entries_at(connection: Connection, ids: Sequence[int], at: datetime) -> dict[int, EntryAt]:
    """These entries, each with the version of its article that was current then."""
    found: dict[int, EntryAt] = {}
    for some in batches(ids):
        query = (
            select(entries, pages.c.article_id)
            .outerjoin(pages, pages.c.id == entries.c.page_id)
            .where(entries.c.id.in_(some))
        )
        rows = connection.execute(query).all()
        articles = {row.article_id for row in rows if row.article_id is not None}
        current, gone = _versions_at(connection, articles, at), _gone_at(connection, articles, at)
        for row in rows:
            one = replace(_entry(row), version=current.get(row.article_id))
            if row.article_id in gone:
                one = replace(one, gone=gone[row.article_id].how, gone_since=gone[row.article_id].gone)
            found[row.id] = one
    return found


def _entry(row: Row[Any]) -> EntryAt:
    return EntryAt(
        id=row.id, key=row.key, entry=row.entry, changed=row.changed, feed_capture=row.feed_capture
    )


def _versions_at(connection: Connection, articles: Collection[int], at: datetime) -> dict[int, VersionAt]:
    # By the time of the captures: what was imported may have a higher number than a later version.
    order = (versions.c.captured.desc(), versions.c.version.desc())
    rank = func.row_number().over(partition_by=versions.c.article_id, order_by=order)
    ranked = (
        select(versions.c.article_id, versions.c.version, rank.label("rank"))
        .where(versions.c.article_id.in_(articles), versions.c.captured <= at)
        .subquery()
    )
    newest = select(ranked).where(ranked.c.rank == 1).subquery()
    query = select(
        versions.c.article_id, versions.c.version, versions.c.capture,
        versions.c.object_file, versions.c.object_offset,
    ).join(
        newest,
        (newest.c.article_id == versions.c.article_id) & (newest.c.version == versions.c.version),
    )  # fmt: skip
    return {
        row.article_id: VersionAt(
            version=row.version,
            capture=row.capture,
            object_file=row.object_file,
            object_offset=row.object_offset,
        )
        for row in connection.execute(query)
    }


def _gone_at(connection: Connection, articles: Collection[int], at: datetime) -> dict[int, Row[Any]]:
    query = select(absences).where(
        absences.c.article_id.in_(articles),
        absences.c.gone <= at,
        or_(absences.c.back.is_(None), absences.c.back > at),
    )
    return {row.article_id: row for row in connection.execute(query)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SightingSpan:
    """For how long a feed listed an entry: it came between the first two, and went between the others."""

    entry_id: int
    place: int  # in the document that first showed it
    not_before: datetime | None  # None: it was not looked at before
    seen: datetime
    left_after: datetime | None  # None where `left` is not: no document ever showed it
    left: datetime | None
    published: datetime | None = None  # as the feed says
