"""A site as strategies see it in a simulation: requests are answered from what was captured."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urljoin

from archiver.acquisition.sites.learning.graph_pages import graph_link, graph_page
from archiver.acquisition.sites.learning.labels import SITEMAP
from archiver.acquisition.sites.model import VisitReading
from archiver.acquisition.sites.reading import VisitedDocument, read_list, site_page
from archiver.acquisition.sites.scope import is_within
from archiver.documents.lists.shapes import FILES
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.acquisition.sites.learning.graph import GraphLink, GraphPage
    from archiver.acquisition.sites.model import VisitRead

_MOST_REDIRECTS = 5
_MOST_SITEMAPS = 1000
# Where a site that names no sitemap in robots.txt has one, as `acquisition/sites/plan.py` looks for it.
_USUAL = "/sitemap.xml"


class CapturedSite(Protocol):
    """The captures of a site."""

    def urls(self) -> Iterable[str]:
        """All that were captured."""

    def document(self, url: str) -> VisitedDocument | None:
        """What a request would bring, redirects not followed; None where nothing was captured."""


class SimulatedSite:
    """Answers requests by captures, each page read once; counts what it was asked for in vain."""

    def __init__(self, url: str, scope: str, captured: CapturedSite) -> None:
        self.url, self.scope = url, scope
        self._captured = captured
        self._pages: dict[str, GraphPage | None] = {}

    @property
    def entry(self) -> GraphLink:
        return graph_link(self.url, "")

    def read(self, url: str) -> GraphPage | None:
        """The page of an address, behind redirects as well; None where nothing is there that is a page."""
        key = same_page_key(url)
        if key not in self._pages:
            document = self.document(url)
            page = site_page(document) if document is not None and document.status in {None, 200} else None
            self._pages[key] = None if page is None else graph_page(page)
        return self._pages[key]

    def is_captured(self, url: str) -> bool:
        return self._captured.document(url) is not None

    def document(self, url: str) -> VisitedDocument | None:
        """What was captured of an address, behind redirects within the site."""
        found = self._captured.document(url)
        for _ in range(_MOST_REDIRECTS):
            target = None if found is None else _redirect(found)
            if target is None or not is_within(target, self.scope):
                return found
            found = self._captured.document(target)
        return None

    def all_pages(self) -> list[GraphPage]:
        """Each page that was captured."""
        keys = {same_page_key(url): url for url in self._captured.urls() if not FILES.search(url)}
        return [page for page in map(self.read, keys.values()) if page is not None]

    def lists(self) -> tuple[Sequence[str], Sequence[GraphLink]]:
        return self._lists

    @cached_property
    def _lists(self) -> tuple[list[str], list[GraphLink]]:
        robots = urljoin(self.url, "/robots.txt")
        named = self._read(robots, VisitReading.ROBOTS)
        waiting = [one.url for one in named.lists] if named else []
        waiting = waiting or [urljoin(self.url, _USUAL)]
        asked, links = [robots], {}
        while waiting and len(asked) < _MOST_SITEMAPS:
            sitemap = waiting.pop(0)
            if sitemap in asked:
                continue
            asked.append(sitemap)
            if (found := self._read(sitemap, VisitReading.SITEMAP)) is not None:
                links.update({one.url: graph_link(one.url, SITEMAP) for one in found.follow})
                waiting += [one.url for one in found.lists]
        return asked, list(links.values())

    def _read(self, url: str, reading: VisitReading) -> VisitRead | None:
        document = self.document(url)
        if document is None or document.status not in {None, 200}:
            return None
        given = VisitedDocument(
            url=document.url,
            content=document.content,
            content_type=document.content_type,
            reading=reading,
            scope=self.scope,
        )
        return read_list(given)


def _redirect(document: VisitedDocument) -> str | None:
    if document.status is None or not 300 <= document.status < 400:
        return None
    location = next((value for name, value in document.headers if name.lower() == "location"), None)
    return None if location is None else urljoin(document.url, location)
