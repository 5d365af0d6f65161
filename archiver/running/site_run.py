"""The sites that a run crawls, and how much it may spend on them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.model import PendingVisit, SiteState, Strategy
from archiver.display.tables import many
from archiver.display.when import length
from archiver.store.whole_sites.orders import KIND, SiteOrder
from archiver.store.whole_sites.sites import site_by_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.sites.model import Site
    from archiver.archive.inbox import InboxRequest
    from archiver.store.whole_sites.expected import Expected
    from archiver.store.whole_sites.visited import VisitResult


_HOW: dict[str, str] = {
    Strategy.KNOWN: "with the knowledge base",
    Strategy.LEARNED: "by the links that are found to pay",
    Strategy.SITEMAP: "by its sitemap",
}


@dataclass(slots=True, kw_only=True)
class SiteRun:
    """Counts what a run spends on sites."""

    ids: tuple[int, ...]
    # Requests, and when the run asks for nothing more.
    limit: int | None = None
    until: float | None = None  # by time.monotonic
    delay: float = 0.0  # seconds between two requests to a host, at least
    tell: Callable[[str], None]
    requests: int = 0
    # Of them, those to sites that have a limit of their own: the limit of the run is not for these.
    apart: int = 0
    done: list[str] = field(default_factory=list)
    # How the last document of each failed, of those that did.
    failures: dict[int, Failed] = field(default_factory=dict)
    # Whose crawl was paused or stopped while this run went on.
    resting: set[int] = field(default_factory=set)

    def room(self, limit: int, *, under_way: int) -> int:
        """How many documents may be asked for now, at most `limit`."""
        if self.is_over:
            return 0
        return limit if self.limit is None else max(0, min(limit, self.limit - self.counted - under_way))

    @property
    def counted(self) -> int:
        return self.requests - self.apart

    @property
    def is_over(self) -> bool:
        return self.until is not None and time.monotonic() >= self.until

    def of_run(self, connection: Connection) -> Sequence[Site]:
        """The sites as they are now, without those that were paused meanwhile."""
        found = (site_by_id(connection, number) for number in self.ids)
        return [site for site in found if site.state is SiteState.OPEN]

    def heed(self, site: Site) -> None:
        """Take up a site that was ordered to be crawled, or let one rest."""
        if site.state is not SiteState.OPEN:
            self.resting.add(site.id)
            return
        self.resting.discard(site.id)
        if site.id not in self.ids:
            self.ids = (*self.ids, site.id)

    def rests(self, target: object) -> bool:
        """Whether something is a document of a site that rests."""
        return isinstance(target, PendingVisit) and target.site.id in self.resting

    def plan_in_words(self, site: Site, expected: Expected) -> str:
        """What was found, and what it is going to cost."""
        found = expected.software or "unknown software"
        how = _HOW.get(expected.way, "by following all links")
        least = "at least " if expected.is_open else "about "
        spent = f"{least}{many(expected.requests, 'request')}"
        if self.delay:
            spent += f", {length(expected.requests * self.delay)} at one request every {self.delay:g} s"
        return f"{site.url}: {found}, crawled {how}: {spent}"

    def stored(self, result: VisitResult, failed: Failed | None) -> None:
        self.requests += 1
        self.apart += result.site.limit is not None
        if failed is not None:
            self.failures[result.site.id] = failed
        if result.is_done:
            self.done.append(result.site.url)


def site_orders_of(requests: Sequence[InboxRequest]) -> list[SiteOrder]:
    """Those of what was taken up that are about sites."""
    return [msgspec.json.decode(one.what, type=SiteOrder) for one in requests if one.kind == KIND]
