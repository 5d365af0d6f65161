"""`learned` as a crawl does it, in a state store that is thrown away: only the network is left out."""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from archiver.acquisition.outcomes import Failed, Failure, failure_of_status
from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.sites.learning.reading import read_to_learn
from archiver.acquisition.sites.model import Strategy, VisitFetch, VisitRead, VisitReading
from archiver.acquisition.sites.plan import ENTRY
from archiver.acquisition.sites.reading import read_list, site_page
from archiver.archive.objects.writer import ObjectWriter
from archiver.store.database import Database
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from archiver.store.whole_sites.sites import site_by_id
from archiver.store.whole_sites.visited import store_visit
from archiver.store.whole_sites.visits import pending_visits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.acquisition.sites.model import PendingVisit
    from archiver.acquisition.sites.reading import VisitedDocument
    from archiver.inspection.sites.simulation.site import SimulatedSite

_UNDER_WAY = 8
# Nothing depends on the time: all happens at once.
_NOW = datetime(2000, 1, 1, tzinfo=UTC)


def learned_crawl(site: SimulatedSite, seed: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="archiver-simulation-") as name:
        folder = Path(name)
        with closing(Database(f"sqlite:///{folder / 'state.sqlite'}")) as database:
            yield from _crawl(site, seed, database, ObjectWriter(folder, []))


def _crawl(site: SimulatedSite, seed: int, database: Database, objects: ObjectWriter) -> Iterator[str]:
    wish = SiteWish(strategy=Strategy.LEARNED, seed=seed)
    (chosen,) = database.run(choose_sites, [site.url], wish, _NOW, _NOW).sites
    while due := database.run(_due, chosen.id):
        for visit in due:
            yield visit.url
            fetch = _fetch(site, visit)
            database.run(store_visit, objects, fetch, policy=PagePolicy(), recorded=_NOW, now=_NOW)


def _due(connection: Connection, site_id: int) -> list[PendingVisit]:
    site = site_by_id(connection, site_id)
    return pending_visits(connection, _NOW, [site], limit=_UNDER_WAY, busy=())


def _fetch(site: SimulatedSite, visit: PendingVisit) -> VisitFetch:
    document = site.document(visit.url)
    failure = Failure.NOT_FOUND if document is None else failure_of_status(document.status or 200)
    if document is None or failure is not None:
        return VisitFetch(visit=visit, url=visit.url, failed=Failed(failure=failure or Failure.NOT_FOUND))
    read = _read(replace(document, reading=visit.reading, scope=visit.site.scope))
    if visit.action == ENTRY:
        robots = site.document(urljoin(site.url, "/robots.txt"))
        if robots is not None and robots.status in {None, 200}:
            named = _read(replace(robots, reading=VisitReading.ROBOTS, scope=visit.site.scope))
            read = msgspec.structs.replace(read, sitemaps=named.lists)
    return VisitFetch(visit=visit, url=document.url, read=read)


def _read(document: VisitedDocument) -> VisitRead:
    if document.reading is not VisitReading.PAGE:
        return read_list(document)
    page = site_page(document)
    return VisitRead() if page is None else read_to_learn(page)
