"""Captured pages, scope by scope: which are ready to be read together, and what they are read with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select

from archiver.articles.leads import announcement_of
from archiver.running.reading.grouping import Load, cut, triage
from archiver.store.content.leads import past_leads, summaries_of, waiting_leads
from archiver.store.content.pages import CapturedPage, identity_keys_of
from archiver.store.content.parts import others_of, parts_read
from archiver.store.content.wrappers import memory_of
from archiver.store.schema import channels, entries, leads, pages
from archiver.store.workers import is_in_own_files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row, Select

    from archiver.archive.warc.records import Capture
    from archiver.articles.leads import Lead
    from archiver.articles.model import Wrapper
    from archiver.documents.pages.model import Announcement
    from archiver.running.reading.grouping import Busy, GroupRules, Triage

# Scopes that are looked at, at a time: an archive that was only captured has pages of all of them.
_SCOPES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """A page that was read before, for others to be read with, and what was said of it."""

    capture: Capture
    said: Announcement


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    """Pages of one scope that are read together."""

    scope: int
    pages: tuple[CapturedPage, ...]
    memory: tuple[Wrapper, ...] = ()
    siblings: tuple[Sibling, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRequest:
    """What the store is asked for."""

    rules: GroupRules
    extractor: str  # the method and its version: wrappers of others are of no use to it
    room: int  # for so many pages
    now: datetime  # the schedule's
    moment: datetime  # the machine's
    after: int = 0  # the scope that was served last: the others come first
    busy: Mapping[int, Busy] = field(default_factory=dict)  # by scope
    busy_pages: frozenset[int] = frozenset()
    # A fault kept these from being read: not now.
    aside: frozenset[int] = frozenset()
    # Scopes of which a group was read in this run; None where nothing is learned.
    taught: Collection[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What the store has: groups, or when to ask again; None: nothing is left to wait for."""

    groups: tuple[PageGroup, ...] = ()
    again: datetime | None = None
    more: bool = False  # that was ready, and did not fit


def take_groups(connection: Connection, wish: GroupRequest) -> Taken:
    """Groups that are ready, about as many pages as there is room for, each scope in its turn."""
    loads = _loads(connection, wish.after, wish.aside)
    first = triage(loads, wish.busy, wish.taught, wish.rules, wish.moment)
    unsure = first.waiting.keys() | (first.full - wish.busy.keys())
    to_come = _still_fetched(connection, unsure, wish.now)
    whole = first.whole | (unsure - to_come)
    ready = [load for load in loads if load.scope in whole | first.full]
    groups = tuple(_groups(connection, _as_fit(ready, wish), whole, wish))
    served = {group.scope for group in groups}
    more = bool(groups) and any(load.scope not in served for load in ready)
    return Taken(groups=groups, again=_again(first, to_come), more=more)


def _as_fit(ready: Sequence[Load], wish: GroupRequest) -> list[int]:
    """Scopes with about as many pages as there is room for."""
    found: list[int] = []
    room = wish.room
    for load in ready:
        if room <= 0:
            break
        found.append(load.scope)
        room -= min(load.pages, wish.rules.pages) if _may_learn(load.scope, wish) else load.pages
    return found


def _may_learn(scope: int, wish: GroupRequest) -> bool:
    return wish.taught is not None and scope not in wish.taught


def _again(found: Triage, to_come: Collection[int]) -> datetime | None:
    return min((until for scope, until in found.waiting.items() if scope in to_come), default=None)


def _loads(connection: Connection, after: int, aside: Collection[int]) -> list[Load]:
    """The scopes that have captured pages, beginning after one of them."""
    query = (
        select(
            pages.c.scope_id, func.count().label("pages"), func.sum(pages.c.size).label("size"),
            func.min(pages.c.captured).label("since"),
        )
        .where(pages.c.state == "captured", pages.c.id.not_in(aside), is_in_own_files(connection))
        .group_by(pages.c.scope_id)
        .order_by(pages.c.scope_id)
        .limit(_SCOPES)
    )  # fmt: skip
    rows = connection.execute(query.where(pages.c.scope_id > after)).all()
    if len(rows) < _SCOPES:
        rows = [*rows, *connection.execute(query.where(pages.c.scope_id <= after))]
    return [Load(scope=row.scope_id, pages=row.pages, size=int(row.size), since=row.since) for row in rows]


def _still_fetched(connection: Connection, scopes: Collection[int], now: datetime) -> set[int]:
    """Those of these scopes of which a page is being fetched, or is to be fetched now."""
    if not scopes:
        return set()
    to_fetch = (pages.c.state == "pending") & (pages.c.next_try <= now)
    announced = exists().where(
        entries.c.channel_id == channels.c.id, entries.c.pending, pages.c.id == entries.c.page_id, to_fetch
    )
    query = select(channels.c.id).where(channels.c.id.in_(scopes), announced)
    found = set(connection.execute(query).scalars())
    if min(scopes) < 0:
        led = select(leads.c.scope_id).join(pages, pages.c.id == leads.c.page_id)
        led = led.where(leads.c.scope_id.in_(scopes), leads.c.pending, to_fetch).distinct()
        found.update(connection.execute(led).scalars())
    return found


def _groups(
    connection: Connection, order: Sequence[int], whole: Collection[int], wish: GroupRequest
) -> Iterator[PageGroup]:
    found = _pages(connection, order, wish)
    memory = memory_of(connection, order, wish.extractor) if wish.taught is not None else {}
    room = wish.room
    for scope in order:
        mine = cut(found.get(scope, ()), wish.rules, whole=scope in whole)
        # One alone at first: what it teaches, the others are read by.
        for some in mine[:1] if scope not in memory and _may_learn(scope, wish) else mine:
            if room <= 0:
                return
            room -= len(some)
            yield PageGroup(
                scope=scope,
                pages=some,
                memory=memory.get(scope, ()),
                siblings=_siblings(connection, scope, some, wish.rules.siblings),
            )


def _pages(connection: Connection, order: Sequence[int], wish: GroupRequest) -> dict[int, list[CapturedPage]]:
    """The captured pages of these scopes that are not being read, as many of each as there is room for."""
    rank = func.row_number().over(partition_by=pages.c.scope_id, order_by=pages.c.id).label("rank")
    captured = (pages.c.state == "captured", pages.c.id.not_in(wish.aside), is_in_own_files(connection))
    ranked = select(pages.c.id, rank).where(*captured, pages.c.scope_id.in_(order))
    ranks = ranked.subquery()
    query = select(pages).join(ranks, ranks.c.id == pages.c.id)
    query = query.where(ranks.c.rank <= wish.room + len(wish.busy_pages)).order_by(pages.c.id)
    rows = [row for row in connection.execute(query) if row.id not in wish.busy_pages]
    led = waiting_leads(connection, [row.id for row in rows])
    known = [row.id for row in rows if row.article_id is not None and row.id not in led]
    led |= past_leads(connection, known)
    parts = parts_read(connection, [row.id for row in rows])
    others = others_of(connection, [number for number, (_, is_known) in parts.items() if not is_known])
    announcing = {some[0].announcer.channel_id for some in led.values() if some[0].announcer}
    told = {number: summaries_of(connection, number) for number in announcing}
    found: dict[int, list[CapturedPage]] = {}
    for row in rows:
        page = _captured(row, led.get(row.id, ()), told, is_recheck=row.id in known)
        part, is_known = parts.get(row.id, ("", False))
        page = replace(page, part=part, is_known_part=is_known, others=others.get(row.id, ()))
        found.setdefault(row.scope_id, []).append(page)
    return found


def _captured(
    row: Row[Any],
    led: tuple[Lead, ...],
    told: Mapping[int, Mapping[int, str]],
    *,
    is_recheck: bool,
) -> CapturedPage:
    """A page with its entries, and what the feed says of others."""
    announcer = led[0].announcer if led else None
    others = told[announcer.channel_id] if announcer else {}
    return CapturedPage(
        id=row.id,
        url=row.url,
        capture=row.capture,
        size=row.size,
        article_id=row.article_id,
        is_recheck=is_recheck,
        leads=led,
        walk=row.walk,
        other_summaries=tuple(
            text for number, text in others.items() if announcer and number != announcer.id
        ),
    )


def _siblings(
    connection: Connection, scope: int, group: Sequence[CapturedPage], most: int
) -> tuple[Sibling, ...]:
    """Other articles of the scope, those found last; of the same hosts, whose template they share."""
    if not scope or len(group) > most:
        return ()
    mine = [page.id for page in group]
    hosts = select(pages.c.host).where(pages.c.id.in_(mine))
    query = (
        (_announced(scope, mine) if scope > 0 else _led(scope, mine))
        .where(pages.c.state == "settled", pages.c.article_id.is_not(None), pages.c.host.in_(hosts))
        # An article that was made of the feed's own content has no page.
        .where(pages.c.capture.is_not(None), is_in_own_files(connection))
        .limit(2 * most)
    )
    same = {name for page in group for name in page.identity_keys}
    found: list[Sibling] = []
    for row in connection.execute(query):
        names = identity_keys_of(row.capture)
        if len(found) < most and not same & names:
            same |= names
            said = row.said if scope < 0 else announcement_of(row.entry)
            found.append(Sibling(capture=row.capture, said=said))
    return tuple(found)


def _announced(channel_id: int, without: Sequence[int]) -> Select[Any]:
    query = select(entries.c.entry, pages.c.capture).join(pages, pages.c.id == entries.c.page_id)
    query = query.where(entries.c.channel_id == channel_id, entries.c.page_id.not_in(without))
    return query.order_by(entries.c.id.desc())


def _led(scope: int, without: Sequence[int]) -> Select[Any]:
    query = select(leads.c.said, pages.c.capture).join(pages, pages.c.id == leads.c.page_id)
    query = query.where(leads.c.scope_id == scope, leads.c.page_id.not_in(without))
    return query.order_by(leads.c.id.desc())
