"""WARC files of others in the state store: which were taken in, and their pages on the way to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.articles.leads import IMPORTS
from archiver.batches import batches
from archiver.documents.pages.model import Announcement
from archiver.store.content.leads import scope_of
from archiver.store.schema import imports, leads, pages
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """A WARC file of others, and how far it was read."""

    file: str
    source: str
    state: str = "unread"
    pages: int = 0

    @property
    def is_read(self) -> bool:
        return self.state == "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPage:
    """A page of such a file, to be read."""

    capture: Capture
    size: int

    @property
    def key(self) -> str:
        """By its record: each capture is a page of its own, and none is read twice."""
        return f"import {self.capture.record_id}"


def imported_files(connection: Connection) -> dict[str, ImportedFile]:
    rows = connection.execute(select(imports).order_by(imports.c.added, imports.c.file))
    return {
        row.file: ImportedFile(file=row.file, source=row.source, state=row.state, pages=row.pages)
        for row in rows
    }


def add_import(connection: Connection, file: str, source: str, recorded: datetime) -> None:
    """Note a file that was taken in; what is known of it stays."""
    known = connection.execute(select(imports.c.file).where(imports.c.file == file)).first()
    if known is None:
        row = {"file": file, "source": source, "added": recorded, "state": "unread"}
        connection.execute(insert(imports).values(**row))


def note_read(connection: Connection, file: str, count: int, *, is_whole: bool) -> None:
    """Note that pages of a file were read: all of them, or some."""
    state = "read" if is_whole else "partly"
    mine = imports.c.file == file
    connection.execute(update(imports).where(mine).values(state=state, pages=imports.c.pages + count))


def known_pages(connection: Connection, keys: Collection[str]) -> set[str]:
    """Those of these pages that were handed on to be read before."""
    found: set[str] = set()
    for some in batches(list(keys)):
        found.update(connection.execute(select(pages.c.key).where(pages.c.key.in_(some))).scalars())
    return found


def have_read(connection: Connection, found: Sequence[ImportedPage], source: str, recorded: datetime) -> None:
    """Hand pages on to be read; they are in the archive, and nothing is fetched for them."""
    scopes: dict[str, int] = {}
    for page in found:
        host = host_of(page.capture.url)
        if host not in scopes:
            # Pages of one host share their templates.
            scopes[host] = scope_of(connection, IMPORTS, host)
        row = {
            "key": page.key,
            "url": page.capture.url,
            "host": host,
            "state": "captured",
            "next_try": recorded,
            "capture": page.capture,
            "captured": page.capture.date,
            "size": page.size,
            "scope_id": scopes[host],
        }
        number = connection.execute(insert(pages).values(**row).returning(pages.c.id)).scalar_one()
        led = {"page_id": number, "scope_id": scopes[host], "source": IMPORTS, "via": source}
        # The program that made the file saw the page then.
        said = {"said": Announcement(), "first_seen": page.capture.date, "pending": True}
        connection.execute(insert(leads).values(**led, **said))
