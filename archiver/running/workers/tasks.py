"""Tasks that read single documents, and their results: tasks name WARC records, bodies never travel.

What performs them is imported by workers alone: it takes long, and the crawl has no use for it.
"""
# ruff: noqa: PLC0415 - as said above

from __future__ import annotations

import sys
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec

# msgspec reads the annotations at run time.
from archiver.acquisition.rechecks.sitemaps import SitemapRead, read_sitemap_of
from archiver.documents.contributions import Contribution  # noqa: TC001
from archiver.documents.feeds.discovered import DiscoveredFeed  # noqa: TC001
from archiver.documents.feeds.model import ParsedFeed  # noqa: TC001
from archiver.documents.lists.model import ArchivePage, Ask
from archiver.documents.requisites.model import Kind, Requisite, Scope  # noqa: TC001
from archiver.running.workers import DocumentTask, Task

if TYPE_CHECKING:
    from archiver.archive.warc.reader import StoredResponse

# A proof loads everything that reading may need, perhaps on a machine that is in trouble.
_PROOF = 20.0


class FeedRead(msgspec.Struct, frozen=True, kw_only=True):
    feed: ParsedFeed | None = None
    discovered: tuple[DiscoveredFeed, ...] | None = None
    # Of a page that names no feed: the links that may lead to one.
    leads: tuple[str, ...] = ()
    problem: str = ""
    # The document ends before it is whole; `feed` is what of it can be used.
    broken_off: bool = False


class ReadFeed(DocumentTask[FeedRead], frozen=True, kw_only=True):
    """Read a feed from its record; where it is a web page, find the feeds that it names."""

    def perform(self) -> FeedRead:
        from archiver.running.workers.documents import read_feed

        return read_feed(self)


class CommentFeedRead(msgspec.Struct, frozen=True, kw_only=True):
    found: tuple[Contribution, ...] = ()
    problem: str = ""


class ReadCommentFeed(DocumentTask[CommentFeedRead], frozen=True, kw_only=True):
    """Read the feed of an article's comments from its record."""

    def perform(self) -> CommentFeedRead:
        from archiver.running.workers.documents import read_comment_feed

        return read_comment_feed(self)


class StyleRead(msgspec.Struct, frozen=True, kw_only=True):
    requisites: tuple[Requisite, ...] = ()
    problem: str = ""


class ReadStyle(DocumentTask[StyleRead], frozen=True, kw_only=True):
    """Find what a style sheet in its record needs."""

    most: int
    kinds: tuple[Kind, ...]

    def perform(self) -> StyleRead:
        # Not all archives keep styles, and its patterns take long to make.
        from archiver.documents.requisites.css import style_requisites

        stored = self.stored()
        found = style_requisites(
            stored.content,
            url=self.url,
            content_type=stored.content_type,
            limit=self.most,
            kinds=self.kinds,
        )
        return StyleRead(requisites=tuple(found))


class ReadLook(DocumentTask[StyleRead], frozen=True, kw_only=True):
    """Find what a page that is not read for an article needs to be shown."""

    scope: Scope
    most: int

    def perform(self) -> StyleRead:
        from archiver.documents.requisites.page import page_requisites

        stored = self.stored()
        kind = stored.content_type
        found = page_requisites(
            stored.content, url=self.url, content_type=kind, scope=self.scope, limit=self.most
        )
        return StyleRead(requisites=tuple(found))


class ReadArchivePage(DocumentTask[ArchivePage], frozen=True, kw_only=True):
    """Read a document in which entries may be that a feed no longer shows."""

    ask: Ask
    examples: tuple[str, ...] = ()
    since: datetime | None = None
    # Files and folders of the knowledge base, and the digest of all; empty where nothing is known.
    knowledge: tuple[str, ...] = ()
    digest: str = ""

    def perform(self) -> ArchivePage:
        from archiver.documents.lists.read import read_document

        stored = self.stored()
        page = read_document(
            stored.content,
            self.ask,
            url=self.url,
            content_type=stored.content_type,
            examples=self.examples,
            since=self.since,
            headers=stored.headers,
        )
        return self._with_knowledge(page, stored) if self.knowledge else page

    def _with_knowledge(self, page: ArchivePage, stored: StoredResponse) -> ArchivePage:
        from archiver.acquisition.channels.gaps.knowledge import with_knowledge
        from archiver.acquisition.sites.knowledge.loading import loaded_knowledge
        from archiver.acquisition.sites.reading import VisitedDocument
        from archiver.acquisition.sites.scope import scope_of

        document = VisitedDocument(
            url=self.url,
            content=stored.content,
            content_type=stored.content_type,
            status=stored.status,
            headers=stored.headers,
            scope=scope_of(self.url, "host"),
        )
        base = loaded_knowledge(self.knowledge, self.digest)
        return with_knowledge(page, document, self.ask.way, base, self.since)


class ReadSitemap(DocumentTask[SitemapRead], frozen=True, kw_only=True):
    """Read what a sitemap, or a robots.txt, says of a host's pages."""

    host: str

    def perform(self) -> SitemapRead:
        return read_sitemap_of(self.stored().content, url=self.url, host=self.host)


class PdfRead(msgspec.Struct, frozen=True, kw_only=True):
    title: str = ""
    text: str = ""
    problem: str = ""


class ReadPdf(DocumentTask[PdfRead], frozen=True, kw_only=True):
    """Read the text of a PDF document, for the search index."""

    def perform(self) -> PdfRead:
        from archiver.documents.pdf import read_pdf

        found = read_pdf(self.stored().content)
        return PdfRead(title=found.title, text=found.text, problem=found.problem)


class ProveYourself(Task[None], frozen=True, kw_only=True):
    """Read a feed and a page that are known to be readable: a worker that cannot blames no document."""

    # What pages are read with; None where they are not read.
    method: str | None = None

    def perform(self) -> None:
        from archiver.running.workers.documents import prove

        prove(self.method)

    def patience(self) -> float:
        return _PROOF


class ImportModules(Task[None], frozen=True, kw_only=True):
    """Import what a task needs, before its time counts."""

    modules: tuple[str, ...]
    # Where the crawl looks for modules: Scrapy adds the folder of its project, wherever it is started.
    path: tuple[str, ...] = ()

    def perform(self) -> None:
        sys.path += [folder for folder in self.path if folder not in sys.path]
        for module in self.modules:
            import_module(module)

    def patience(self) -> float:
        return _PROOF
