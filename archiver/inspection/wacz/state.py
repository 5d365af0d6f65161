"""What the state store knows of channels: their addresses, and the versions of their articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from archiver.store.schema import channels, entries, pages, requisites, validators, versions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from archiver.archive.warc.records import Capture
    from archiver.inspection.wacz.model import CaptureSelection

_AT_ONCE = 1000


class StoredVersion(NamedTuple):
    """A version of an article: where its object is, and its capture."""

    file: str
    offset: int
    capture: Capture


def with_feeds(connection: Connection, ids: Sequence[int]) -> tuple[int, ...]:
    """These channels, and the feeds that were found on those that are sites."""
    family = channels.c.id.in_(ids) | channels.c.site_id.in_(ids)
    return tuple(connection.execute(select(channels.c.id).where(family).order_by(channels.c.id)).scalars())


def addresses(connection: Connection, ids: Sequence[int]) -> Iterator[str]:
    """Every URL that was fetched for these channels: feeds, home pages, and the pages of entries."""
    for row in connection.execute(select(channels).where(channels.c.id.in_(ids))):
        yield from _present(row.seed_url, row.url, row.moved_to, row.link)
    for row in connection.execute(select(validators.c.url).where(validators.c.channel_id.in_(ids))):
        yield row.url
    for row in _stream(connection, _entries(ids)):
        yield from _present(row.url)
        yield from _urls_of(row.capture)
        yield from _urls_of(row.feed_capture)
    for row in _stream(connection, select(versions.c.capture, versions.c.further).where(_version_of(ids))):
        yield from _urls_of(row.capture)
        yield from (one.url for one in (row.further.captures if row.further else ()))


def has_requisites(connection: Connection) -> bool:
    """Whether anything was ever kept that pages need to be shown."""
    return connection.execute(select(requisites.c.id).limit(1)).first() is not None


def stored_versions(connection: Connection, selection: CaptureSelection) -> Iterator[StoredVersion]:
    """The versions whose captures are in the selection, the oldest first."""
    query = select(versions.c.object_file, versions.c.object_offset, versions.c.capture).where(
        versions.c.captured >= selection.first, versions.c.captured <= selection.last
    )
    if selection.channels is not None:
        query = query.where(_version_of(selection.channels))
    order = (versions.c.captured, versions.c.article_id, versions.c.version)
    for row in _stream(connection, query.order_by(*order)):
        yield StoredVersion(row.object_file, row.object_offset, row.capture)


def _entries(ids: Sequence[int]) -> Select[tuple[str, Capture, Capture]]:
    query = select(pages.c.url, pages.c.capture, entries.c.feed_capture)
    return query.select_from(entries.outerjoin(pages)).where(entries.c.channel_id.in_(ids))


def _version_of(ids: Sequence[int]) -> ColumnElement[bool]:
    """Of an article that an entry of these channels announced, whichever channel was first."""
    announced = select(pages.c.article_id).join(entries).where(entries.c.channel_id.in_(ids))
    return versions.c.article_id.in_(announced)


def _stream(connection: Connection, query: Select[*tuple[object, ...]]) -> Iterator[Row[*tuple[object, ...]]]:
    return iter(connection.execution_options(yield_per=_AT_ONCE).execute(query))


def _present(*urls: str | None) -> Iterator[str]:
    return (url for url in urls if url)


def _urls_of(capture: Capture | None) -> Iterator[str]:
    if capture is not None:
        yield capture.url
