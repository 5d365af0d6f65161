"""Articles and their versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from archiver.store.schema import articles, object_files, versions
from archiver.versions.compare import Fingerprint, Making

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.warc.records import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownArticle:
    """An article's last version."""

    id: int
    first_seen: datetime
    version: int
    fingerprint: Fingerprint
    capture: Capture
    making: Making


def find_articles(connection: Connection, keys: Sequence[str]) -> dict[str, KnownArticle]:
    """The articles with these keys, each with its last version."""
    query = (
        select(
            articles,
            *(versions.c[name] for name in ("digest", "title_digest", "text_digest")),
            *(versions.c[name] for name in ("capture", "extractor", "wrapper")),
        )
        .join(versions, (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version))
        .where(articles.c.key.in_(keys))
    )
    return {
        row.key: KnownArticle(
            id=row.id,
            first_seen=row.first_seen,
            version=row.version,
            fingerprint=Fingerprint(title=row.title_digest, text=row.text_digest, whole=row.digest),
            capture=row.capture,
            making=Making(extractor=row.extractor or "", wrapper=row.wrapper),
        )
        for row in connection.execute(query)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version to be noted, with the place of its object."""

    key: str
    url: str
    number: int
    first_seen: datetime
    fingerprint: Fingerprint
    method: str
    making: Making
    capture: Capture
    place: tuple[str, int]


def add_versions(
    connection: Connection, new: Sequence[NewVersion], known: dict[str, KnownArticle]
) -> dict[str, int]:
    """Note versions, and articles that are seen for the first time; the article number for each key."""
    ids = {key: article.id for key, article in known.items()}
    first = [version for version in new if version.key not in ids]
    if first:
        rows = connection.execute(
            insert(articles).returning(articles.c.key, articles.c.id), [_article_values(one) for one in first]
        )
        ids |= {row.key: row.id for row in rows}
    if new:
        connection.execute(insert(versions), [_version_values(ids[one.key], one) for one in new])
        connection.execute(
            _LATEST, [{"article": ids[one.key], "number": one.number, "at": one.capture.date} for one in new]
        )
    return ids


def seen_again(connection: Connection, captured: dict[int, datetime]) -> None:
    """Note when unchanged articles were captured last."""
    if captured:
        rows = [{"article": number, "at": moment} for number, moment in captured.items()]
        connection.execute(_SEEN_AGAIN, rows)


_LATEST = (
    update(articles)
    .where(articles.c.id == bindparam("article"))
    .values(version=bindparam("number"), last_captured=bindparam("at", type_=articles.c.last_captured.type))
)
_SEEN_AGAIN = (
    update(articles)
    .where(articles.c.id == bindparam("article"))
    .values(last_captured=bindparam("at", type_=articles.c.last_captured.type))
)


def _article_values(new: NewVersion) -> dict[str, object]:
    return {
        "key": new.key,
        "url": new.url,
        "first_seen": new.first_seen,
        "last_captured": new.capture.date,
        "version": new.number,
    }


def _version_values(article_id: int, new: NewVersion) -> dict[str, object]:
    return {
        "article_id": article_id,
        "version": new.number,
        "captured": new.capture.date,
        "digest": new.fingerprint.whole,
        "title_digest": new.fingerprint.title,
        "text_digest": new.fingerprint.text,
        "method": new.method,
        "capture": new.capture,
        "object_file": new.place[0],
        "object_offset": new.place[1],
        "extractor": new.making.extractor,
        "wrapper": new.making.wrapper,
    }


def object_lengths(connection: Connection) -> dict[str, int]:
    """How long each objects file was when its last line was settled."""
    return {row.file: row.length for row in connection.execute(select(object_files))}


def save_object_length(connection: Connection, file: str, length: int) -> None:
    changed = connection.execute(
        update(object_files).where(object_files.c.file == file).values(length=length)
    ).rowcount
    if not changed:
        connection.execute(insert(object_files).values(file=file, length=length))
