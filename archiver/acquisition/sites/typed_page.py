"""A page of a site whose software is known, and what paths find on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge.detecting import level_of
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.selecting import select
from archiver.documents.pages.links import text_within
from archiver.documents.pages.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.model import Level, SiteType
    from archiver.acquisition.sites.reading import SitePage
    from archiver.documents.expressions.model import Expression

NO_ELEMENTS: frozenset[Element] = frozenset()


@dataclass(frozen=True, kw_only=True)
class TypedPage:
    """A page of a site whose software is known."""

    page: SitePage
    type: SiteType
    virtual: VirtualDocument
    # The site is crawled again: links that are only followed then are followed.
    is_again: bool = False
    budget: Budget = field(default_factory=Budget)

    def first(
        self,
        paths: Sequence[Expression],
        place: Element | None = None,
        outside: AbstractSet[Element] = NO_ELEMENTS,
    ) -> list[Element | str]:
        """What the first of these paths finds that finds anything."""
        for path in paths:
            found = select(path, self.virtual if place is None else place, self.budget, outside=outside)
            if found:
                return found
        return []

    @property
    def level(self) -> Level | None:
        found = level_of(self.type, self.virtual, self.budget)
        return found.level if found else None


def virtual_of(page: SitePage) -> VirtualDocument:
    document = page.document
    status = document.status or 200
    return VirtualDocument(tree=page.tree, url=document.url, status=status, headers=document.headers)


def href_of(found: Element | str) -> str:
    return found if isinstance(found, str) else found.get("href") or ""


def plain_of(found: Element | str) -> str:
    return one_line(found) if isinstance(found, str) else text_within(found)
