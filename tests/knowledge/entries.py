"""Small pages in the shape of those of applications, read by the knowledge that ships."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge.detecting import known_type
from archiver.acquisition.sites.knowledge.loading import BUILTIN, load_knowledge
from archiver.acquisition.sites.known import read_known
from archiver.acquisition.sites.reading import VisitedDocument, site_page
from archiver.acquisition.sites.typed_page import TypedPage, virtual_of

if TYPE_CHECKING:
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import SiteType
    from archiver.acquisition.sites.model import VisitRead
    from archiver.acquisition.sites.reading import SitePage

SITE = "http://site.example/"


@lru_cache(maxsize=1)
def base() -> KnowledgeBase:
    return load_knowledge([BUILTIN])


def page_of(html: str, path: str = "") -> SitePage:
    document = VisitedDocument(
        url=SITE + path,
        content=html.encode(),
        content_type="text/html; charset=utf-8",
        status=200,
        scope="site.example/",
    )
    page = site_page(document)
    assert page is not None
    return page


def detected(html: str) -> str | None:
    found = known_type(virtual_of(page_of(html)), base())
    return found.type if found else None


def read(kind: str, html: str, path: str = "") -> VisitRead:
    page = page_of(html, path)
    known: SiteType = base().types[kind]
    return read_known(TypedPage(page=page, type=known, virtual=virtual_of(page)))


def leads(found: VisitRead) -> dict[str, list[str]]:
    """Where a page leads, by action, with the addresses below the site."""
    followed: dict[str, list[str]] = {}
    for link in found.follow:
        followed.setdefault(link.action, []).append(link.url.removeprefix(SITE))
    return followed
