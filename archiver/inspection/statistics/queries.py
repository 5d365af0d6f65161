"""What statistics are made from, the feeds that were read and the dates of their entries; and the figures."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from sqlalchemy import func, select, true, type_coerce

from archiver.documents.feeds.model import FeedDate  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.inspection.statistics.compute import Feed, figures_of, statistics_of
from archiver.inspection.statistics.model import LeftOut
from archiver.inspection.statistics.times import SeenEntry
from archiver.store.schema import channels, entries, validators
from archiver.store.types import Json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.inspection.statistics.compute import Scope
    from archiver.inspection.statistics.model import ChannelFigures, Statistics
    from archiver.inspection.statistics.times import Period

# A database takes only so many values in one question: more channels are picked out of all of them.
_MOST_ASKED_FOR = 500

# With the content of a feed in each, more would be felt in memory.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dates:
    """All that is wanted of an entry: the rest of its JSON is passed over."""

    published: FeedDate | None = None
    updated: FeedDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundChannels:
    """The channels that were asked for: feeds that were read, and how many others."""

    feeds: tuple[Feed, ...]
    sites: int
    never_read: int


def find_feeds(
    connection: Connection, ids: Sequence[int] | None = None, labels: Sequence[str] = ()
) -> FoundChannels:
    """Of these channels, or of all, those with any of these labels."""
    columns = ("id", "url", "kind", "title", "labels", "format", "hints", "wishes")
    query = select(*(channels.c[name] for name in columns)).where(_of(channels.c.id, ids))
    rows = [
        row
        for row in connection.execute(query.order_by(channels.c.id))
        if not labels or set(labels) & set(row.labels)
    ]
    sent = _validators(connection, ids)
    feeds = tuple(_feed(row, frozenset(sent.get(row.id, ()))) for row in rows if row.format)
    sites = sum(row.kind == "site" and not row.format for row in rows)
    return FoundChannels(feeds=feeds, sites=sites, never_read=len(rows) - len(feeds) - sites)


def _feed(row: Row[Any], sent: frozenset[str]) -> Feed:
    return Feed(
        id=row.id,
        url=row.url,
        title=row.title,
        labels=row.labels,
        format=row.format,
        hints=row.hints,
        validators=sent | ({"max_age"} if row.wishes and row.wishes.max_age is not None else set()),
    )


def _validators(connection: Connection, ids: Sequence[int] | None) -> dict[int, set[str]]:
    """The names of the validators that a channel's server sent last."""
    columns = (validators.c.etag, validators.c.last_modified)
    query = select(validators.c.channel_id, *columns).where(_of(validators.c.channel_id, ids))
    found: defaultdict[int, set[str]] = defaultdict(set)
    for row in connection.execute(query):
        found[row.channel_id].update(column.name for column in columns if getattr(row, column.name))
    return found


def count_entries(connection: Connection, ids: Sequence[int] | None = None) -> int:
    query = select(func.count()).select_from(entries).where(_of(entries.c.channel_id, ids))
    return connection.execute(query).scalar_one()


def seen_entries(
    connection: Connection, ids: Sequence[int] | None = None
) -> Iterator[tuple[int, list[SeenEntry]]]:
    """Each channel with its entries, in the order of their numbers; one channel at a time is in memory."""
    query = (
        select(
            entries.c.channel_id,
            type_coerce(entries.c.entry, Json(_Dates)).label("dates"),
            entries.c.first_seen,
            entries.c.changed,
        )
        # What was found later, by filling a gap, was not published when it was first seen.
        .where(_of(entries.c.channel_id, ids), entries.c.found_by.is_(None))
        .order_by(entries.c.channel_id)
    )
    rows = connection.execution_options(yield_per=_AT_ONCE).execute(query)
    for channel_id, some in groupby(rows, itemgetter(0)):
        yield channel_id, [_seen(dates, first_seen, changed) for _, dates, first_seen, changed in some]


def _seen(dates: _Dates, first_seen: datetime, changed: datetime | None) -> SeenEntry:
    published, updated = dates.published, dates.updated
    return SeenEntry(
        first_seen,
        published.utc if published else None,
        updated.utc if updated else None,
        changed is not None,
        published is not None,
        updated is not None,
    )


def _of(column: ColumnElement[int], ids: Sequence[int] | None) -> ColumnElement[bool]:
    return true() if ids is None else column.in_(ids)


def gather(
    connection: Connection,
    scope: Scope,
    *,
    ids: Sequence[int] | None = None,
    labels: Sequence[str] = (),
    show: Callable[[int, int], None] = lambda _done, _total: None,
) -> Statistics:
    """The figures of these channels, or of all; `show` is told how many entries of how many were read."""
    found = find_feeds(connection, ids, labels)
    return counted(found, list(figures_in(connection, found, scope.period, show)), scope)


def counted(found: FoundChannels, figures: Sequence[ChannelFigures], scope: Scope) -> Statistics:
    """The figures of all feeds together."""
    left_out = LeftOut(
        sites=found.sites,
        never_read=found.never_read,
        without_entries=len(found.feeds) - len(figures),
    )
    return statistics_of(figures, left_out, scope)


def figures_in(
    connection: Connection,
    found: FoundChannels,
    period: Period,
    show: Callable[[int, int], None] = lambda _done, _total: None,
) -> Iterator[ChannelFigures]:
    """What each feed comes to that has entries in the period."""
    feeds = {feed.id: feed for feed in found.feeds}
    ids = list(feeds) if len(feeds) <= _MOST_ASKED_FOR else None
    total, done = count_entries(connection, ids), 0
    for channel_id, seen in seen_entries(connection, ids):
        done += len(seen)
        show(done, total)
        if (feed := feeds.get(channel_id)) and (figures := figures_of(feed, seen, period)):
            yield figures
