"""PDF documents in the index: found by the lines of the CDXJ index, WARC file by WARC file, read once.

A WARC file counts as looked through when all of its documents are in the index: a crash leaves some to do.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import select

from archiver.archive.cdxj.files import index_files
from archiver.archive.cdxj.lines import parse_line
from archiver.search.expression import ANYTHING, channel_tag, kind_tag
from archiver.search.lines import IndexedText
from archiver.search.model import PDF
from archiver.search.stores import NewPaper, NewRow
from archiver.store.schema import entries, pages
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.stores import IndexStore

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


def new_papers(store: IndexStore, folder: Path) -> tuple[list[FoundPaper], set[str]]:
    """The documents that are not in the index yet, the oldest first, and the WARC files they may be in."""
    with store.transaction():
        seen, known = store.warcs(), store.papers()
    found: list[FoundPaper] = []
    looked: set[str] = set()
    for file in index_files(folder):
        new = file.warcs() - seen
        if new:
            found += _papers_in(file.path, new)
            looked |= new
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


def add_paper(store: IndexStore, state: Connection, found: FoundPaper, read: PaperText | None) -> None:
    """Add a document, as the newest version of what is at its address; None: nothing in it can be read."""
    channel, announced = _announced(state, found.url)
    text = read.text if read else ""
    title = (announced or (read.title if read else "") or _file_name(found.url))[:_LONGEST_TITLE]
    with store.transaction():
        number = store.add_paper(NewPaper(found.url, title, found.captured, found.warc, found.place, text))
        article = _article_of(found.url)
        row = NewRow("", number, article, store.newest_of(article) + 1, channel)
        tags = f"{ANYTHING} {kind_tag(PDF)} {channel_tag(channel)}"
        store.add(row, IndexedText(found.captured, 10_000, title, text, "", "", tags))


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
