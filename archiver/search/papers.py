"""PDF documents in the index: found by the lines of the CDXJ index, WARC file by WARC file, read once.

A WARC file counts as looked through when all of its documents are in the index: a crash leaves some to do.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import select

from archiver.archive.cdxj.files import index_files
from archiver.archive.cdxj.lines import parse_line
from archiver.documents.pages.words import normal
from archiver.search.expression import ANYTHING, channel_tag, kind_tag
from archiver.search.feeding import ADD_WORDS
from archiver.search.folding import split_scripts
from archiver.search.index import free_id, ticks, transaction
from archiver.search.model import PDF
from archiver.search.sieve import DEAD, EARLIER, NEWEST
from archiver.store.schema import entries, pages
from archiver.urls import same_page_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

_MIME = "application/pdf"
_MARK = f'"mime": "{_MIME}"'.encode()
_LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPaper:
    """Where a PDF document is."""

    url: str
    captured: datetime
    warc: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperText:
    """What was read in it."""

    title: str
    text: str


def new_papers(index: sqlite3.Connection, folder: Path) -> tuple[list[FoundPaper], set[str]]:
    """The documents that are not in the index yet, the oldest first, and the WARC files they may be in."""
    seen = {name for (name,) in index.execute("SELECT name FROM warcs")}
    found: list[FoundPaper] = []
    looked: set[str] = set()
    for file in index_files(folder):
        new = file.warcs() - seen
        if new:
            found += _papers_in(file.path, new)
            looked |= new
    known = set(index.execute("SELECT warc, place FROM papers"))
    left = {(one.warc, one.place): one for one in found if (one.warc, one.place) not in known}
    return sorted(left.values(), key=lambda one: (one.captured, one.warc, one.place)), looked


def _papers_in(path: Path, warcs: set[str] | frozenset[str]) -> Iterator[FoundPaper]:
    with path.open("rb") as file:
        for raw in file:
            if _MARK not in raw:
                continue
            line = parse_line(raw)
            if line.mime == _MIME and line.status == "200" and line.filename in warcs:
                yield FoundPaper(url=line.url, captured=line.date, warc=line.filename, place=line.offset)


def looked_through(index: sqlite3.Connection, warcs: set[str]) -> None:
    """Note WARC files whose documents are all in the index."""
    with transaction(index):
        index.executemany("INSERT OR IGNORE INTO warcs VALUES (?)", [(name,) for name in sorted(warcs)])


def add_paper(
    index: sqlite3.Connection, state: Connection, found: FoundPaper, read: PaperText | None
) -> None:
    """Add a document, as the newest version of what is at its address; None: nothing in it can be read."""
    channel, announced = _announced(state, found.url)
    text = read.text if read else ""
    title = (announced or (read.title if read else "") or _file_name(found.url))[:_LONGEST_TITLE]
    with transaction(index):
        values = (
            found.url,
            title,
            ticks(found.captured),
            found.warc,
            found.place,
            zlib.compress(text.encode()),
        )
        query = "INSERT INTO papers (url, title, captured, warc, place, text) VALUES (?, ?, ?, ?, ?, ?)"
        number = index.execute(query, values).lastrowid
        article = _article_of(found.url)
        query = "SELECT coalesce(max(version), 0) FROM documents WHERE article = ? AND state <> ?"
        (version,) = index.execute(query, (article, DEAD)).fetchone()
        query = "UPDATE documents SET state = ? WHERE article = ? AND state = ?"
        index.execute(query, (EARLIER, article, NEWEST))
        row = free_id(index, found.captured)
        place = (row, 0, number, article, version + 1, channel, 10_000, NEWEST)
        index.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)", place)
        index.execute(ADD_WORDS, (row, *_columns(title, text, channel)))


def _columns(title: str, text: str, channel: int) -> tuple[str, ...]:
    words, grams = split_scripts(text)
    title, title_grams = split_scripts(title)
    tags = f"{ANYTHING} {kind_tag(PDF)} {channel_tag(channel)}"
    return title, words, f"{title_grams} {ANYTHING} {grams}", "", "", normal(tags)


def _announced(state: Connection, url: str) -> tuple[int, str]:
    """The channel whose entry led there, and what the entry is called."""
    query = (
        select(entries.c.channel_id, entries.c.entry)
        .join(pages, pages.c.id == entries.c.page_id)
        .where(pages.c.key == same_page_key(url))
        .order_by(entries.c.id)
        .limit(1)
    )
    row = state.execute(query).first()
    return (row.channel_id, row.entry.title or "") if row else (0, "")


def _article_of(url: str) -> int:
    """A number below zero, which no article of the state store has."""
    return -int.from_bytes(hashlib.sha256(same_page_key(url).encode()).digest()[:7]) - 1


def _file_name(url: str) -> str:
    return unquote(urlsplit(url).path.rpartition("/")[2], errors="replace") or url
