"""Entries: which of a feed's are new or changed, and the pages that they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import insert, select, update

from archiver.feeds.entries import KnownEntry, compare, identify
from archiver.pages import EntryOutcome
from archiver.store.schema import entries, pages
from archiver.urls import host_of, request_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime, timedelta
    from typing import Any

    from sqlalchemy import Connection

    from archiver.feeds.entries import EntryChanges, IdentifiedEntry
    from archiver.feeds.model import FeedEntry
    from archiver.warc.records import Capture

T = TypeVar("T")
# Databases limit how many values one statement may carry.
_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """When and where entries were seen: the same for all of one poll."""

    recorded: datetime  # machine time
    now: datetime  # the schedule's time
    capture: Capture | None


def find_changes(connection: Connection, channel_id: int, found: Iterable[FeedEntry]) -> EntryChanges:
    """Compare a feed's entries with what is known of its channel."""
    current = identify(found)
    known: dict[int, KnownEntry] = {}
    for column, wanted in (
        (entries.c.key, [entry.key for entry in current]),
        (entries.c.link_key, [entry.link_key for entry in current if entry.link_key]),
    ):
        for some in _batches(wanted):
            query = select(entries.c.id, entries.c.key, entries.c.link_key, entries.c.digest).where(
                entries.c.channel_id == channel_id, column.in_(some)
            )
            known |= {row.id: KnownEntry(**row._mapping) for row in connection.execute(query)}  # noqa: SLF001 - public API in spite of its name
    by_link = {entry.link_key: entry for entry in known.values() if entry.link_key}
    return compare(current, {entry.key: entry for entry in known.values()}, by_link)


def store_changes(
    connection: Connection,
    channel_id: int,
    changes: EntryChanges,
    arrival: Arrival,
    pages_at_once: int,
    interval: timedelta,
) -> None:
    """New and changed entries wait for their pages; pages beyond `pages_at_once` wait for later polls."""
    for known, entry in changes.renamed:
        connection.execute(update(entries).where(entries.c.id == known.id).values(key=entry.key))
    for known, entry in changes.changed:
        page_id = _page(connection, entry, arrival.now)
        values = _values(entry, page_id, arrival)
        connection.execute(update(entries).where(entries.c.id == known.id).values(**values))
    rows = []
    for number, entry in enumerate(changes.new):
        turn = number // pages_at_once if pages_at_once else 0
        known_page = _archived_page(connection, entry)
        page_id = known_page or _page(connection, entry, arrival.now + turn * interval)
        values = _values(entry, page_id, arrival)
        if known_page:
            # Another channel announced this page before: it is fetched once.
            values |= {"pending": False, "outcome": EntryOutcome.UNCHANGED, "settled": arrival.recorded}
        rows.append({"channel_id": channel_id, "first_seen": arrival.recorded, **values})
    for some in _batches(rows):
        connection.execute(insert(entries), some)


def _archived_page(connection: Connection, entry: IdentifiedEntry) -> int | None:
    """The page of this entry, if an article was found on it before."""
    return connection.execute(
        select(pages.c.id).where(
            pages.c.key == entry.link_key, pages.c.state == "settled", pages.c.article_id.is_not(None)
        )
    ).scalar()


def _page(connection: Connection, entry: IdentifiedEntry, wanted: datetime) -> int | None:
    """The page that this entry asks for, made pending if it does not wait already."""
    if entry.link is None:
        return None
    row = connection.execute(select(pages.c.id, pages.c.state).where(pages.c.key == entry.link_key)).first()
    ask = {"state": "pending", "next_try": wanted, "tries": 0}
    if row is None:
        url = request_url(entry.link)
        result = connection.execute(
            insert(pages).values(key=entry.link_key, url=url, host=host_of(url), **ask)
        )
        return int(result.inserted_primary_key[0])  # type: ignore[index] # one row was inserted
    if row.state == "settled":
        connection.execute(update(pages).where(pages.c.id == row.id).values(**ask))
    return int(row.id)


def _values(entry: IdentifiedEntry, page_id: int | None, arrival: Arrival) -> dict[str, Any]:
    return {
        "key": entry.key,
        "link_key": entry.link_key,
        "page_id": page_id,
        "entry": entry.entry,
        "digest": entry.digest,
        "asked": arrival.recorded,
        "feed_capture": arrival.capture,
        "pending": page_id is not None,
        "outcome": EntryOutcome.NO_LINK if page_id is None else None,
        "settled": arrival.recorded if page_id is None else None,
    }


def _batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]
