"""What led to pages: entries of feeds, and what other sources found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select, update

from archiver.articles.leads import CHANNELS, Announcer, Lead, latest_change_first
from archiver.batches import batches
from archiver.documents.pages.model import Announcement
from archiver.store.schema import channels, entries, leads, pages, scopes, sightings
from archiver.submissions import request_key
from archiver.urls import host_of, request_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Select

    from archiver.archive.warc.records import Capture
    from archiver.submissions import Submission

# Enough of the other entries to tell a phrase that stands in all of them.
_SIBLINGS = 10


# ── Asking for pages ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPage:
    """A page that a source found, to be fetched and read."""

    url: str
    via: str  # the document that leads to it
    said: Announcement = Announcement()
    capture: Capture | None = None  # of that document
    submission: Submission | None = None  # what is sent to it, where its address is not all

    @property
    def key(self) -> str:
        return request_key(self.url, self.submission.identity if self.submission else "")


def scope_of(connection: Connection, source: str, name: str) -> int:
    """The number of a source's scope, below zero: channels are scopes of their own, by their numbers."""
    found = connection.execute(_SCOPE, {"source": source, "name": name}).scalar()
    if found is not None:
        return int(found)
    number = int(connection.execute(select(func.coalesce(func.min(scopes.c.id), 0))).scalar_one()) - 1
    connection.execute(insert(scopes).values(id=number, source=source, name=name))
    return number


def lead_to(
    connection: Connection,
    scope: int,
    source: str,
    found: Sequence[FoundPage],
    *,
    recorded: datetime,
    now: datetime,
    again: bool = False,
) -> int:
    """Ask for pages that a source found; how many of them. Those that the scope has are asked for `again`."""
    wanted = {one.key: one for one in found}
    asked = 0
    for keys in batches(list(wanted)):
        known = _known_pages(connection, keys)
        led = _led_from(connection, scope, [number for number, _ in known.values()])
        for key in keys:
            if key in known and known[key][0] in led and not again:
                continue
            asked += 1
            page_id = _page_to_fetch(connection, key, wanted[key], known.get(key), now)
            _wait_for(connection, scope, source, page_id, wanted[key], recorded, is_known=page_id in led)
    return asked


def _known_pages(connection: Connection, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
    """The number and the state of each page, by its key."""
    return {row.key: (row.id, row.state) for row in connection.execute(_PAGES, {"keys": keys})}


def _led_from(connection: Connection, scope: int, page_ids: Sequence[int]) -> set[int]:
    if not page_ids:
        return set()
    return set(connection.execute(_LED, {"scope": scope, "ids": page_ids}).scalars())


# Asked with every page that is found: to put them together each time takes longer than to answer them.
_SCOPE = select(scopes.c.id).where(scopes.c.source == bindparam("source"), scopes.c.name == bindparam("name"))
_PAGES = select(pages.c.id, pages.c.key, pages.c.state).where(
    pages.c.key.in_(bindparam("keys", expanding=True))
)
_LED = select(leads.c.page_id).where(
    leads.c.scope_id == bindparam("scope"), leads.c.page_id.in_(bindparam("ids", expanding=True))
)
_NEW_PAGE = insert(pages).returning(pages.c.id)
_NEW_LEAD = insert(leads)


def _page_to_fetch(
    connection: Connection, key: str, found: FoundPage, known: tuple[int, str] | None, now: datetime
) -> int:
    ask = {"state": "pending", "next_try": now, "tries": 0}
    if known is None:
        url = request_url(found.url)
        page = {"key": key, "url": url, "host": host_of(url), "submission": found.submission}
        return int(connection.execute(_NEW_PAGE, page | ask).scalar_one())
    number, state = known
    if state == "settled":
        connection.execute(update(pages).where(pages.c.id == number).values(**ask))
    return number


def _wait_for(
    connection: Connection,
    scope: int,
    source: str,
    page_id: int,
    found: FoundPage,
    recorded: datetime,
    *,
    is_known: bool,
) -> None:
    values = {
        "via": found.via,
        "said": found.said,
        "capture": found.capture,
        "pending": True,
        "outcome": None,
    }
    if is_known:
        mine = (leads.c.scope_id == scope) & (leads.c.page_id == page_id)
        connection.execute(update(leads).where(mine).values(**values, changed=recorded))
        return
    own = {"page_id": page_id, "scope_id": scope, "source": source, "first_seen": recorded}
    connection.execute(_NEW_LEAD, values | own)


# ── Reading pages ────────────────────────────────────────────────────────────────────────────────────────


def waiting_leads(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[Lead, ...]]:
    """What waits for each page: entries first, those of the channel that is known longest in front."""
    mine = entries.c.page_id.in_(page_ids) & entries.c.pending
    others = leads.c.page_id.in_(page_ids) & leads.c.pending
    return _by_page(connection, mine, others)


def past_leads(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[Lead, ...]]:
    """For pages that nothing waits for, what they were read with."""
    if not page_ids:
        return {}
    found = _by_page(connection, entries.c.page_id.in_(page_ids), leads.c.page_id.in_(page_ids))
    return {page_id: some[:1] for page_id, some in found.items()}


def _by_page(
    connection: Connection, mine: ColumnElement[bool], others: ColumnElement[bool]
) -> dict[int, tuple[Lead, ...]]:
    announced = _ENTRIES.add_columns(entries.c.page_id.label("for_id")).where(mine)
    led = _LEADS.add_columns(leads.c.page_id.label("for_id")).where(others)
    return _collected(connection, announced, led)


def leads_of_articles(connection: Connection, article_ids: Sequence[int]) -> dict[int, tuple[Lead, ...]]:
    """What led to each article: entries first, those of the channel that is known longest in front."""
    mine = pages.c.article_id.in_(article_ids)
    announced = _ENTRIES.add_columns(pages.c.article_id.label("for_id"))
    led = _LEADS.add_columns(pages.c.article_id.label("for_id"))
    return _collected(
        connection,
        announced.join(pages, pages.c.id == entries.c.page_id).where(mine),
        led.join(pages, pages.c.id == leads.c.page_id).where(mine),
    )


def _collected(
    connection: Connection, announced: Select[Any], led: Select[Any]
) -> dict[int, tuple[Lead, ...]]:
    found: dict[int, tuple[Lead, ...]] = {}
    for number, lead in (*_announced(connection, announced), *_led(connection, led)):
        found[number] = (*found.get(number, ()), lead)
    return {number: latest_change_first(some) for number, some in found.items()}


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
_LEADS = select(
    leads.c.scope_id.label("scope"),
    leads.c.source,
    leads.c.via,
    leads.c.said,
    leads.c.first_seen,
    leads.c.capture,
).order_by(leads.c.id)


def _announced(connection: Connection, query: Select[Any]) -> Iterator[tuple[int, Lead]]:
    for row in connection.execute(query):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001 - public API in spite of its name
        yield (
            values.pop("for_id"),
            Lead(
                source=CHANNELS,
                via=values.pop("channel_url"),
                scope=row.channel_id,
                first_seen=values.pop("first_seen"),
                capture=values.pop("feed_capture"),
                announcer=Announcer(**values),
            ),
        )


def _led(connection: Connection, query: Select[Any]) -> Iterator[tuple[int, Lead]]:
    for row in connection.execute(query):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001 - public API in spite of its name
        yield values.pop("for_id"), Lead(**values)


def summaries_of(connection: Connection, channel_id: int) -> dict[int, str]:
    """The summaries of a channel's newest entries, by entry."""
    newest = select(entries.c.id, entries.c.entry).where(entries.c.channel_id == channel_id)
    rows = connection.execute(newest.order_by(entries.c.id.desc()).limit(_SIBLINGS))
    return {row.id: row.entry.summary for row in rows if row.entry.summary}
