"""What a person wants of a site's crawl: that it begins, rests, goes on or ends. Taken up from the inbox."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.acquisition.sites.model import SiteState, Strategy
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from archiver.store.whole_sites.sites import change_site, find_site

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

KIND = "site"


class SiteAction(StrEnum):
    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"


class SiteOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What is to happen with the crawl of a site."""

    action: SiteAction
    url: str
    # Where it is begun: how its pages are found, and how many requests it may take from now on.
    strategy: Strategy = Strategy.AUTO
    limit: Annotated[int, msgspec.Meta(ge=1)] | None = None


BY_HAND = "by hand"
# In which states an order means something.
FROM = {
    SiteAction.PAUSE: {SiteState.OPEN},
    SiteAction.RESUME: {SiteState.PAUSED, SiteState.STOPPED},
    SiteAction.STOP: {SiteState.OPEN, SiteState.PAUSED},
}
_TO = {
    SiteAction.PAUSE: SiteState.PAUSED,
    SiteAction.RESUME: SiteState.OPEN,
    SiteAction.STOP: SiteState.STOPPED,
}


def apply_site_order(connection: Connection, order: SiteOrder, at: datetime) -> None:
    """Do what is ordered, where the site is in a state for it. LookupError: there is no such site."""
    if order.action is SiteAction.START:
        _start(connection, order, at)
        return
    site = find_site(connection, order.url)
    if site is None:
        raise LookupError(f"no site is called {order.url}")
    if site.state not in FROM[order.action]:
        return
    state = _TO[order.action]
    why = None if state is SiteState.OPEN else BY_HAND
    limit = {"request_limit": None} if state is SiteState.OPEN else {}
    change_site(connection, site.id, state=state, why=why, **limit)


def _start(connection: Connection, order: SiteOrder, at: datetime) -> None:
    strategy = order.strategy if order.strategy is not Strategy.AUTO else None
    wish = SiteWish(strategy=strategy, again="new")
    (site,) = choose_sites(connection, [order.url], wish, at, at).sites
    if order.limit is not None:
        change_site(connection, site.id, request_limit=site.requests + order.limit)
