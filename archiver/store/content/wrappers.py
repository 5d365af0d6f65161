"""Wrappers: what was learned of the templates of a scope, what it was good for, and until when."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, select, update

from archiver.store.schema import articles, channels, scopes, versions, wrappers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.articles.model import Wrapper

# A scope has a few templates; one that looks as if it had hundreds has none.
_MOST = 20
_KEPT = timedelta(days=1)
# So many pages with a new structure are a new template.
_SURELY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """What the pages of a scope taught, and which wrappers served them."""

    scope: int
    extractor: str
    learned: tuple[Wrapper, ...] = ()
    outdated: tuple[str, ...] = ()
    # The wrapper of each page that one served.
    used: tuple[str, ...] = ()
    # Articles whose words stayed while the structure around them changed.
    redesigned: tuple[int, ...] = ()


def memory_of(
    connection: Connection, scope_ids: Collection[int], extractor: str
) -> dict[int, tuple[Wrapper, ...]]:
    """The wrappers of each scope that can be used, those that served last in front."""
    query = (
        select(wrappers.c.scope_id, wrappers.c.wrapper)
        .where(wrappers.c.scope_id.in_(scope_ids), wrappers.c.extractor == extractor)
        .where(wrappers.c.outdated.is_(None))
        .order_by(wrappers.c.last_used.desc().nulls_last(), wrappers.c.learned.desc(), wrappers.c.id)
    )
    found: dict[int, tuple[Wrapper, ...]] = {}
    for row in connection.execute(query):
        known = found.get(row.scope_id, ())
        if len(known) < _MOST:
            found[row.scope_id] = (*known, row.wrapper)
    return found


def remember(connection: Connection, lessons: Sequence[Lessons], moment: datetime) -> None:
    """Keep what was learned, end what no longer fits, count what served."""
    for lesson in lessons:
        if lesson.learned or lesson.outdated:
            _forget(connection, lesson.scope, moment)
        _end(connection, lesson, moment)
        _redesigned(connection, lesson, moment)
        _learn(connection, lesson, moment)
    used = Counter((lesson.scope, name) for lesson in lessons for name in lesson.used)
    if used:
        rows = [
            {"scope": scope, "name": name, "times": times, "at": moment}
            for (scope, name), times in used.items()
        ]
        connection.execute(_COUNT, rows)


_COUNT = (
    update(wrappers)
    .where(wrappers.c.scope_id == bindparam("scope"), wrappers.c.id == bindparam("name"))
    .values(
        pages=wrappers.c.pages + bindparam("times"),
        last_used=bindparam("at", type_=wrappers.c.last_used.type),
    )
)


def _forget(connection: Connection, scope: int, moment: datetime) -> None:
    """Take out what no object names: outdated before it served a page, and not just now by another group."""
    over = (wrappers.c.outdated < moment - _KEPT) & (wrappers.c.pages == 0)
    connection.execute(delete(wrappers).where(wrappers.c.scope_id == scope, over))


def _end(connection: Connection, lesson: Lessons, moment: datetime) -> None:
    if lesson.outdated:
        ended = wrappers.c.id.in_(lesson.outdated) & (wrappers.c.scope_id == lesson.scope)
        query = update(wrappers).where(ended, wrappers.c.outdated.is_(None))
        connection.execute(query.values(outdated=moment))


def _redesigned(connection: Connection, lesson: Lessons, moment: datetime) -> None:
    """A wrapper that the last versions were read by, and none of today's pages, is of an old template."""
    if not lesson.redesigned:
        return
    is_last = (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version)
    served = select(versions.c.wrapper).join(articles, is_last)
    served = served.where(articles.c.id.in_(lesson.redesigned), versions.c.wrapper.is_not(None))
    mine = wrappers.c.scope_id == lesson.scope
    over = wrappers.c.id.in_(served) & wrappers.c.id.not_in(lesson.used)
    if len(lesson.redesigned) < _SURELY:
        # One page may have got another template while the others keep theirs.
        over &= wrappers.c.last_used.is_(None) | (wrappers.c.last_used < moment - _KEPT)
    connection.execute(
        update(wrappers).where(mine, over, wrappers.c.outdated.is_(None)).values(outdated=moment)
    )


def _learn(connection: Connection, lesson: Lessons, moment: datetime) -> None:
    """A wrapper that is learned again is a new one; what it was good for before still counts."""
    if not lesson.learned:
        return
    mine = wrappers.c.scope_id == lesson.scope
    names = {one.id: one for one in lesson.learned}
    known = connection.execute(
        select(wrappers.c.id, wrappers.c.pages, wrappers.c.last_used).where(mine, wrappers.c.id.in_(names))
    ).all()
    before = {row.id: {"pages": row.pages, "last_used": row.last_used} for row in known}
    connection.execute(delete(wrappers).where(mine, wrappers.c.id.in_(before)))
    fixed = {"scope_id": lesson.scope, "extractor": lesson.extractor, "learned": moment}
    unused = {"pages": 0, "last_used": None}
    rows = [{"id": name, "wrapper": one, **fixed, **before.get(name, unused)} for name, one in names.items()]
    connection.execute(insert(wrappers), rows)


def list_wrappers(connection: Connection, channel_id: int | None = None) -> Sequence[Row[Any]]:
    """Every wrapper with its channel or other scope, of each those in use in front."""
    query = (
        select(
            wrappers,
            wrappers.c.scope_id.label("channel_id"),
            func.coalesce(channels.c.url, scopes.c.name).label("url"),
            channels.c.title,
            channels.c.labels,
        )
        .outerjoin(channels, channels.c.id == wrappers.c.scope_id)
        .outerjoin(scopes, scopes.c.id == wrappers.c.scope_id)
    )
    if channel_id is not None:
        query = query.where(wrappers.c.scope_id == channel_id)
    is_over = wrappers.c.outdated.is_not(None)
    order = (wrappers.c.scope_id, is_over, wrappers.c.learned.desc(), wrappers.c.id)
    return connection.execute(query.order_by(*order)).all()
