"""Requisites, what pages need to be shown: small and many, so simpler than pages."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import Ended, after_failure
from archiver.acquisition.requisites import HOME, KINDS
from archiver.acquisition.targets import PendingRequisite, WantedRequisite
from archiver.errors import ExtractionError, ReadingFault
from archiver.running.sources import Effects, Source
from archiver.running.workers.tasks import ReadLook, ReadStyle
from archiver.store.content import requisites as store
from archiver.store.quotas import asked_today
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.items import RequisiteFetch
    from archiver.documents.requisites.model import Scope
    from archiver.running.session import Session
    from archiver.running.sources import Room
    from archiver.running.workers import DocumentPlace

logger = logging.getLogger(__name__)

# Styles that import styles that import styles. Guess: no site goes deeper on purpose.
_DEEPEST = 3
# In a replay, of each kind: as many as there are, where most of them were fetched.
_ALL = 1000


class RequisiteSource(Source[PendingRequisite]):
    name = "requisites"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.most = 8 * session.places.requests
        self._archive = session.archive
        self._rules = session.archive.config.requisites

    def due(self, connection: Connection, room: Room) -> Sequence[PendingRequisite]:
        homes = self._pending(connection, room, (HOME,), room.limit)
        under_way = self.session.frontier.count(self.name)
        more = self._rules.room(*asked_today(connection, room.now), under_way=under_way + len(homes))
        limit = int(min(more, room.limit - len(homes)))
        return homes + self._pending(connection, room, self._rules.kinds, limit) if limit else homes

    def _pending(
        self, connection: Connection, room: Room, kinds: Sequence[str], limit: int
    ) -> list[PendingRequisite]:
        return store.pending_requisites(
            connection,
            room.now,
            kinds,
            limit=limit,
            per_host=room.per_host,
            busy=room.busy,
            without=room.full,
        )

    def recorded(self, connection: Connection) -> Sequence[PendingRequisite]:
        found = (
            store.pending_requisites(connection, None, (kind,), limit=_ALL, per_host=_ALL, busy=())
            for kind in (HOME, *KINDS["page"])
        )
        return [one for some in found for one in some]

    async def store(self, answer: RequisiteFetch) -> Effects:
        if answer.failed is not None:
            await self._failed(answer, answer.failed)
            return Effects()
        try:
            named = await self._named(answer)
        except ReadingFault as fault:
            # Fetched again: what it needs is not known yet.
            self._archive.report.error(f"{answer.url} could not be read: {fault}")
            await self._failed(answer, Failed(failure=Failure.INTERNAL, detail=str(fault)))
            return Effects()
        self._archive.report.requisites_fetched += 1
        await self._settle(answer, "stored", named)
        return Effects(wants=("requisites",) if named else ())

    async def _named(self, fetch: RequisiteFetch) -> list[WantedRequisite]:
        task = self._task(fetch)
        if task is None:
            return []
        try:
            read = await self._archive.workers.run(task)
        except ExtractionError as error:
            logger.warning("Could not read %s: %s", redact(fetch.url), error)
            return []
        depth = fetch.depth + 1
        return [
            WantedRequisite(url=one.url, kind=one.kind, via=fetch.url, depth=depth) for one in read.requisites
        ]

    def _task(self, fetch: RequisiteFetch) -> ReadStyle | ReadLook | None:
        """How what names other requisites is read; None for what names none."""
        rules, capture = self._rules, fetch.capture
        if capture is None:
            return None
        folder = str(self._archive.config.warc_folder)
        place: DocumentPlace = {
            "url": fetch.url,
            "folder": folder,
            "file": capture.file,
            "offset": capture.offset,
        }
        if fetch.kind == "style" and fetch.depth < _DEEPEST and "style" in rules.kinds:
            return ReadStyle(**place, most=rules.most_per_page, kinds=rules.kinds_of_styles)
        if fetch.kind == HOME and "style" in rules.kinds:
            scope: Scope = "page" if rules.scope == "page" else "look"
            return ReadLook(**place, most=rules.most_per_page, scope=scope)
        return None

    async def _failed(self, fetch: RequisiteFetch, failed: Failed) -> None:
        self._archive.report.requisite_failures[failed.failure] += 1
        database, now = self._archive.database, self._archive.clock.now()
        tries = await database.run_async(store.requisite_tries, fetch.requisite_id) + 1
        verdict = after_failure(fetch.url, failed, tries, self._archive.config.pages)
        if isinstance(verdict, Ended):
            await self._settle(fetch, verdict.outcome, [])
        else:
            await database.run_async(store.try_requisite_again, fetch.requisite_id, verdict.wait, now)

    async def _settle(self, fetch: RequisiteFetch, outcome: str, named: list[WantedRequisite]) -> None:
        await self._archive.database.run_async(
            store.settle_requisite,
            fetch.requisite_id,
            outcome,
            named,
            now=self._archive.clock.now(),
            max_age=self._rules.max_age,
            most_alike=self._rules.most_alike,
            size=fetch.size,
        )
