"""The task that reads a document of a site."""
# ruff: noqa: PLC0415 - what performs it is imported by workers alone

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.adaptation.model import (
    LearnedAction,
    digest_of,
)
from archiver.acquisition.sites.model import Strategy, VisitRead, VisitReading
from archiver.running.workers import DocumentTask

if TYPE_CHECKING:
    from archiver.acquisition.sites.reading import SitePage
    from archiver.acquisition.sites.typed_page import TypedPage


class ReadVisit(DocumentTask[VisitRead], frozen=True, kw_only=True):
    """Find where a document of a site leads, and whether it has something to keep."""

    reading: VisitReading
    scope: str
    way: str  # the strategy
    type: str = ""  # of the site's software; empty: to be detected
    level: str = ""
    only: str = ""
    is_again: bool = False  # the site is crawled again
    # Files and folders of the knowledge base, and the digest of all; empty where nothing is known.
    knowledge: tuple[str, ...] = ()
    digest: str = ""
    # What was learned on the site, in place of actions that fail there.
    learned: tuple[LearnedAction, ...] = ()

    def perform(self) -> VisitRead:
        from archiver.acquisition.sites import reading as read

        stored = self.stored()
        document = read.VisitedDocument(
            url=self.url,
            content=stored.content,
            content_type=stored.content_type,
            status=stored.status,
            headers=stored.headers,
            reading=self.reading,
            scope=self.scope,
            level=self.level,
            only=self.only,
        )
        if self.reading is not VisitReading.PAGE:
            return self._to_be_followed(read.read_list(document))
        page = read.site_page(document)
        if page is None:
            return VisitRead()
        return self._known(page) or self._unknown(page)

    def _to_be_followed(self, listed: VisitRead) -> VisitRead:
        """What a list names, without what is known to show other pages once more."""
        if not (self.type and self.knowledge):
            return listed
        from archiver.acquisition.sites.knowledge.loading import loaded_knowledge
        from archiver.acquisition.sites.known import without_avoided

        kind = loaded_knowledge(self.knowledge, self.digest).types.get(self.type)
        return listed if kind is None else without_avoided(listed, kind)

    def _unknown(self, page: SitePage) -> VisitRead:
        from archiver.acquisition.sites import reading as read
        from archiver.acquisition.sites.learning.reading import read_to_learn

        if self.way in {Strategy.AUTO, Strategy.LEARNED}:
            return read_to_learn(page)
        return read.read_listed(page) if self.way == Strategy.SITEMAP else read.read_blindly(page)

    def _known(self, page: SitePage) -> VisitRead | None:
        """What is known of the page; None where its software is not, or is not to be asked about."""
        if not self.knowledge or not (self.type or self.way in {Strategy.AUTO, Strategy.KNOWN}):
            return None
        from archiver.acquisition.sites.adaptation.slots import adapted_type
        from archiver.acquisition.sites.knowledge.detecting import known_type
        from archiver.acquisition.sites.knowledge.loading import loaded_knowledge
        from archiver.acquisition.sites.typed_page import TypedPage, virtual_of

        base, virtual = loaded_knowledge(self.knowledge, self.digest), virtual_of(page)
        kind = base.types.get(self.type) if self.type else known_type(virtual, base)
        if kind is None:
            return None
        kind = adapted_type(kind, self.learned)
        read = self._by_type(TypedPage(page=page, type=kind, virtual=virtual, is_again=self.is_again))
        return msgspec.structs.replace(read, learned=digest_of(self.learned))

    def _by_type(self, page: TypedPage) -> VisitRead:
        from archiver.acquisition.sites.known import (
            read_first,
            read_known,
            read_known_blindly,
            read_known_to_learn,
        )

        if self.way == Strategy.BLIND:
            return read_known_blindly(page)
        if self.way == Strategy.LEARNED:
            return read_known_to_learn(page)
        return read_first(page) if self.way == Strategy.AUTO else read_known(page)
