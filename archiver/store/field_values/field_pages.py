"""Pages that a field wrapper read, and the versions that remember what stood on them before."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.store.schema import field_pages, pages, versions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from archiver.archive.warc.records import Capture

# Of each article, the newest: values that are older stand on no page any more.
_MOST_VERSIONS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedVersion:
    """A version of an article: its capture, and where its object is."""

    capture: Capture
    object_file: str
    object_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrappedPage:
    """A page that a wrapper read, with the versions of its article, the newest first."""

    page_id: int
    url: str
    capture: Capture
    seen: datetime
    missing: tuple[str, ...]
    versions: tuple[RememberedVersion, ...] = ()


def pages_since(connection: Connection, wrapper: str, since: datetime, most: int) -> list[WrappedPage]:
    """The newest pages that a wrapper read since a moment."""
    return _wrapped(connection, (field_pages.c.wrapper == wrapper) & (field_pages.c.seen >= since), most)


def pages_until(connection: Connection, wrapper: str, until: datetime, most: int) -> list[WrappedPage]:
    """The last pages that a wrapper read before a moment."""
    return _wrapped(connection, (field_pages.c.wrapper == wrapper) & (field_pages.c.seen < until), most)


def newest_pages(connection: Connection, wrapper: str, most: int) -> list[WrappedPage]:
    return _wrapped(connection, field_pages.c.wrapper == wrapper, most)


def pages_of(connection: Connection, wrapper: str, page_ids: Sequence[int]) -> list[WrappedPage]:
    """Some of the pages that a wrapper read."""
    mine = (field_pages.c.wrapper == wrapper) & field_pages.c.page_id.in_(page_ids)
    return _wrapped(connection, mine, len(page_ids))


def count_since(connection: Connection, wrapper: str, since: datetime) -> int:
    """How many pages a wrapper read since a moment, of those that are known."""
    mine = (field_pages.c.wrapper == wrapper) & (field_pages.c.seen >= since)
    return connection.scalar(select(func.count()).select_from(field_pages).where(mine)) or 0


def failing_page(connection: Connection, wrapper: str, field: str, most: int = 200) -> str | None:
    """The address of the last page on which a field has no value."""
    query = select(field_pages.c.url, field_pages.c.missing).where(field_pages.c.wrapper == wrapper)
    rows = connection.execute(query.order_by(field_pages.c.seen.desc()).limit(most))
    return next((row.url for row in rows if field in row.missing), None)


def _wrapped(connection: Connection, chosen: ColumnElement[bool], most: int) -> list[WrappedPage]:
    query = (
        select(field_pages, pages.c.article_id)
        .outerjoin(pages, pages.c.id == field_pages.c.page_id)
        .where(chosen)
        .order_by(field_pages.c.seen.desc(), field_pages.c.page_id)
        .limit(most)
    )
    rows = connection.execute(query).all()
    known = _versions(connection, {row.article_id for row in rows if row.article_id is not None})
    return [
        WrappedPage(
            page_id=row.page_id,
            url=row.url,
            capture=row.capture,
            seen=row.seen,
            missing=row.missing,
            versions=tuple(known.get(row.article_id, ())),
        )
        for row in rows
    ]


def _versions(connection: Connection, articles: Collection[int]) -> dict[int, list[RememberedVersion]]:
    found: defaultdict[int, list[RememberedVersion]] = defaultdict(list)
    query = select(versions).where(versions.c.article_id.in_(articles))
    query = query.order_by(versions.c.captured.desc(), versions.c.version.desc())
    for row in connection.execute(query) if articles else ():
        if len(found[row.article_id]) < _MOST_VERSIONS:
            found[row.article_id].append(
                RememberedVersion(
                    capture=row.capture, object_file=row.object_file, object_offset=row.object_offset
                )
            )
    return found
