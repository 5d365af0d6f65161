"""What to ask for next when the answers come from a tape: whatever the tape has."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from archiver.store.channels import pollable_channels
from archiver.store.gaps import pending_gaps
from archiver.store.pages import all_pending_pages
from archiver.store.rechecks import all_known_pages
from archiver.store.requisites import pending_requisites

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from archiver.running.frontier import Target
    from archiver.running.replay.tape import Tape
    from archiver.store.database import Database


_MOST = 1000


class ReplayFrontier:
    """Goes through the archive file by file; what was answered then is asked for as often."""

    rechecking = 0  # told apart from other pages by the tape

    def __init__(self, database: Database, tape: Tape) -> None:
        self._database = database
        self._tape = tape
        self._in_flight: set[tuple[str, int]] = set()
        self._changed = asyncio.Event()
        self.stopping = False
        # A tape makes nobody wait.
        self.hosts_left: frozenset[str] = frozenset()

    def let_go(self, kind: str, target_id: int, *, is_over: bool) -> None:
        """No host of a tape is slow, or left for the next run."""

    def pace(self, *, slow: frozenset[str], over: set[str]) -> None:
        """All hosts of a tape are equally fast."""

    def leave_in_peace(self, hosts: frozenset[str]) -> None:
        """Nobody is asked."""

    async def targets(
        self,
        sources: Sequence[str] | None,  # noqa: ARG002 - the tape decides, not the schedule
        *,
        watch: bool,  # noqa: ARG002
        idle: asyncio.Event,
    ) -> AsyncIterator[Target]:
        """Everything that the tape answers, in the order of its files."""
        for path in self._tape.files():
            self._tape.load(path)
            async for target in self._file(idle):
                yield target

    async def _file(self, idle: asyncio.Event) -> AsyncIterator[Target]:
        while not self.stopping:
            self._changed.clear()
            granted = await self._grant()
            for target in granted:
                yield target
            if granted:
                continue
            if not self._in_flight and idle.is_set():
                return
            await self._changed.wait()

    async def _grant(self) -> list[Target]:
        granted: list[Target] = []
        for page in await self._database.run_async(all_pending_pages):
            # A further page that was never answered is asked for all the same: it failed then as well.
            is_asked = self._tape.has(page.url) or (page.is_further and not self._tape.will_have(page.url))
            if ("page", page.id) not in self._in_flight and is_asked:
                self._in_flight.add(("page", page.id))
                granted.append(page)
        for requisite in await self._database.run_async(
            pending_requisites, None, limit=_MOST, per_host=_MOST, busy=()
        ):
            if ("requisite", requisite.id) not in self._in_flight and self._tape.has(requisite.url):
                self._in_flight.add(("requisite", requisite.id))
                granted.append(requisite)
        granted += await self._grant_gaps()
        # A run that is played again asks for each channel once its pages of before are done.
        if granted or self._in_flight:
            return granted
        for channel in await self._database.run_async(pollable_channels):
            if self._tape.has(channel.url):
                self._in_flight.add(("channel", channel.id))
                granted.append(channel)
        return granted or await self._grant_rechecks()

    async def _grant_rechecks(self) -> list[Target]:
        """What nobody asked for but the schedule of then, after all that somebody did."""
        granted: list[Target] = []
        for page in await self._database.run_async(all_known_pages):
            if self._tape.has(page.url):
                self._in_flight.add(("page", page.id))
                granted.append(page)
        return granted

    async def _grant_gaps(self) -> list[Target]:
        granted: list[Target] = []
        for gap in await self._database.run_async(pending_gaps, None, limit=_MOST, busy=()):
            # What was never answered is asked all the same: it failed then, and the next thing was asked.
            is_asked = self._tape.has(gap.ask.url) or not self._tape.will_have(gap.ask.url)
            if ("gap", gap.id) not in self._in_flight and is_asked:
                self._in_flight.add(("gap", gap.id))
                granted.append(gap)
        return granted

    def page_done(self, page_id: int) -> None:
        self._in_flight.discard(("page", page_id))
        self.wake()

    def channel_done(self, channel_id: int) -> None:
        self._in_flight.discard(("channel", channel_id))
        self.wake()

    def is_polling(self, channel_id: int) -> bool:
        return ("channel", channel_id) in self._in_flight

    def channels_wanted(self) -> None:
        self.wake()

    def requisite_done(self, requisite_id: int) -> None:
        self._in_flight.discard(("requisite", requisite_id))
        self.wake()

    def pages_wanted(self) -> None:
        self.wake()

    def gaps_wanted(self) -> None:
        self.wake()

    def gap_done(self, gap_id: int) -> None:
        self._in_flight.discard(("gap", gap_id))
        self.wake()

    def sitemap_done(self, sitemap_id: int) -> None:
        """A replay asks for no sitemaps: what they led to is on the tape."""

    def requisites_wanted(self) -> None:
        self.wake()

    def wake(self) -> None:
        """Something may be asked for that could not be a moment ago."""
        self._changed.set()
