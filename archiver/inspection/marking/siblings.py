"""Pages of the archive that are made like a page: of its channel or site, and of the same template."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.archive.memento.captures import nearest
from archiver.articles.methods.article.memory import ALIKE, likeness, signature_of
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import cleaned
from archiver.documents.pages.text import one_line
from archiver.errors import ArchiveError, ArchiverError
from archiver.inspection.announced import announced_page, siblings_of
from archiver.inspection.captures.addresses import list_addresses
from archiver.inspection.pages import read_document
from archiver.inspection.showing.kept import followed
from archiver.urls import redact, request_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.documents.expressions.document import VirtualDocument

# Addresses of one folder of a site that are looked at, and pages that are parsed for each one that is alike.
_LOOKED_AT = 300
_TRIED = 3
# Of a record, compressed: longer pages are passed over, since many are read while a person waits.
_LONGEST_RECORD = 400_000
_REMEMBERED = 80


@dataclass(frozen=True, kw_only=True)
class LikePage:
    """A page that is made like another, and its capture."""

    line: CdxLine
    document: VirtualDocument

    @cached_property
    def signature(self) -> frozenset[str]:
        return signature_of(outline_of(cleaned(self.document.tree)))

    @property
    def title(self) -> str:
        found = self.document.tree.find(".//title")
        return one_line("".join(map(str, found.itertext()))) if found is not None else ""


class PageMemory:
    """Pages that were parsed lately: a person looks at the same ones again and again."""

    def __init__(self) -> None:
        self._pages: OrderedDict[tuple[str, int], LikePage] = OrderedDict()

    def read(self, index: Index, warc: Path, line: CdxLine) -> LikePage:
        """Raises ArchiverError where the capture cannot be read, or is not a page."""
        place = str(warc / line.filename), line.offset
        if place not in self._pages:
            self._pages[place] = LikePage(line=line, document=read_document(index, warc, line))
        self._pages.move_to_end(place)
        while len(self._pages) > _REMEMBERED:
            self._pages.popitem(last=False)
        return self._pages[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingSearch:
    """Where pages are looked for."""

    index: Index
    warc: Path
    state: Connection
    memory: PageMemory = field(default_factory=PageMemory)

    def page(self, url: str, at: datetime) -> LikePage:
        """The page of an address at a moment. Raises ArchiverError."""
        copy = followed(self.index, self.warc, url, at)
        if copy is None:
            raise ArchiveError(f"{redact(url)} is not in the archive")
        return self.memory.read(self.index, self.warc, copy.line)

    def like(self, page: LikePage, most: int) -> list[LikePage]:
        """The pages that are alike: of the same channel first, then those whose addresses are nearest."""
        found: list[LikePage] = []
        seen = {page.line.digest}
        for line in islice(self._candidates(page.line), _TRIED * most):
            # The same bytes under another address say nothing new.
            if line.digest in seen or line.length > _LONGEST_RECORD:
                continue
            seen.add(line.digest)
            read = self._read(line)
            if read is not None and likeness(page.signature, read.signature) >= ALIKE:
                found.append(read)
            if len(found) == most:
                break
        return found

    def _read(self, line: CdxLine) -> LikePage | None:
        try:
            return self.memory.read(self.index, self.warc, line)
        except ArchiverError:
            # Damaged, or not a page: `scrapy verify` tells of the first.
            return None

    def _candidates(self, line: CdxLine) -> Iterator[CdxLine]:
        """Captures of other addresses, each once, as they were at the time of the page."""
        known = {line.key}
        for address in self._addresses(line):
            found = nearest(self.index, address, line.date)
            if found is not None and found.key not in known and _is_page(found):
                known.add(found.key)
                yield found

    def _addresses(self, line: CdxLine) -> Iterator[str]:
        announced = announced_page(self.state, line.url)
        if announced is not None:
            for one in siblings_of(self.state, announced, _LOOKED_AT):
                yield one.capture.url
        for folder in _folders(line.url):
            # Those behind it in the order of addresses, then from the first one on.
            for after in (line.key, None):
                listed = list_addresses(self.index, folder, limit=_LOOKED_AT, after=after)
                yield from (one.url for one in listed.addresses)


def _folders(url: str) -> Iterator[str]:
    """The folders that an address is in, the innermost first."""
    parts = urlsplit(request_url(url))
    steps = parts.path.split("/")
    for length in range(len(steps) - 1, 0, -1):
        yield f"{parts.scheme}://{parts.netloc}{'/'.join(steps[:length])}/"


def _is_page(line: CdxLine) -> bool:
    return line.is_revisit or (line.status == "200" and "html" in (line.mime or ""))
