"""Entries: which of a feed's are new or changed, and the pages that they ask for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import BindParameter, bindparam, insert, select, update

from archiver.acquisition.pages import EntryOutcome
from archiver.batches import batches
from archiver.documents.feeds.entries import KnownEntry, compare, identify, with_zones
from archiver.documents.parts import is_zone, part_of_key
from archiver.store.campaigns.entries import take_entries
from archiver.store.content.parts import read_from_archive
from archiver.store.schema import entries, pages
from archiver.urls import host_of, request_url

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection

    from archiver.acquisition.channels.polls import Arrival, PageStagger
    from archiver.documents.feeds.entries import EntryChanges, IdentifiedEntry
    from archiver.documents.feeds.model import FeedEntry

# By then a wiki shows a change to those who ask, whatever its cache and its clock. A guess.
_SHOWN_WITHIN = timedelta(minutes=5)


def find_changes(connection: Connection, channel_id: int, found: Iterable[FeedEntry]) -> EntryChanges:
    """Compare a feed's entries with what is known of its channel."""
    current = identify(found)
    known = known_entries(connection, channel_id, current)
    times = Counter(entry.place for entry in known.values())
    by_link = {one.place: one for one in known.values() if one.place and times[one.place] == 1}
    return compare(current, {entry.key: entry for entry in known.values()}, by_link)


def known_entries(
    connection: Connection, channel_id: int, current: Sequence[IdentifiedEntry]
) -> dict[int, KnownEntry]:
    """The channel's entries that have a key or a link of these."""
    known: dict[int, KnownEntry] = {}
    for query, wanted in (
        (_KNOWN_BY_KEY, [entry.key for entry in current]),
        (_KNOWN_BY_LINK, [entry.link_key for entry in current if entry.link_key]),
    ):
        for some in batches(wanted):
            rows = connection.execute(query, {"channel": channel_id, "wanted": some})
            known |= {row.id: KnownEntry(**row._mapping) for row in rows}  # noqa: SLF001 - public API in spite of its name
    return known


# Asked at every poll, as some others below: to put them together each time takes longer than to answer them.
_CHANNEL: BindParameter[int] = bindparam("channel")
_WANTED: BindParameter[list[str]] = bindparam("wanted", expanding=True)
_KNOWN = select(
    entries.c.id,
    entries.c.key,
    entries.c.link_key,
    entries.c.digest,
    pages.c.url,
    pages.c.key.label("page_key"),
).outerjoin(pages, pages.c.id == entries.c.page_id)
_KNOWN_BY_KEY = _KNOWN.where(entries.c.channel_id == _CHANNEL, entries.c.key.in_(_WANTED))
_KNOWN_BY_LINK = _KNOWN.where(entries.c.channel_id == _CHANNEL, entries.c.link_key.in_(_WANTED))


def store_changes(
    connection: Connection, channel_id: int, changes: EntryChanges, arrival: Arrival, turns: PageStagger
) -> None:
    """New and changed entries wait for their pages."""
    for known, entry in changes.renamed:
        connection.execute(update(entries).where(entries.c.id == known.id).values(key=entry.key))
    pairs = [(known, _at_known_part(known, entry)) for known, entry in changes.changed]
    changed = [entry for _, entry in pairs]
    own = known_links(connection, channel_id, {entry.link_key for entry in changes.new if entry.link_key})
    # Where the channel announces several on one page, each is a part of it.
    arrived = with_zones(changes.new, own)
    known_pages = _known_pages(connection, [*changed, *arrived])
    wanted = {entry.page_key: arrival.now for entry in changed}
    # Where another channel announced a page before, it is fetched once.
    archived = {page.key for page in known_pages.values() if page.is_archived}
    # Where this one did, as with a page on which everything is announced, something new is on it.
    archived -= _own_pages(connection, channel_id, archived)
    answered = {one.key for one in arrived if _is_answered(one, known_pages, archived, arrival)}
    new = [entry for entry in arrived if entry.key not in answered]
    wanted |= {entry.page_key: turns.of(number, arrival.now) for number, entry in enumerate(new)}
    moved = _articles_of_moved(connection, pairs)
    page_ids = _ask_for(connection, [*changed, *new], wanted, known_pages, moved)
    parts = {entry.page_key for entry in new if entry.page_key and entry.part and entry.link_key not in own}
    read_from_archive(connection, channel_id, parts)
    for known, entry in pairs:
        values = _values(entry, page_ids, arrival) | {"changed": arrival.recorded}
        connection.execute(update(entries).where(entries.c.id == known.id).values(**values))
    rows = [
        _values(entry, page_ids, arrival, answered) | {"changed": _asks_since(entry, known_pages, arrival)}
        for entry in arrived
    ]
    for some in batches(rows):
        fixed = {
            "channel_id": channel_id,
            "first_seen": arrival.recorded,
            "found_by": arrival.found_by,
        }
        connection.execute(insert(entries), [fixed | row for row in some])
    take_entries(connection, channel_id, arrival.recorded, arrival.now)


def _is_answered(
    entry: IdentifiedEntry, known: Mapping[str, _KnownPage], archived: Collection[str], arrival: Arrival
) -> bool:
    """Whether what an entry announces is in the archive: of a change, its page as it has been since."""
    if not entry.is_change:
        return entry.page_key in archived
    page, since = known.get(entry.page_key or ""), _asks_since(entry, known, arrival)
    return bool(page and since and page.is_archived and page.captured and page.captured >= since)


def _asks_since(entry: IdentifiedEntry, known: Mapping[str, _KnownPage], arrival: Arrival) -> datetime | None:
    """For a change of a page that is known: only a capture from then on answers it."""
    if not entry.is_change or entry.page_key not in known:
        return None
    made = entry.entry.updated.utc if entry.entry.updated else None
    return min(made + _SHOWN_WITHIN, arrival.recorded) if made else arrival.recorded


def _at_known_part(known: KnownEntry, entry: IdentifiedEntry) -> IdentifiedEntry:
    """A changed entry stays with what was read for it, also where that was its whole page."""
    part = part_of_key(known.page_key or "")
    is_same = known.page_key and known.link_key == entry.link_key and (not part or is_zone(part))
    return replace(entry, part=part) if is_same else entry


def _articles_of_moved(
    connection: Connection, changed: Iterable[tuple[KnownEntry, IdentifiedEntry]]
) -> dict[str, int]:
    """The articles of entries that lead elsewhere now, by their new links' keys.

    The page behind the new link is compared with it: the same text is the same article.
    """
    moved = {known.id: entry.page_key for known, entry in changed if known.link_key != entry.link_key}
    found: dict[str, int] = {}
    for some in batches(list(moved)):
        query = select(entries.c.id, pages.c.article_id).join(pages, pages.c.id == entries.c.page_id)
        for row in connection.execute(query.where(entries.c.id.in_(some), pages.c.article_id.is_not(None))):
            key = moved[row.id]
            if key is not None:
                found[key] = row.article_id
    return found


def known_links(connection: Connection, channel_id: int, wanted: Collection[str]) -> set[str]:
    """Those of these keys of addresses that entries of the channel lead to."""
    found: set[str] = set()
    for some in batches(sorted(wanted)):
        rows = connection.execute(_KNOWN_LINKS, {"channel": channel_id, "wanted": some})
        found.update(rows.scalars())
    return found


_KNOWN_LINKS = select(entries.c.link_key).where(
    entries.c.channel_id == _CHANNEL, entries.c.link_key.in_(_WANTED)
)


def _own_pages(connection: Connection, channel_id: int, wanted: Collection[str]) -> set[str]:
    """Those of these pages, or parts of pages, that entries of the channel lead to, by their keys."""
    found: set[str] = set()
    query = select(pages.c.key).join(entries, entries.c.page_id == pages.c.id)
    for some in batches(sorted(wanted)):
        mine = query.where(entries.c.channel_id == channel_id, pages.c.key.in_(some))
        found.update(connection.execute(mine).scalars())
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _KnownPage:
    id: int
    key: str
    state: str
    is_archived: bool
    captured: datetime | None


def _known_pages(connection: Connection, wanted: Sequence[IdentifiedEntry]) -> dict[str, _KnownPage]:
    found: dict[str, _KnownPage] = {}
    keys = [entry.page_key for entry in wanted if entry.page_key]
    for some in batches(keys):
        for row in connection.execute(_KNOWN_PAGES, {"wanted": some}):
            found[row.key] = _KnownPage(
                id=row.id,
                key=row.key,
                state=row.state,
                is_archived=row.state == "settled" and row.article_id is not None,
                captured=row.captured,
            )
    return found


_KNOWN_PAGES = select(pages.c.id, pages.c.key, pages.c.state, pages.c.article_id, pages.c.captured).where(
    pages.c.key.in_(_WANTED)
)


def _ask_for(
    connection: Connection,
    wanting: Sequence[IdentifiedEntry],
    wanted: dict[str | None, datetime],
    known: dict[str, _KnownPage],
    moved: Mapping[str, int],
) -> dict[str, int]:
    """Make the pages of these entries pending, as far as they do not wait already; the number of each."""
    page_ids = {key: page.id for key, page in known.items()}
    new: dict[str, dict[str, object]] = {}
    for entry in wanting:
        key = entry.page_key
        if entry.link is None or key is None:
            continue
        ask = {"state": "pending", "next_try": wanted[key], "tries": 0}
        page = known.get(key)
        if page is None:
            url = request_url(entry.link)
            whole = entry.link_key if entry.part else None
            values = {"key": key, "url": url, "host": host_of(url), "whole": whole}
            new.setdefault(key, values | ask | {"article_id": moved.get(key)})
        elif page.state == "settled":
            connection.execute(update(pages).where(pages.c.id == page.id).values(**ask))
    for some in batches(list(new.values())):
        added = connection.execute(insert(pages).returning(pages.c.key, pages.c.id), some)
        page_ids |= {row.key: row.id for row in added}
    return page_ids


def _values(
    entry: IdentifiedEntry, page_ids: dict[str, int], arrival: Arrival, answered: Collection[str] = ()
) -> dict[str, Any]:
    page_id = page_ids.get(entry.page_key) if entry.page_key else None
    outcome = None
    if page_id is None:
        outcome = EntryOutcome.NO_LINK
    elif entry.key in answered:
        outcome = EntryOutcome.UNCHANGED
    return {
        "key": entry.key,
        "link_key": entry.link_key,
        "page_id": page_id,
        "entry": entry.entry,
        "digest": entry.digest,
        "changed": None,
        "feed_capture": arrival.capture,
        "dating": arrival.datings.get(entry.key),
        "pending": outcome is None,
        "outcome": outcome,
        "settled": arrival.recorded if outcome else None,
    }
