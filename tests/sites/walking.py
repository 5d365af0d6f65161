"""A site crawled in one process, with the real reading and the real store: only the network is left out."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import msgspec

from archiver.acquisition.outcomes import Failed, failure_of_status
from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.sites.model import Strategy, VisitFetch, VisitReading
from archiver.acquisition.sites.plan import ENTRY
from archiver.archive.warc.reader import StoredResponse
from archiver.running.workers.visits import ReadVisit
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from archiver.store.whole_sites.sites import site_by_id
from archiver.store.whole_sites.visited import store_visit
from archiver.store.whole_sites.visits import pending_visits
from tests.objects.writers import object_writer
from tests.store.samples import capture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.sites.model import PendingVisit
    from archiver.store.database import Database

NOW = datetime(2026, 3, 1, tzinfo=UTC)
UNDER_WAY = 8


class SiteAnswer(Protocol):
    """What a site answers, and what it is."""

    body: str
    status: int
    content_type: str
    content: str
    is_trap: bool
    kind: str
    url: str  # where redirects led to; empty: what was asked for


class WalkedSite(Protocol):
    host: str

    def answer(self, target: str) -> SiteAnswer: ...


@dataclass(slots=True)
class Walked:
    """What a crawl asked for."""

    requests: int = 0
    traps: Counter[str] = field(default_factory=Counter)
    content: set[str] = field(default_factory=set)
    site_id: int = 0
    targets: list[str] = field(default_factory=list)
    # How often which kind of page was asked for.
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def trap_share(self) -> float:
        return self.traps.total() / max(1, self.requests)


class _ReadHeld(ReadVisit, frozen=True, kw_only=True):
    """Reads a document as workers do, from memory."""

    held: bytes
    content_type: str

    def stored(self) -> StoredResponse:
        return StoredResponse(url=self.url, content=self.held, content_type=self.content_type, status=200)


def walk(
    database: Database,
    folder: Path,
    site: WalkedSite,
    *,
    most: int = 50_000,
    wish: SiteWish | None = None,
    at: datetime = NOW,
    tell: Callable[[Walked], None] = lambda _: None,
) -> Walked:
    """Crawl a generated site to its end: by all links, unless something else is wished."""
    wish = wish or SiteWish(strategy=Strategy.BLIND)
    (chosen,) = database.run(choose_sites, [f"http://{site.host}/"], wish, at, at).sites
    walked = Walked(site_id=chosen.id)
    with closing(object_writer(folder)) as objects:
        while walked.requests < most:
            due = database.run(_due, chosen.id, at)
            if not due:
                break
            answers = [(visit, _ask(site, walked, visit)) for visit in due]
            for visit, answer in answers:
                fetch = _read(site, visit, answer)
                database.run(store_visit, objects, fetch, policy=PagePolicy(), recorded=at, now=at)
            tell(walked)
    return walked


def _due(connection: Connection, site_id: int, at: datetime) -> list[PendingVisit]:
    site = site_by_id(connection, site_id)
    return pending_visits(connection, at, [site], limit=UNDER_WAY, busy=())


def _ask(site: WalkedSite, walked: Walked, visit: PendingVisit) -> SiteAnswer:
    parts = urlsplit(visit.url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    answer = site.answer(target)
    walked.requests += 1
    walked.targets.append(target)
    walked.kinds[answer.kind] += 1
    if answer.is_trap:
        walked.traps[target] += 1
    if answer.content:
        walked.content.add(answer.content)
    return answer


def _read(site: WalkedSite, visit: PendingVisit, answer: SiteAnswer) -> VisitFetch:
    url, failure = answer.url or visit.url, failure_of_status(answer.status)
    if failure is not None:
        return VisitFetch(visit=visit, url=url, failed=Failed(failure=failure))
    read = _task(visit, answer, visit.reading).perform()
    if visit.action == ENTRY and visit.site.strategy is not Strategy.BLIND:
        # As the spider does: robots.txt costs no request, and names sitemaps.
        robots = _task(visit, site.answer("/robots.txt"), VisitReading.ROBOTS).perform()
        read = msgspec.structs.replace(read, sitemaps=robots.lists)
    return VisitFetch(visit=visit, url=url, read=read, capture=capture(visit.id))


def _task(visit: PendingVisit, answer: SiteAnswer, reading: VisitReading) -> ReadVisit:
    site = visit.site
    return _ReadHeld(
        url=answer.url or visit.url,
        folder="",
        file="",
        offset=0,
        held=answer.body.encode(),
        content_type=answer.content_type,
        reading=reading,
        scope=site.scope,
        way=site.way or site.strategy,
        level=visit.level,
        only=visit.only,
        is_again=site.again is not None,
    )
