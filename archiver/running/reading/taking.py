"""Captured pages, channel by channel: which are ready to be read together, and what they are read with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, select

from archiver.running.reading.grouping import Load, cut, triage
from archiver.store.pages import CapturedPage, samenesses_of
from archiver.store.parts import others_of, parts_read
from archiver.store.schema import channels, entries, pages
from archiver.store.waiting import past_entries, summaries_of, waiting_entries
from archiver.store.wrappers import memory_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.archive.warc.records import Capture
    from archiver.articles.extract.model import Wrapper
    from archiver.articles.leads import WaitingEntry
    from archiver.documents.feeds.model import FeedEntry
    from archiver.running.reading.grouping import Busy, GroupRules, Triage

# Channels that are looked at, at a time: an archive that was only captured has pages of all of them.
_CHANNELS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """A page that was read before, for others to be read with."""

    capture: Capture
    entry: FeedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    """Pages of one channel that are read together."""

    channel_id: int
    pages: tuple[CapturedPage, ...]
    memory: tuple[Wrapper, ...] = ()
    siblings: tuple[Sibling, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the store is asked for."""

    rules: GroupRules
    extractor: str  # the method and its version: wrappers of others are of no use to it
    room: int  # for so many pages
    now: datetime  # the schedule's
    moment: datetime  # the machine's
    after: int = 0  # the channel that was served last: the others come first
    busy: Mapping[int, Busy] = field(default_factory=dict)  # by channel
    busy_pages: frozenset[int] = frozenset()
    # A fault kept these from being read: not now.
    aside: frozenset[int] = frozenset()
    # Channels of which a group was read in this run; None where nothing is learned.
    taught: Collection[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What the store has: groups, or when to ask again; None: nothing is left to wait for."""

    groups: tuple[PageGroup, ...] = ()
    again: datetime | None = None
    more: bool = False  # that was ready, and did not fit


def take_groups(connection: Connection, wish: Wish) -> Taken:
    """Groups that are ready, about as many pages as there is room for, each channel in its turn."""
    loads = _loads(connection, wish.after, wish.aside)
    first = triage(loads, wish.busy, wish.taught, wish.rules, wish.moment)
    unsure = first.waiting.keys() | (first.full - wish.busy.keys())
    to_come = _still_fetched(connection, unsure, wish.now)
    whole = first.whole | (unsure - to_come)
    ready = [load for load in loads if load.channel_id in whole | first.full]
    groups = tuple(_groups(connection, _as_fit(ready, wish), whole, wish))
    served = {group.channel_id for group in groups}
    more = bool(groups) and any(load.channel_id not in served for load in ready)
    return Taken(groups=groups, again=_again(first, to_come), more=more)


def _as_fit(ready: Sequence[Load], wish: Wish) -> list[int]:
    """Channels with about as many pages as there is room for."""
    found: list[int] = []
    room = wish.room
    for load in ready:
        if room <= 0:
            break
        found.append(load.channel_id)
        room -= min(load.pages, wish.rules.pages) if _may_learn(load.channel_id, wish) else load.pages
    return found


def _may_learn(channel_id: int, wish: Wish) -> bool:
    return wish.taught is not None and channel_id not in wish.taught


def _again(found: Triage, to_come: Collection[int]) -> datetime | None:
    return min((until for channel, until in found.waiting.items() if channel in to_come), default=None)


def _loads(connection: Connection, after: int, aside: Collection[int]) -> list[Load]:
    """The channels that have captured pages, beginning after one of them."""
    query = (
        select(
            pages.c.channel_id, func.count().label("pages"), func.sum(pages.c.size).label("size"),
            func.min(pages.c.captured).label("since"),
        )
        .where(pages.c.state == "captured", pages.c.id.not_in(aside))
        .group_by(pages.c.channel_id)
        .order_by(pages.c.channel_id)
        .limit(_CHANNELS)
    )  # fmt: skip
    rows = connection.execute(query.where(pages.c.channel_id > after)).all()
    if len(rows) < _CHANNELS:
        rows = [*rows, *connection.execute(query.where(pages.c.channel_id <= after))]
    return [
        Load(channel_id=row.channel_id, pages=row.pages, size=int(row.size), since=row.since) for row in rows
    ]


def _still_fetched(connection: Connection, channel_ids: Collection[int], now: datetime) -> set[int]:
    """Those of these channels of which a page is being fetched, or is to be fetched now."""
    if not channel_ids:
        return set()
    fetched = exists().where(
        entries.c.channel_id == channels.c.id,
        entries.c.pending,
        pages.c.id == entries.c.page_id,
        pages.c.state == "pending",
        pages.c.next_try <= now,
    )
    query = select(channels.c.id).where(channels.c.id.in_(channel_ids), fetched)
    return set(connection.execute(query).scalars())


def _groups(
    connection: Connection, order: Sequence[int], whole: Collection[int], wish: Wish
) -> Iterator[PageGroup]:
    found = _pages(connection, order, wish)
    memory = memory_of(connection, order, wish.extractor) if wish.taught is not None else {}
    room = wish.room
    for channel_id in order:
        mine = cut(found.get(channel_id, ()), wish.rules, whole=channel_id in whole)
        # One alone at first: what it teaches, the others are read by.
        for some in mine[:1] if channel_id not in memory and _may_learn(channel_id, wish) else mine:
            if room <= 0:
                return
            room -= len(some)
            yield PageGroup(
                channel_id=channel_id,
                pages=some,
                memory=memory.get(channel_id, ()),
                siblings=_siblings(connection, channel_id, some, wish.rules.siblings),
            )


def _pages(connection: Connection, order: Sequence[int], wish: Wish) -> dict[int, list[CapturedPage]]:
    """The captured pages of these channels that nobody reads, as many of each as there is room for."""
    rank = func.row_number().over(partition_by=pages.c.channel_id, order_by=pages.c.id).label("rank")
    captured = (pages.c.state == "captured", pages.c.id.not_in(wish.aside))
    ranked = select(pages.c.id, rank).where(*captured, pages.c.channel_id.in_(order))
    ranks = ranked.subquery()
    query = select(pages).join(ranks, ranks.c.id == pages.c.id)
    query = query.where(ranks.c.rank <= wish.room + len(wish.busy_pages)).order_by(pages.c.id)
    rows = [row for row in connection.execute(query) if row.id not in wish.busy_pages]
    waiting = waiting_entries(connection, [row.id for row in rows])
    known = [row.id for row in rows if row.article_id is not None and row.id not in waiting]
    waiting |= past_entries(connection, known)
    parts = parts_read(connection, [row.id for row in rows])
    others = others_of(connection, [number for number, (_, is_known) in parts.items() if not is_known])
    announcing = {one[0].channel_id for one in waiting.values()}
    told = {number: summaries_of(connection, number) for number in announcing}
    found: dict[int, list[CapturedPage]] = {}
    for row in rows:
        page = _captured(row, waiting.get(row.id, ()), told, is_recheck=row.id in known)
        part, is_known = parts.get(row.id, ("", False))
        page = replace(page, part=part, is_known_part=is_known, others=others.get(row.id, ()))
        found.setdefault(row.channel_id, []).append(page)
    return found


def _captured(
    row: Row[Any],
    waiting: tuple[WaitingEntry, ...],
    told: Mapping[int, Mapping[int, str]],
    *,
    is_recheck: bool,
) -> CapturedPage:
    """A page with its entries, and what the feed says of others."""
    first = waiting[0] if waiting else None
    others = told[first.channel_id] if first else {}
    return CapturedPage(
        id=row.id,
        url=row.url,
        capture=row.capture,
        size=row.size,
        article_id=row.article_id,
        is_recheck=is_recheck,
        waiting=waiting,
        walk=row.walk,
        other_summaries=tuple(text for number, text in others.items() if first and number != first.id),
    )


def _siblings(
    connection: Connection, channel_id: int, group: Sequence[CapturedPage], most: int
) -> tuple[Sibling, ...]:
    """Other articles of the channel, those announced last; of the same hosts, whose template they share."""
    if not channel_id or len(group) > most:
        return ()
    hosts = select(pages.c.host).where(pages.c.id.in_([page.id for page in group]))
    query = (
        select(entries.c.entry, pages.c.capture)
        .join(pages, pages.c.id == entries.c.page_id)
        .where(entries.c.channel_id == channel_id, entries.c.page_id.not_in([page.id for page in group]))
        .where(pages.c.state == "settled", pages.c.article_id.is_not(None), pages.c.host.in_(hosts))
        # An article that was made of the feed's own content has no page.
        .where(pages.c.capture.is_not(None))
        .order_by(entries.c.id.desc())
        .limit(2 * most)
    )
    same = {name for page in group for name in page.samenesses}
    found: list[Sibling] = []
    for row in connection.execute(query):
        names = samenesses_of(row.capture)
        if len(found) < most and not same & names:
            same |= names
            found.append(Sibling(capture=row.capture, entry=row.entry))
    return tuple(found)
