"""Pages that entries announce, and known articles that are looked at again."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from archiver.acquisition.sites.model import SITES
from archiver.acquisition.targets import PendingPage
from archiver.running.sources import Effects, Source
from archiver.store.content.pages import all_pending_pages, next_try, pending_pages
from archiver.store.looks.rechecks import all_known_pages, due_rechecks, next_recheck_due

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.items import PageFetch
    from archiver.running.session import Session
    from archiver.running.sources import Room


class _Pages(Source[PendingPage]):
    is_read = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.most = 8 * session.places.requests
        self.per_host = session.places.per_host

    async def store(self, answer: PageFetch) -> Effects:
        report = self.session.archive.report
        report.pages_fetched += answer.capture is not None
        await self.session.extraction.fetched(answer)
        report.pages_tried += 1
        return Effects()


class PageSource(_Pages):
    """Pending pages. Many are taken from the store at once: asking costs more than fetching."""

    name = "pages"
    ahead = 8
    every = float("inf")
    alike = ("rechecks",)
    # Only those that this source leads to; None: all.
    led_by: ClassVar[str | None] = None

    def due(self, connection: Connection, room: Room) -> Sequence[PendingPage]:
        return pending_pages(
            connection,
            room.now,
            limit=room.limit,
            per_host=room.per_host,
            busy=room.busy,
            without=room.full,
            of=self.led_by,
        )

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:  # noqa: ARG002
        return next_try(connection)

    def recorded(self, connection: Connection) -> Sequence[PendingPage]:
        return all_pending_pages(connection)

    def asks_anyway(self, target: PendingPage) -> bool:
        return target.is_further


class SitePageSource(PageSource):
    """Of the pending pages, those that a crawl of a site has found."""

    led_by = SITES


class RecheckSource(_Pages):
    """Known articles, when no pending page waits for room: what is new goes first."""

    name = "rechecks"
    every = 5.0
    yields = True
    stage = 2

    @property
    def is_on(self) -> bool:
        # Without extraction there is no telling whether an article changed.
        return self.session.archive.config.extraction

    def due(self, connection: Connection, room: Room) -> Sequence[PendingPage]:
        rules = self.session.archive.config.rechecks
        return due_rechecks(
            connection,
            room.now,
            rules,
            limit=room.limit,
            per_host=room.per_host,
            busy=room.busy,
            without=room.full,
            not_since=room.since,
        )

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:
        found = next_recheck_due(connection)
        # Those that are due and not handed out have used up their share: others must come first.
        return found if found is not None and found > now else None

    def recorded(self, connection: Connection) -> Sequence[PendingPage]:
        return all_known_pages(connection)
