"""The task that learns, from pages of a site, what does in place of actions that fail there."""
# ruff: noqa: PLC0415 - what performs it is imported by workers alone

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.adaptation.model import Adapted, LearnedAction
from archiver.archive.warc.reader import read_response
from archiver.articles.methods.registry import DEFAULT
from archiver.errors import RecordError
from archiver.running.workers import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.acquisition.sites.adaptation.sampling import PageToAdapt
    from archiver.acquisition.sites.reading import SitePage

# Times what one page may take.
_PATIENCE = 5.0
# All pages are in memory at once, as trees.
_MOST_BYTES = 10_000_000


class RecordOfPage(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    offset: int


class PageRecords(msgspec.Struct, frozen=True, kw_only=True):
    """A page to learn from: where it is in the archive, and an earlier capture of it."""

    url: str
    now: RecordOfPage
    before: RecordOfPage | None = None
    is_further: bool = False


class AdaptLevel(Task[Adapted], frozen=True, kw_only=True):
    """Find which actions of a level fail on these pages, and learn others in their place."""

    folder: str
    scope: str
    type: str
    level: str
    pages: tuple[PageRecords, ...]
    learned: tuple[LearnedAction, ...] = ()  # what is in use
    knowledge: tuple[str, ...]
    digest: str

    def perform(self) -> Adapted:
        from archiver.acquisition.sites.adaptation.sampling import LevelToAdapt, adapt_level
        from archiver.acquisition.sites.knowledge.loading import loaded_knowledge

        base = loaded_knowledge(self.knowledge, self.digest)
        asked = LevelToAdapt(base=base, type=self.type, level=self.level, learned=self.learned)
        return adapt_level(asked, list(self._pages()))

    def _pages(self) -> Iterator[PageToAdapt]:
        from archiver.acquisition.sites.adaptation.sampling import PageToAdapt

        size = 0
        for one in self.pages:
            now = self._page(one.url, one.now)
            size += len(now.document.content) if now is not None else 0
            if size > _MOST_BYTES:
                return
            if now is not None:
                before = self._page(one.url, one.before) if one.before is not None else None
                yield PageToAdapt(now=now, before=before, is_further=one.is_further)

    def _page(self, url: str, place: RecordOfPage) -> SitePage | None:
        """The page as its record has it; None for one that cannot be read."""
        from archiver.acquisition.sites.reading import VisitedDocument, site_page

        try:
            stored = read_response(Path(self.folder), place.file, place.offset)
        except RecordError:
            return None
        return site_page(
            VisitedDocument(
                url=url,
                content=stored.content,
                content_type=stored.content_type,
                status=stored.status,
                headers=stored.headers,
                scope=self.scope,
            )
        )

    def patience(self) -> float:
        return _PATIENCE

    def extracts_with(self) -> str:
        return DEFAULT
