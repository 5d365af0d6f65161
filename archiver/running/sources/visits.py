"""Visits: the documents of sites that are crawled as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.sites.model import PendingVisit
from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.store.whole_sites.sites import change_site
from archiver.store.whole_sites.visited import store_visit
from archiver.store.whole_sites.visits import next_visit, pending_visits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.sites.model import VisitFetch
    from archiver.running.session import Session
    from archiver.running.sources import Room
    from archiver.store.whole_sites.visited import VisitResult

_UNDER_WAY = 8
# In a replay: as many as there are.
_ALL = 100_000


class VisitSource(Source[PendingVisit]):
    name = "visits"
    is_read = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # Few are under way at a time: what comes of them decides on others.
        self.per_host = min(session.places.per_host, _UNDER_WAY)

    def due(self, connection: Connection, room: Room) -> Sequence[PendingVisit]:
        crawl = self.session.sites
        if crawl is None:
            return ()
        sites = crawl.of_run(connection)
        free = max(0, _UNDER_WAY * len(crawl.ids) - sum(room.at_host.values()))
        limit = crawl.room(min(room.limit, free), under_way=len(room.busy))
        shared = [site for site in sites if site.limit is None]
        apart = [site for site in sites if site.limit is not None] if not crawl.is_over else []
        found = pending_visits(connection, room.now, shared, limit=limit, busy=room.busy)
        left = min(room.limit, free)
        return [*found, *pending_visits(connection, room.now, apart, limit=left, busy=room.busy)]

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:  # noqa: ARG002
        crawl = self.session.sites
        return None if crawl is None else next_visit(connection, crawl.ids)

    async def store(self, answer: VisitFetch) -> Effects:
        archive, adapting = self.session.archive, self.session.adapting
        if adapting is not None:
            answer = await adapting.readied(answer)
        times = {"recorded": machine_now(), "now": archive.clock.now()}
        result = await archive.write(store_visit, answer, policy=archive.config.pages, **times)
        archive.report.visited(result, answer.failed)
        crawl = self.session.sites
        self._tell(result)
        if crawl is not None:
            crawl.stored(result, answer.failed)
            if result.expected is not None:
                told = crawl.plan_in_words(result.site, result.expected)
                await archive.database.run_async(change_site, result.site.id, plan=told)
                crawl.tell(told)
        if adapting is not None:
            await adapting.visited(answer, result)
        return Effects(wants=("visits", "pages"), reads=result.is_content)

    def _tell(self, result: VisitResult) -> None:
        """Say in the report why a site is not crawled, or not to its end; what failed makes the run fail."""
        report, url = self.session.archive.report, result.site.url
        standing, again = result.standing, f"`scrapy crawl site -a url={url}` continues"
        if standing is not None and standing.paused:
            report.error(f"{url} is paused: {standing.paused}. {again}")
        elif standing is not None and standing.rest_until is not None:
            until = f"{standing.rest_until:%Y-%m-%d %H:%M} UTC"
            report.note_once(f"{url} asked for a pause until {until}: {again} then")
