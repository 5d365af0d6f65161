"""Articles and their versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.store.schema import articles, object_files, versions
from archiver.versions.compare import Fingerprint

if TYPE_CHECKING:
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


def find_article(connection: Connection, key: str) -> KnownArticle | None:
    query = (
        select(articles, versions.c.digest, versions.c.title_digest, versions.c.text_digest)
        .join(versions, (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version))
        .where(articles.c.key == key)
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    last = Fingerprint(title=row.title_digest, text=row.text_digest, whole=row.digest)
    return KnownArticle(id=row.id, first_seen=row.first_seen, version=row.version, fingerprint=last)


def add_article(
    connection: Connection, key: str, url: str, *, first_seen: datetime, captured: datetime
) -> int:
    values = {"key": key, "url": url, "first_seen": first_seen, "last_captured": captured, "version": 0}
    result = connection.execute(insert(articles).values(**values))
    return int(result.inserted_primary_key[0])  # type: ignore[index] # one row was inserted


def seen_again(connection: Connection, article_id: int, captured: datetime) -> None:
    connection.execute(update(articles).where(articles.c.id == article_id).values(last_captured=captured))


def add_version(
    connection: Connection,
    article_id: int,
    version: int,
    *,
    fingerprint: Fingerprint,
    method: str,
    capture: Capture,
    place: tuple[str, int],
) -> None:
    """Note a version, and the file and offset of its object."""
    connection.execute(
        insert(versions).values(
            article_id=article_id,
            version=version,
            captured=capture.date,
            digest=fingerprint.whole,
            title_digest=fingerprint.title,
            text_digest=fingerprint.text,
            method=method,
            capture=capture,
            object_file=place[0],
            object_offset=place[1],
        )
    )
    latest = {"version": version, "last_captured": capture.date}
    connection.execute(update(articles).where(articles.c.id == article_id).values(**latest))


def object_lengths(connection: Connection) -> dict[str, int]:
    """How long each objects file was when its last line was settled."""
    return {row.file: row.length for row in connection.execute(select(object_files))}


def save_object_length(connection: Connection, file: str, length: int) -> None:
    changed = connection.execute(
        update(object_files).where(object_files.c.file == file).values(length=length)
    ).rowcount
    if not changed:
        connection.execute(insert(object_files).values(file=file, length=length))
