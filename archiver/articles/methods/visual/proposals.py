"""Fields that no person pointed at: models propose them, and pages that agree become examples (LWI, 3.3)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.methods.visual.features import IS_DATE
from archiver.articles.methods.visual.main_image import seen_images
from archiver.articles.methods.visual.model import shipped_model
from archiver.articles.methods.visual.recognition import seen_page
from archiver.documents.pages.blocks import step_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage

# Fields that the shipped models know, and what they are called in a wrapper: objects have the other names.
PROPOSED = {"title": "headline", "published": "dateline", "image": "picture"}
# Types of the values in a wrapper; a headline is text.
PROPOSED_TYPES = {"dateline": "date", "picture": "image"}
# A date with its year, however it is written.
_DAY = re.compile(rf"(?:{IS_DATE.pattern})(?:,?\s+(?:19|20)\d\d\b)?", re.IGNORECASE)
# Fewer pages, or a smaller share of them that agree, prove nothing; guesses. Where a site was hardly begun,
# listings win the vote (4.6).
LEAST_PAGES = 10
LEAST_SHARE = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a model takes for a field on a page."""

    element: Element
    value: str
    # The tags and names from the root to the element, without positions: the same on pages of one template.
    path: str
    likelihood: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPage:
    url: str
    fields: Mapping[str, Proposal]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedGroup:
    """Pages on which the fields stand in the same places."""

    fields: tuple[str, ...]
    pages: Sequence[ProposedPage]
    # How many pages were looked at.
    looked_at: int

    @property
    def is_enough(self) -> bool:
        is_most = len(self.pages) >= LEAST_SHARE * self.looked_at
        return bool(self.fields) and self.looked_at >= LEAST_PAGES and is_most


def proposed_page(page: ParsedPage) -> ProposedPage:
    """What each model finds on a page; a field that nothing looks like is left out."""
    seen = seen_page(page)
    title = seen.title.text if seen.title else ""
    found = {}
    if seen.title is not None:
        found["title"] = _proposal(seen.title.element, title, 1.0)
    if day := seen.best_text(shipped_model("published")):
        # A line says more than the day; the rule is to find the day in it.
        told = _DAY.search(day[0].text)
        found["published"] = _proposal(day[0].element, told[0] if told else day[0].text, day[1])
    if image := seen_images(page, "", title).best(shipped_model("image")):
        found["image"] = _proposal(image[0].element, image[0].source, image[1])
    return ProposedPage(url=page.url, fields=found)


def _proposal(element: Element, value: str, likelihood: float) -> Proposal:
    return Proposal(element=element, value=value, path=canonical_path(element), likelihood=likelihood)


def canonical_path(element: Element) -> str:
    return "/".join(reversed([step_of(one) for one in (element, *element.iterancestors())]))


def largest_group(pages: Sequence[ProposedPage]) -> ProposedGroup:
    """The pages whose fields stand where they stand on most pages; fields that move about are left out."""
    fields = tuple(field for field in PROPOSED if _commonest(pages, field)[1] >= LEAST_SHARE * len(pages))
    tuples = Counter(_paths(page, fields) for page in pages if all(field in page.fields for field in fields))
    if not fields or not tuples:
        return ProposedGroup(fields=(), pages=(), looked_at=len(pages))
    most = max(tuples, key=lambda one: (tuples[one], one))
    agreed = [page for page in pages if _paths(page, fields) == most]
    return ProposedGroup(fields=fields, pages=agreed, looked_at=len(pages))


def _commonest(pages: Sequence[ProposedPage], field: str) -> tuple[str, int]:
    paths = Counter(page.fields[field].path for page in pages if field in page.fields)
    return max(paths.items(), key=lambda one: (one[1], one[0]), default=("", 0))


def _paths(page: ProposedPage, fields: Sequence[str]) -> tuple[str, ...]:
    return tuple(page.fields[field].path if field in page.fields else "" for field in fields)
