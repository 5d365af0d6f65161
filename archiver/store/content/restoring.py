"""What a lost state store knew, written again: pages with their captures, articles and versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select

from archiver.acquisition.channels.polls import Arrival, PageStagger
from archiver.acquisition.findings import Settlement
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.rechecks.watching import Watched, age_of
from archiver.articles.leads import CHANNELS
from archiver.documents.feeds.entries import EntryChanges, identify
from archiver.documents.feeds.model import FeedEntry
from archiver.store.content.articles import add_versions, find_articles, seen_again
from archiver.store.content.leads import FoundPage, lead_to, scope_of
from archiver.store.content.pages import FreshCapture, mark_captured, settle
from archiver.store.content.twins import TwinFinder
from archiver.store.looks.watching import watch
from archiver.store.object_files import save_object_length
from archiver.store.polling.channels import change
from archiver.store.polling.entries import store_changes
from archiver.store.schema import articles, channels, entries, gaps, metadata, pages, versions
from archiver.urls import redact, same_page_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Select

    from archiver.acquisition.findings import KnownArticle
    from archiver.acquisition.rechecks.watching import RecheckRules
    from archiver.archive.warc.records import Capture
    from archiver.store.content.articles import NewVersion

# How entries were found that no feed of the archive shows any more.
_FOUND_BY = "recovered"
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage:
    """A page, and the entry that it is looked up by."""

    id: int
    key: str
    entry_id: int | None = None
    article_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredLead:
    """What led to a page, as far as WARC and objects tell: an entry of a channel, or another source."""

    url: str
    via: str = ""
    entry_key: str | None = None
    title: str | None = None
    source: str = CHANNELS


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredVersion:
    """A version, and the page that showed it."""

    page: KnownPage
    new: NewVersion


def channel_numbers(connection: Connection) -> dict[str, int]:
    """The number of each channel, by its address as WARC and objects show it."""
    rows = connection.execute(select(channels.c.id, channels.c.url, channels.c.seed_url)).all()
    return {redact(url): row.id for row in rows for url in (row.seed_url, row.url)}


def page_of(
    connection: Connection, channel_id: int | None, lead: RestoredLead, capture: Capture, at: datetime
) -> KnownPage | None:
    """The page that something led to; one that nothing else in the archive names is noted now."""
    if channel_id is None or lead.entry_key is None:
        return _led_page(connection, lead, capture, at)
    known = _page_of_entry(connection, channel_id, lead.entry_key)
    if known is None:
        _note_entry(connection, channel_id, lead, at)
        known = _page_of_entry(connection, channel_id, lead.entry_key)
    return known


def _page_of_entry(connection: Connection, channel_id: int, key: str) -> KnownPage | None:
    query = (
        select(pages.c.id, pages.c.key, pages.c.article_id, entries.c.id.label("entry_id"))
        .join(entries, entries.c.page_id == pages.c.id)
        .where(entries.c.channel_id == channel_id, entries.c.key == key)
    )
    row = connection.execute(query).first()
    return row and KnownPage(**row._mapping)  # noqa: SLF001 - public API in spite of its name


def _note_entry(connection: Connection, channel_id: int, lead: RestoredLead, at: datetime) -> None:
    """An entry that filled a gap: only its page, and what was made of it, tell of it."""
    # Where it had no id, its key is that of its link.
    own_id = None if (lead.entry_key or "").startswith("link ") else lead.entry_key
    new = identify([FeedEntry(id=own_id, link=lead.url, title=lead.title)])
    arrival = Arrival(recorded=at, now=at, found_by=_FOUND_BY)
    changes = EntryChanges(new=new, changed=(), renamed=())
    store_changes(connection, channel_id, changes, arrival, PageStagger(at_once=0, interval=at - at))
    change(connection, channel_id, entries=channels.c.entries + len(new))


def _led_page(connection: Connection, lead: RestoredLead, capture: Capture, at: datetime) -> KnownPage | None:
    if lead.source != CHANNELS:
        scope = scope_of(connection, lead.source, lead.via)
        found = [FoundPage(url=capture.url, via=lead.via)]
        lead_to(connection, scope, lead.source, found, recorded=at, now=at)
    keys = (capture.page_key, same_page_key(lead.url))
    query = select(pages.c.id, pages.c.key, pages.c.article_id).where(pages.c.key.in_(keys))
    row = connection.execute(query).first()
    return row and KnownPage(**row._mapping)  # noqa: SLF001 - public API in spite of its name


def keys_of_article(connection: Connection, article_id: int | None) -> list[str]:
    query = select(articles.c.key).where(articles.c.id == article_id)
    return list(connection.execute(query).scalars())


def restore_capture(
    connection: Connection,
    page: KnownPage,
    capture: FreshCapture | None,
    found: Sequence[RestoredVersion],
    rules: RecheckRules,
    at: datetime,
) -> None:
    """A page was looked at: what it showed is noted as it was then. No capture: a 304."""
    if capture is not None:
        mark_captured(connection, [capture], at)
    if found:
        _restore_versions(connection, found, rules, at)
    elif page.article_id is not None:
        seen_again(connection, {page.article_id: at})
        _settle(connection, {page: page.article_id}, EntryOutcome.UNCHANGED, at)
        watch(connection, [Watched(page_id=page.id, article_id=page.article_id, at=at)], rules, at)
    # Otherwise nothing was made of it, or its object is lost: the next run reads it from WARC.


def _restore_versions(
    connection: Connection, found: Sequence[RestoredVersion], rules: RecheckRules, at: datetime
) -> None:
    numbers = _add(connection, [one.new for one in found], at)
    _settle(connection, {one.page: numbers[one.new.key] for one in found}, EntryOutcome.STORED, at)
    looks = [
        Watched(
            page_id=one.page.id,
            article_id=numbers[one.new.key],
            at=at,
            changed=one.new.number > 1,
            age=age_of(one.new.published, None, at),
        )
        for one in found
    ]
    watch(connection, looks, rules, at)


def _add(connection: Connection, new: Sequence[NewVersion], at: datetime) -> dict[str, int]:
    """Note versions one by one: a page may show several of one article."""
    numbers: dict[str, int] = {}
    for one in new:
        known: list[KnownArticle] = list(find_articles(connection, [one.key]).by_key.values())
        twins = TwinFinder(connection)
        if not known:
            twins.of(one.key, one.url, one.canonical, one.version.fingerprint.sketch)
        numbers |= add_versions(connection, [one], known)
        twins.save(numbers, at)
    return numbers


def _settle(
    connection: Connection, shown: Mapping[KnownPage, int], outcome: EntryOutcome, at: datetime
) -> None:
    settlements = [
        Settlement(
            page_id=page.id, outcome=outcome, known_at=at, article_id=article_id, carried=page.entry_id
        )
        for page, article_id in shown.items()
    ]
    settle(connection, settlements, recorded=at, now=at)


def wrappers_named(connection: Connection, extractor: str) -> dict[int, list[str]]:
    """The wrappers that served the last versions of each channel's articles, the busiest first."""
    is_last = (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version)
    query = (
        select(versions.c.channel_id, versions.c.wrapper)
        .join(articles, is_last)
        .where(versions.c.extractor == extractor, versions.c.wrapper.is_not(None))
        .group_by(versions.c.channel_id, versions.c.wrapper)
        .order_by(versions.c.channel_id, func.count().desc())
    )
    found: dict[int, list[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.channel_id, []).append(row.wrapper)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCounts:
    """How much a store knows."""

    channels: int
    entries: int
    pages: int
    articles: int
    versions: int
    to_read: int  # pages that are in WARC, and were not made anything of
    to_fetch: int


def finish(connection: Connection, lengths: Mapping[str, int]) -> StateCounts:
    """Note the objects files, and forget what cannot be known; how much there is."""
    # Whether a gap was filled is nowhere but in a state store.
    connection.execute(delete(gaps))
    for file, length in lengths.items():
        save_object_length(connection, file, length)
    tables = {table.name: table for table in (channels, entries, pages, articles, versions)}
    counted = {name: _count(connection, select(table)) for name, table in tables.items()}
    waiting = {state: select(pages).where(pages.c.state == state) for state in ("captured", "pending")}
    return StateCounts(
        **counted,
        to_read=_count(connection, waiting["captured"]),
        to_fetch=_count(connection, waiting["pending"]),
    )


def _count(connection: Connection, query: Select[Any]) -> int:
    return int(connection.execute(select(func.count()).select_from(query.subquery())).scalar_one())


def copy_store(source: Connection, target: Connection) -> None:
    """Fill an empty store of any kind with what another one has."""
    for table in metadata.sorted_tables:
        target.execute(delete(table))
        rows = source.execution_options(yield_per=_AT_ONCE).execute(select(table))
        for some in rows.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in some])
        key = table.autoincrement_column
        if target.dialect.name == "postgresql" and key is not None:
            sequence = func.pg_get_serial_sequence(table.name, key.name)
            target.execute(select(func.setval(sequence, select(func.max(key)).scalar_subquery())))
