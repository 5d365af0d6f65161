"""The pages of an article after its first: those of a version, and those of a look that is under way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from archiver.acquisition.outcome_words import FAILURES, in_words
from archiver.acquisition.outcomes import Failure

# msgspec reads the annotations at run time.
from archiver.acquisition.pages import PageValidators  # noqa: TC001
from archiver.archive.warc.records import Capture  # noqa: TC001
from archiver.articles.continuation.model import UNJOINED, Further
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable

# Why a page was passed over that is in the archive: it is not one of the article.
OTHER = ""
# What is often over within a day.
_PASSING = frozenset({
    Failure.RATE_LIMITED, Failure.UNAVAILABLE, Failure.SERVER_ERROR, Failure.TIMEOUT, Failure.DNS,
    Failure.CONNECTION, Failure.TRUNCATED, Failure.INTERNAL,
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherPage:
    """A page after the first, as it was fetched."""

    url: str  # as the pager has it
    capture: Capture
    validators: PageValidators | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """How far a look has come through the pages of an article."""

    pages: tuple[FurtherPage, ...] = ()
    # What is fetched next; None: nothing, or it is not known yet.
    asked: str | None = None
    # Addresses that led nowhere in this look, and the failure; `OTHER`: what is there is not of the article.
    passed: dict[str, str] = field(default_factory=dict)
    # The pages of the look before, which make requests conditional.
    before: tuple[FurtherPage, ...] = ()
    # What could not be fetched in this look, in words, and whether that may pass soon.
    lacks: str | None = None
    may_pass: bool = False

    @property
    def is_several(self) -> bool:
        """Whether the article has pages after its first, as far as is known."""
        return bool(self.pages or self.before or any(self.passed.values()))

    @property
    def further(self) -> Further:
        captures = tuple(one.capture for one in self.pages)
        return Further(captures=captures, lacks=self.lacks, may_pass=self.may_pass)

    def known(self, url: str) -> FurtherPage | None:
        return next((one for one in self.before if one.url == url), None)

    def again(self) -> Walk:
        """A new look: what was there, and what never belonged to it, is remembered."""
        passed = {url: why for url, why in self.passed.items() if why == OTHER}
        return Walk(before=self.pages or self.before, passed=passed)

    def with_page(self, page: FurtherPage) -> Walk:
        return replace(self, pages=(*self.pages, page), asked=None)

    def without(self, url: str, failure: str) -> Walk:
        """The look goes on without this page; one that is known is taken as it was last seen."""
        known = self.known(url)
        if known is None:
            return replace(self, asked=None, passed={**self.passed, url: failure})
        lacks = f"{self._unfetched(failure)}; it is as it was on {known.capture.date:%Y-%m-%d}"
        return replace(self.with_page(known), lacks=lacks, may_pass=failure in _PASSING)

    def step(self, used: int, onward: str | None, *, first: Iterable[str], most: int) -> Walk:
        """The walk after its pages were read: with what is asked for next, or at its end."""
        others = {one.url: OTHER for one in self.pages[used:]}
        here = replace(self, pages=self.pages[:used], passed=self.passed | others, asked=None)
        if onward is None or here.is_visited(onward, first):
            return here
        if failure := here.passed.get(onward):
            return here.lacking(failure)
        if onward in here.passed:
            return here
        if len(here.pages) + 1 >= most:
            return replace(here, lacks=f"it has more than {most} pages (ARTICLE_PAGES)")
        return replace(here, asked=onward)

    def lacking(self, failure: str) -> Walk:
        """The walk at its end, where the next page could not be fetched."""
        return replace(self, lacks=self._unfetched(failure), may_pass=failure in _PASSING)

    def unjoined(self) -> Walk:
        """The walk at its end, where the first page is all that the text is made of."""
        return replace(self, pages=(), asked=None, lacks=UNJOINED)

    def alone(self) -> Walk:
        """The walk without its further pages, which cannot be read; they are not asked for once more."""
        return replace(self.unjoined(), passed=self.passed | {one.url: OTHER for one in self.pages})

    def _unfetched(self, failure: str) -> str:
        """In words, of the page that would come next."""
        return f"page {len(self.pages) + 2} could not be fetched: {in_words(failure, FAILURES)}"

    def is_visited(self, url: str, first: Iterable[str]) -> bool:
        """Whether this look has been there: a pager may lead round in a circle."""
        seen = [*first, *(one.url for one in self.pages), *(one.capture.url for one in self.pages)]
        return same_page_key(url) in {same_page_key(one) for one in seen}
