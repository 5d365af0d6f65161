"""What the knowledge base says of a page of a campaign: which links lead to content, and its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.links import CONTENT, LIST, OTHER
from archiver.acquisition.sites.addresses import is_avoided, without_parameters
from archiver.acquisition.sites.knowledge.detecting import known_type
from archiver.acquisition.sites.known import read_known
from archiver.acquisition.sites.model import CANONICAL
from archiver.acquisition.sites.reading import SitePage, VisitedDocument
from archiver.acquisition.sites.typed_page import TypedPage, virtual_of
from archiver.urls import host_of, same_page_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import SiteType
    from archiver.acquisition.sites.model import VisitRead


@dataclass(frozen=True, kw_only=True)
class KnownSoftware:
    """A page of an application that the knowledge base knows."""

    host: str
    type: SiteType
    # What stands on a list beside what it lists is chrome; what stands in a post may lead to another one.
    is_list: bool = False
    # How much each address that it leads to is worth, by its key.
    worths: Mapping[str, float] = field(default_factory=dict)
    # What readers and others wrote on it, one by one.
    parts: Sequence[str] = ()

    def worth(self, url: str) -> float | None:
        """How much an address of the application is worth following; None: never; 0: nothing is known."""
        if host_of(url) != self.host:
            return 0.0
        plain = self.plain(url)
        if is_avoided(plain, self.type.avoid):
            return None
        return self.worths.get(same_page_key(plain), OTHER if self.is_list else 0.0)

    def plain(self, url: str) -> str:
        """An address without what makes several of one page."""
        return without_parameters(url, self.type.same.drop) if host_of(url) == self.host else url


def software_of(
    document: VisitedDocument, tree: Element, base: str, known: KnowledgeBase
) -> KnownSoftware | None:
    """What is known of a page; None where its software is not."""
    page = SitePage(document=document, tree=tree, base=base)
    virtual = virtual_of(page)
    kind = known_type(virtual, known)
    if kind is None:
        return None
    read = read_known(TypedPage(page=page, type=kind, virtual=virtual))
    return KnownSoftware(
        host=host_of(document.url),
        type=kind,
        is_list=any(one.name == read.level and not one.is_terminal for one in kind.levels),
        worths=_worths(read),
        parts=tuple(one.text for one in read.contributions),
    )


def _worths(read: VisitRead) -> dict[str, float]:
    found: dict[str, float] = {}
    for link in read.follow:
        if link.action != CANONICAL:
            worth = CONTENT if link.is_item and not link.is_repeat else LIST
            found[same_page_key(link.url)] = max(worth, found.get(same_page_key(link.url), 0.0))
    return found
