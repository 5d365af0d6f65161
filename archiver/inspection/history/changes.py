"""The feed of edits: versions after the first, and articles that went or came back, in order of time."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import literal, or_, select, tuple_

from archiver.articles.objects.model import article_id
from archiver.inspection.history.model import (
    BACK,
    EDIT_KINDS,
    GONE,
    UNKNOWN_KIND,
    ArticleChannel,
    Event,
    Place,
    event_name,
)
from archiver.inspection.history.queries import VERSION_COLUMNS, version_note
from archiver.store.schema import absences, articles, channels, entries, pages, versions
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from archiver.archive.withheld import Withheld

    Rows = Row[*tuple[Any, ...]]

_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which events, and how many of the newest; 0: all."""

    since: datetime | None = None
    until: datetime | None = None
    channels: tuple[int, ...] | None = None
    kinds: tuple[str, ...] = ()
    min_words: int = 0
    limit: int = 0


def find_events(connection: Connection, wanted: Wanted, withheld: Withheld) -> Iterator[Event]:
    """The oldest first. As many as the archive has may come: they are not held in memory."""
    if wanted.limit:
        return iter(_newest(connection, wanted, withheld))
    sources = [_read(connection, source, wanted, withheld) for source in _sources(wanted)]
    return heapq.merge(*sources, key=attrgetter("at"))


def _newest(connection: Connection, wanted: Wanted, withheld: Withheld) -> list[Event]:
    found: list[Event] = []
    for source in _sources(wanted):
        some = list(_read(connection, source, wanted, withheld))[::-1]
        found += some
        if len(some) == wanted.limit:
            # With so many after it, nothing before the first of them is among the newest.
            wanted = replace(wanted, since=some[0].at)
    return sorted(found, key=attrgetter("at"))[-wanted.limit :]


def store_name(connection: Connection) -> tuple[str, ...]:
    """What tells this store from all others, for as long as it exists: its first channel."""
    query = select(channels.c.seed_url, channels.c.added).order_by(channels.c.id).limit(1)
    row = connection.execute(query).first()
    return (row.seed_url, row.added.isoformat()) if row else ()


class _Source(NamedTuple):
    """One kind of events: how they are asked for, when each was, and how a row becomes one."""

    query: Callable[[Wanted], Select[*tuple[Any, ...]]]
    moment: ColumnElement[datetime]
    make: Callable[[Rows], Event]


def _sources(wanted: Wanted) -> Iterator[_Source]:
    kinds = wanted.kinds
    if not kinds or set(kinds) & set(EDIT_KINDS):
        yield _Source(_edits, versions.c.captured, _edit)
    if not kinds or GONE in kinds:
        # By when it was noted: a reader who asks for what is new would otherwise never see it.
        yield _Source(_absences, absences.c.noted, _gone)
    if not kinds or BACK in kinds:
        yield _Source(_absences, absences.c.back, _back)


def _read(connection: Connection, source: _Source, wanted: Wanted, withheld: Withheld) -> Iterator[Event]:
    """The newest first where only some are wanted, otherwise the oldest."""
    moment = source.moment
    query = source.query(wanted).where(moment.is_not(None))
    query = query.where(moment >= wanted.since) if wanted.since else query
    query = query.where(moment <= wanted.until) if wanted.until else query
    if wanted.channels is not None:
        query = query.where(versions.c.channel_id.in_(wanted.channels))
    if wanted.limit:
        query = query.order_by(moment.desc(), articles.c.id.desc())
        # Of what is withheld, the database does not know how many rows that takes.
        query = query if withheld else query.limit(wanted.limit)
    else:
        query = query.order_by(moment, articles.c.id)
    with connection.execute(query, execution_options={"yield_per": _AT_ONCE}) as rows:
        shown = (row for row in rows if not withheld.hides(row.url))
        for row in islice(shown, wanted.limit or None):
            yield source.make(row)


_before = versions.alias("before")
_COLUMNS = (
    *VERSION_COLUMNS, articles.c.key, articles.c.url,
    channels.c.id.label("channel_number"), channels.c.url.label("channel_url"),
    channels.c.title.label("channel_title"),
)  # fmt: skip
_other = versions.alias()
# By the time of the captures: what was imported may be older than a version with a lower number.
_NUMBER_BEFORE = (
    select(_other.c.version)
    .where(_other.c.article_id == versions.c.article_id)
    .where(tuple_(_other.c.captured, _other.c.version) < tuple_(versions.c.captured, versions.c.version))
    .order_by(_other.c.captured.desc(), _other.c.version.desc())
    .limit(1)
    .correlate(versions)
    .scalar_subquery()
)
_EDITS = (
    select(
        *_COLUMNS,
        _before.c.title.label("title_before"),
        _before.c.captured.label("captured_before"),
        _before.c.object_file.label("before_file"),
        _before.c.object_offset.label("before_offset"),
    )
    .join(articles, articles.c.id == versions.c.article_id)
    .outerjoin(channels, channels.c.id == versions.c.channel_id)
    .outerjoin(
        _before,
        (_before.c.article_id == versions.c.article_id) & (_before.c.version == _NUMBER_BEFORE),
    )
    # Written as the indexes of these versions have it.
    .where(versions.c.version > literal(1, literal_execute=True))
    # What was imported may be older than the first version.
    .where(versions.c.kinds.is_(None) | (versions.c.kinds != "new"))
)
_ABSENCES = (
    select(
        *_COLUMNS, absences.c.gone, absences.c.noted, absences.c.after, absences.c.how,
        absences.c.back_after, absences.c.back,
    )
    .select_from(absences)
    .join(articles, articles.c.id == absences.c.article_id)
    .join(versions, (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version))
    .outerjoin(channels, channels.c.id == versions.c.channel_id)
)  # fmt: skip


def _edits(wanted: Wanted) -> Select[*tuple[Any, ...]]:
    query = _EDITS
    if wanted.min_words:
        query = query.where(versions.c.added + versions.c.removed >= wanted.min_words)
    kinds = [kind for kind in wanted.kinds if kind in EDIT_KINDS]
    return query.where(or_(*map(_is_of, kinds))) if kinds else query


def _absences(wanted: Wanted) -> Select[*tuple[Any, ...]]:
    if wanted.channels is None or wanted.since:
        return _ABSENCES
    # Of all that ever went, those of few channels are found sooner by their entries.
    announced = (
        select(pages.c.article_id)
        .join(entries, entries.c.page_id == pages.c.id)
        .where(entries.c.channel_id.in_(wanted.channels), pages.c.article_id.is_not(None))
    )
    return _ABSENCES.where(absences.c.article_id.in_(announced))


def _is_of(kind: str) -> ColumnElement[bool]:
    if kind == UNKNOWN_KIND:
        return versions.c.kinds.is_(None)
    return (literal(",") + versions.c.kinds + ",").contains(f",{kind},")


def _edit(row: Rows) -> Event:
    note = version_note(row)
    before = Place(file=row.before_file, offset=row.before_offset) if row.before_file else None
    return Event(
        id=event_name(row.key, f"version {note.version}", note.captured),
        at=note.captured,
        # At the least, the version before was there when it was captured.
        after=note.unchanged_until or row.captured_before,
        kinds=note.kinds,
        title_before=row.title_before,
        similarity=note.similarity,
        added=note.added,
        removed=note.removed,
        object_before=before,
        **_common(row),
    )


def _gone(row: Rows) -> Event:
    name = event_name(row.key, GONE, row.gone)
    return Event(id=name, at=row.noted, after=row.after, kinds=(GONE,), how=row.how, **_common(row))


def _back(row: Rows) -> Event:
    name = event_name(row.key, BACK, row.back)
    return Event(id=name, at=row.back, after=row.back_after, kinds=(BACK,), how=row.how, **_common(row))


def _common(row: Rows) -> dict[str, Any]:
    return {
        "url": redact(row.url),
        "article": article_id(row.key),
        "title": row.title,
        "channel": _announcer(row),
        "version": row.version,
        "published": row.published,
        "modified": row.modified,
        "object": Place(file=row.object_file, offset=row.object_offset),
    }


def _announcer(row: Rows) -> ArticleChannel | None:
    if row.channel_number is None:
        return None
    return _named(row.channel_number, row.channel_url, row.channel_title)


@lru_cache(maxsize=1000)
def _named(number: int, url: str, title: str | None) -> ArticleChannel:
    return ArticleChannel(number=number, url=redact(url), title=title)
