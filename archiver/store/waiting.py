"""The entries that pages are read with: those that wait for them, or else those of before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from archiver.articles.leads import WaitingEntry
from archiver.store.schema import channels, entries, pages, sightings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Select


# Enough of the other entries to tell a phrase that stands in all of them.
_SIBLINGS = 10


def waiting_entries(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[WaitingEntry, ...]]:
    """The pending entries of each page, those of the channel that is known longest in front."""
    query = _ENTRIES.add_columns(entries.c.page_id).where(entries.c.page_id.in_(page_ids), entries.c.pending)
    found: dict[int, tuple[WaitingEntry, ...]] = {}
    for page_id, entry in _by(connection, query, "page_id"):
        found[page_id] = (*found.get(page_id, ()), entry)
    return found


def past_entries(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[WaitingEntry, ...]]:
    """For pages that no entry waits for, the one that they were read with."""
    if not page_ids:
        return {}
    query = _ENTRIES.add_columns(entries.c.page_id).where(entries.c.page_id.in_(page_ids))
    found: dict[int, tuple[WaitingEntry, ...]] = {}
    for page_id, entry in _by(connection, query, "page_id"):
        found.setdefault(page_id, (entry,))
    return found


def article_entries(connection: Connection, article_ids: Sequence[int]) -> dict[int, WaitingEntry]:
    """An entry for each article, of the channel that is known longest."""
    found = entries_of_articles(connection, article_ids)
    return {article_id: announced[0] for article_id, announced in found.items()}


def entries_of_articles(
    connection: Connection, article_ids: Sequence[int]
) -> dict[int, tuple[WaitingEntry, ...]]:
    """The entries that led to each article, those of the channel that is known longest in front."""
    query = _ENTRIES.add_columns(pages.c.article_id).join(pages, pages.c.id == entries.c.page_id)
    found: dict[int, tuple[WaitingEntry, ...]] = {}
    for article_id, entry in _by(connection, query.where(pages.c.article_id.in_(article_ids)), "article_id"):
        found[article_id] = (*found.get(article_id, ()), entry)
    return found


_NOT_BEFORE = (
    select(func.min(sightings.c.not_before)).where(sightings.c.entry_id == entries.c.id).scalar_subquery()
)
_ENTRIES = (
    select(
        entries.c.id,
        entries.c.entry,
        entries.c.first_seen,
        entries.c.feed_capture,
        entries.c.channel_id,
        channels.c.url.label("channel_url"),
        channels.c.title.label("channel_title"),
        channels.c.language.label("channel_language"),
        channels.c.link.label("channel_link"),
        entries.c.found_by,
        entries.c.dating,
        _NOT_BEFORE.label("not_before"),
    )
    .join(channels, channels.c.id == entries.c.channel_id)
    # By channel, not by moment: which of two polls was answered first must not decide what is extracted.
    .order_by(entries.c.channel_id, entries.c.id)
)


def _by(connection: Connection, query: Select[Any], name: str) -> Iterator[tuple[int, WaitingEntry]]:
    for row in connection.execute(query):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001 - public API in spite of its name
        yield values.pop(name), WaitingEntry(**values)


def summaries_of(connection: Connection, channel_id: int) -> dict[int, str]:
    """The summaries of a channel's newest entries, by entry."""
    newest = select(entries.c.id, entries.c.entry).where(entries.c.channel_id == channel_id)
    rows = connection.execute(newest.order_by(entries.c.id.desc()).limit(_SIBLINGS))
    return {row.id: row.entry.summary for row in rows if row.entry.summary}
