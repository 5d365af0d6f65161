"""Articles and their versions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, select, update

from archiver.acquisition.findings import KnownArticle, KnownArticles
from archiver.articles.continuation.model import NONE
from archiver.articles.versions.model import Fingerprint, Making
from archiver.store.schema import articles, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.archive.objects.writer import LinePlace
    from archiver.articles.objects.model import Version
    from archiver.documents.times.model import Times


def find_articles(connection: Connection, keys: Sequence[str], ids: Sequence[int] = ()) -> KnownArticles:
    """The articles with these keys or numbers, each with its last version."""
    is_last = (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version)
    query = select(articles, _HIGHEST, *(versions.c[name] for name in _OF_VERSION)).join(versions, is_last)
    rows = [*connection.execute(query.where(articles.c.key.in_(keys)))] if keys else []
    others = set(ids) - {row.id for row in rows}
    if others:
        rows += connection.execute(query.where(articles.c.id.in_(others)))
    found = [_known(row) for row in rows]
    return KnownArticles(by_key={one.key: one for one in found}, by_id={one.id: one for one in found})


def in_force(connection: Connection, known: KnownArticle, at: datetime) -> KnownArticle:
    """The article as it was at a moment: for a capture that is older than its last version."""
    if at >= known.capture.date:
        return known
    query = select(articles, _HIGHEST, *(versions.c[name] for name in _OF_VERSION), versions.c.captured)
    query = query.add_columns(versions.c.version.label("number")).join(
        versions, versions.c.article_id == articles.c.id
    )
    query = query.where(articles.c.id == known.id)
    before = query.where(versions.c.captured <= at).order_by(
        versions.c.captured.desc(), versions.c.version.desc()
    )
    row = connection.execute(before.limit(1)).first()
    is_later = row is None
    if row is None:
        first = query.order_by(versions.c.captured, versions.c.version).limit(1)
        row = connection.execute(first).one()
    found = replace(_known(row), version=row.number, last_captured=row.captured)
    return replace(found, is_past=True, is_later=is_later)


def keys_of(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """What articles are known by, from their numbers."""
    query = select(articles.c.id, articles.c.key).where(articles.c.id.in_(ids))
    return {row.id: row.key for row in connection.execute(query)} if ids else {}


_numbered = versions.alias()
_HIGHEST = (
    select(func.max(_numbered.c.version))
    .where(_numbered.c.article_id == articles.c.id)
    .scalar_subquery()
    .label("highest")
)
_OF_VERSION = (
    "digest", "title_digest", "text_digest", "links_digest", "images_digest", "capture",
    "extractor", "wrapper", "further",
)  # fmt: skip


def _known(row: Row[Any]) -> KnownArticle:
    return KnownArticle(
        id=row.id,
        key=row.key,
        url=row.url,
        first_seen=row.first_seen,
        last_captured=row.last_captured,
        version=row.version,
        fingerprint=Fingerprint(
            title=row.title_digest,
            text=row.text_digest,
            links=row.links_digest or "",
            images=row.images_digest or "",
            whole=row.digest,
        ),
        capture=row.capture,
        making=Making(extractor=row.extractor or "", wrapper=row.wrapper),
        further=row.further or NONE,
        highest=row.highest,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version to be noted, with the place of its object."""

    key: str
    url: str
    channel_id: int
    version: Version
    published: datetime | None
    modified: datetime | None
    title: str | None
    method: str
    making: Making
    canonical: str | None
    place: LinePlace
    times: Times | None = None
    is_past: bool = False  # the article has a later one

    @property
    def number(self) -> int:
        return self.version.number


def add_versions(
    connection: Connection, new: Sequence[NewVersion], known: Iterable[KnownArticle]
) -> dict[str, int]:
    """Note versions, and articles that are seen for the first time; the article number for each key."""
    ids = {article.key: article.id for article in known}
    first = [version for version in new if version.key not in ids]
    if first:
        rows = connection.execute(
            insert(articles).returning(articles.c.key, articles.c.id), [_article_values(one) for one in first]
        )
        ids |= {row.key: row.id for row in rows}
    if new:
        connection.execute(insert(versions), [_version_values(ids[one.key], one) for one in new])
        latest = [_latest_values(ids[one.key], one) for one in new if not one.is_past]
        if latest:
            connection.execute(_LATEST, latest)
    return ids


def _latest_values(article_id: int, new: NewVersion) -> dict[str, object]:
    return {
        "article": article_id,
        "number": new.number,
        "at": new.version.capture.date,
        "drawn": new.version.fingerprint.sketch or None,
        "named": new.canonical,
    }


def seen_again(connection: Connection, captured: dict[int, datetime]) -> None:
    """Note when unchanged articles were captured last."""
    if captured:
        rows = [{"article": number, "at": moment} for number, moment in captured.items()]
        connection.execute(_SEEN_AGAIN, rows)


_LATEST = (
    update(articles)
    .where(articles.c.id == bindparam("article"))
    .values(
        version=bindparam("number"),
        last_captured=bindparam("at", type_=articles.c.last_captured.type),
        sketch=bindparam("drawn", type_=articles.c.sketch.type),
        canonical=bindparam("named"),
    )
)
_SEEN_AGAIN = (
    update(articles)
    .where(articles.c.id == bindparam("article"), articles.c.last_captured < bindparam("at"))
    .values(last_captured=bindparam("at", type_=articles.c.last_captured.type))
)


def _article_values(new: NewVersion) -> dict[str, object]:
    return {
        "key": new.key,
        "url": new.url,
        "first_seen": new.version.first_seen,
        "last_captured": new.version.capture.date,
        "version": new.number,
    }


def _version_values(article_id: int, new: NewVersion) -> dict[str, object]:
    version = new.version
    return {
        "article_id": article_id,
        "version": new.number,
        "captured": version.capture.date,
        "digest": version.fingerprint.whole,
        "title_digest": version.fingerprint.title,
        "text_digest": version.fingerprint.text,
        "links_digest": version.fingerprint.links,
        "images_digest": version.fingerprint.images,
        "title": new.title,
        "kinds": ",".join(version.change.kinds),
        "similarity": version.change.similarity,
        "added": version.change.added,
        "removed": version.change.removed,
        "unchanged_until": version.unchanged_until,
        "channel_id": new.channel_id,
        "published": new.published,
        "modified": new.modified,
        "method": new.method,
        "capture": version.capture,
        "object_file": new.place.file,
        "object_offset": new.place.offset,
        "object_digest": new.place.digest,
        "extractor": new.making.extractor,
        "wrapper": new.making.wrapper,
        "siblings": new.making.siblings or None,
        "further": version.further if version.further != NONE else None,
    }
