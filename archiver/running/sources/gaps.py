"""Gaps: documents in which entries may be that a feed showed between two polls."""

from __future__ import annotations

from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.acquisition.targets import GapAsk
from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.store.polling.filling import FillRules, store_gap_fetch
from archiver.store.polling.gaps import next_gap_try, pending_gaps
from archiver.store.polling.history import ask_again, wished_histories
from archiver.store.reading import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.channels.gaps.history import ChannelHistory
    from archiver.acquisition.items import GapFetch
    from archiver.running.sources import Room

# In a replay: as many as there are.
_ALL = 1000


class GapSource(Source[GapAsk]):
    name = "gaps"

    @cached_property
    def _wished(self) -> dict[str, list[ChannelHistory]]:
        """Histories of the archive that is played again: no document tells that they were asked for."""
        replayed = self.session.archive.config.replayed
        if replayed is None:
            return {}
        with closing(ReadOnly(replayed.state_url)) as database:
            return database.run(wished_histories)

    def due(self, connection: Connection, room: Room) -> Sequence[GapAsk]:
        return pending_gaps(connection, room.now, limit=room.limit, busy=room.busy)

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:  # noqa: ARG002
        return next_gap_try(connection)

    def recorded(self, connection: Connection) -> Sequence[GapAsk]:
        if self._wished:
            ask_again(connection, self._wished, self.session.archive.clock.now())
        return pending_gaps(connection, None, limit=_ALL, busy=())

    def asks_anyway(self, target: GapAsk) -> bool:  # noqa: ARG002
        return True

    async def store(self, answer: GapFetch) -> Effects:
        archive = self.session.archive
        polls = archive.config.polls
        rules = FillRules(documents=polls.gap_pages, pages_at_once=polls.pages_at_once)
        times = {"recorded": machine_now(), "now": archive.clock.now()}
        result = await archive.database.run_async(store_gap_fetch, answer, rules=rules, **times)
        archive.report.filled(result)
        # Entries that were found ask for pages, and the gap for its next document.
        return Effects(wants=("pages", "gaps"), reads=True)
