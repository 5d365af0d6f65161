"""Which requisites are fetched: as far as the operator's scope goes, within a share of all requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.documents.requisites.model import Kind

# A channel's own page, which CHANNEL_PAGES asks for, whatever share pages have for their looks.
HOME = "home"
# So many a day are fetched whatever else was: those that the first pages of a small archive need. Guess: a
# page has up to five styles and its article three images, so this dresses five sites.
FREE_A_DAY = 50
# Some sites give a style another query on every page, so that no browser has it twice. Others make all their
# styles at one address: guess, fewer than these.
MOST_ALIKE = 10

# What each scope has fetched, in its order: a style serves every page of its site, an image one article.
KINDS: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        "none": (),
        "article": ("image",),
        "look": ("style", "image"),
        "page": ("style", "image", "font", "script", "object", "icon"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequisiteRules:
    """What of a page's surroundings is kept with it."""

    scope: str = "none"  # none, article, look or page
    share: float = 1.0  # of all requests of a day, at most; 1: any number
    most_per_page: int = 100
    max_age: timedelta = timedelta(days=30)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return KINDS[self.scope]

    @property
    def most_alike(self) -> int | None:
        """Of styles whose addresses differ in their queries alone; None: all of them."""
        return None if self.scope == "page" else MOST_ALIKE

    @property
    def kinds_of_styles(self) -> tuple[Kind, ...]:
        """What style sheets may ask for: their images are of the page, not of the article."""
        return self.kinds if self.scope == "page" else ("style",)

    def room(self, requisites: int, others: int, *, under_way: int = 0) -> float:
        """How many more may be asked for on a day that had so many requests for them, and for all else."""
        if self.share >= 1:
            return float("inf")
        allowed = FREE_A_DAY + others * self.share / (1 - self.share) if self.share else 0
        return max(0, int(allowed) - requisites - under_way)
