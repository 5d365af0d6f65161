"""Which sites a run crawls: new ones, those that are not finished, finished ones again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import update

from archiver.acquisition.sites.model import SiteState, Strategy, VisitReading
from archiver.acquisition.sites.plan import ENTRY, first
from archiver.acquisition.sites.scope import scope_of
from archiver.display.when import when
from archiver.store.schema import visits
from archiver.store.whole_sites.label_seeding import seed_labels
from archiver.store.whole_sites.lists_again import rank_again
from archiver.store.whole_sites.sites import add_site, change_site, ended_of, find_site, open_sites, was_read
from archiver.store.whole_sites.visits import NOT_NEEDED, add_visits
from archiver.store.works import take_works

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.sites.learning.pattern_files import BelievedLabel
    from archiver.acquisition.sites.model import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteWish:
    """What is asked of the sites of a run."""

    # None: as the site was begun; a new one is begun with `auto`.
    strategy: Strategy | None = None
    scope: str = "auto"
    again: str = ""  # new: what was published since; all: every page; empty: what is not finished
    seed: int = 0  # of a new site: decides which of several links of one kind is followed first
    # What is believed of its links, where it does not know better itself.
    believed: tuple[BelievedLabel, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSites:
    sites: tuple[Site, ...]
    notes: tuple[str, ...] = ()


def without_others(connection: Connection, chosen: ChosenSites) -> ChosenSites:
    """Those of the sites that no other worker crawls."""
    works = {f"site {site.url}": site for site in chosen.sites}
    elsewhere = take_works(connection, list(works))
    notes = [f"The {work} is left to the worker {holder}" for work, holder in sorted(elsewhere.items())]
    left = tuple(site for work, site in works.items() if work not in elsewhere)
    return replace(chosen, sites=left, notes=(*chosen.notes, *notes))


def choose_sites(
    connection: Connection, urls: Sequence[str], wish: SiteWish, now: datetime, recorded: datetime
) -> ChosenSites:
    """Register what is new, and open what is to be crawled again; without addresses: what is not finished."""
    if not urls:
        found = tuple(open_sites(connection))
        none = "No site is unfinished: `scrapy crawl site -a url=URL` begins one"
        return ChosenSites(sites=found, notes=() if found else (none,))
    chosen: dict[int, Site] = {}
    notes: list[str] = []
    for url in urls:
        site = find_site(connection, url) or _begin(connection, url, wish, now)
        if wish.strategy not in {None, site.strategy}:
            _begin_otherwise(connection, site, wish.strategy, now)
            if wish.again == "all":
                _visit_again(connection, site, wish.again, now, recorded)
        elif site.state is SiteState.DONE and not was_read(connection, site.id):
            _try_again(connection, site, now)
        elif site.state is SiteState.DONE and not wish.again:
            ended = ended_of(connection, site.id)
            told = when(ended, now) if ended else "before"
            notes.append(f"{url} was finished {told}: -a again=new fetches what is new, again=all everything")
            continue
        elif site.state is SiteState.DONE:
            _visit_again(connection, site, wish.again, now, recorded)
        seed_labels(connection, site, wish.believed)
        opened = {"state": SiteState.OPEN, "why": None, "failures": 0, "request_limit": None}
        change_site(connection, site.id, **opened)
        chosen[site.id] = site
    return ChosenSites(sites=tuple(chosen.values()), notes=tuple(notes))


def _begin(connection: Connection, url: str, wish: SiteWish, now: datetime) -> Site:
    strategy = wish.strategy or Strategy.AUTO
    site = add_site(connection, url, scope_of(url, wish.scope), strategy, now, seed=wish.seed)
    add_visits(connection, site.id, [first(url)], now)
    return site


def _begin_otherwise(connection: Connection, site: Site, strategy: Strategy | None, now: datetime) -> None:
    """Crawl a site that is known by another strategy: from its first page, without what was read."""
    mine = (visits.c.site_id == site.id) & (visits.c.state == "settled")
    lists = (visits.c.reading != VisitReading.PAGE) | visits.c.action.startswith("list ")
    # Asked for once more where the other strategy wants them.
    connection.execute(update(visits).where(mine, lists).values(state="skipped", outcome=NOT_NEEDED))
    # As a whole, not only if it was changed: what it leads to is followed otherwise now.
    connection.execute(update(visits).where(mine, visits.c.action == ENTRY).values(validators=None))
    change_site(connection, site.id, strategy=strategy, way="", type="", software="")
    _try_again(connection, site, now)


def _try_again(connection: Connection, site: Site, now: datetime) -> None:
    """Ask once more for the first page: nothing was found without it."""
    mine = (visits.c.site_id == site.id) & (visits.c.action == ENTRY)
    connection.execute(update(visits).where(mine).values(state="pending", next_try=now, tries=0))
    change_site(connection, site.id, ended=None, plan=None)


def _visit_again(connection: Connection, site: Site, again: str, now: datetime, recorded: datetime) -> None:
    """Ask once more for what leads to pages, further pages of lists where these go on; or for all of them."""
    change_site(connection, site.id, ended=None, plan=None, again=recorded)
    if again == "new" and site.way == Strategy.LEARNED:
        rank_again(connection, site, now)
        return
    mine = (visits.c.site_id == site.id) & (visits.c.state == "settled") & (visits.c.outcome == "read")
    if again == "new":
        mine &= (~visits.c.is_content & ~visits.c.is_further) | (visits.c.action == ENTRY)
    connection.execute(update(visits).where(mine).values(state="pending", next_try=now, tries=0))
