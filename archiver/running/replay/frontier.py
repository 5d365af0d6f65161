"""What to ask for next when the answers come from a tape: whatever the tape has."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING

from archiver.acquisition.targets import submission_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

    from archiver.acquisition.targets import Target
    from archiver.running.replay.tape import Tape
    from archiver.running.sources import Source
    from archiver.store.database import Database


class ReplayFrontier:
    """Goes through the archive file by file; what was answered then is asked for as often."""

    def __init__(self, database: Database, sources: Sequence[Source[Target]], tape: Tape) -> None:
        self._database = database
        ordered = sorted(sources, key=lambda source: source.stage)
        # A run that is played again asks for each channel once its earlier pages are done, and for known
        # articles, which only the schedule of that time asked for, after all others.
        self._stages = [list(stage) for _, stage in groupby(ordered, key=lambda source: source.stage)]
        self._tape = tape
        self._under_way: set[tuple[str, int]] = set()
        # What came in while the store was asked: what it says of that may be out of date.
        self._ended: set[tuple[str, int]] = set()
        self._changed = asyncio.Event()
        self.stopping = False
        # No host of a tape is slow, or left for the next run.
        self.hosts_left: frozenset[str] = frozenset()

    async def targets(self, *, watch: bool, idle: asyncio.Event) -> AsyncIterator[Target]:  # noqa: ARG002 - a tape ends
        """Everything that the tape answers, in the order of its files."""
        for path in self._tape.files():
            self._tape.load(path)
            async for target in self._file(idle):
                yield target

    async def _file(self, idle: asyncio.Event) -> AsyncIterator[Target]:
        while not self.stopping:
            self._changed.clear()
            self._ended.clear()
            granted = await self._grant()
            for target in granted:
                yield target
            # Something that came while the store was asked may ask for more.
            if granted or self._changed.is_set():
                continue
            if not self._under_way and idle.is_set():
                return
            await self._changed.wait()

    async def _grant(self) -> list[Target]:
        for stage in self._stages:
            granted = [target for source in stage for target in await self._granted(source)]
            if granted or self._under_way:
                return granted
        return []

    async def _granted(self, source: Source[Target]) -> Sequence[Target]:
        found = await self._database.run_async(source.recorded)
        granted = [target for target in found if self._is_asked(source, target)]
        self._under_way.update(_names(granted))
        return granted

    def _is_asked(self, source: Source[Target], target: Target) -> bool:
        if (target.source, target.id) in self._under_way | self._ended:
            return False
        sent = submission_to(target)
        # What was never answered is asked for all the same where it failed then as well.
        never = source.asks_anyway(target) and not self._tape.will_have(target.url, sent)
        return self._tape.has(target.url, sent) or never

    def done(self, target: Target) -> None:
        self._under_way.difference_update(_names([target]))
        self._ended |= _names([target])
        self.wake()

    def let_go(self, target: Target, *, is_over: bool) -> None:
        """A tape keeps no request waiting."""

    def want(self, *sources: str) -> None:  # noqa: ARG002 - all are asked
        self.wake()

    def take_back(self, source: str) -> None:
        """Nothing waits between the store and the tape."""
        self.want(source)

    def wake(self) -> None:
        """Look again: something may be asked for that could not be a moment ago."""
        self._changed.set()

    def is_under_way(self, source: str, target_id: int) -> bool:
        return (source, target_id) in self._under_way

    def count(self, source: str) -> int:
        return sum(name == source for name, _ in self._under_way)

    def pace(self, *, slow: frozenset[str], over: set[str]) -> None:
        """All hosts of a tape are equally fast."""

    def leave_in_peace(self, hosts: frozenset[str]) -> None:
        """A tape asks no host."""


def _names(targets: Iterable[Target]) -> set[tuple[str, int]]:
    return {(target.source, target.id) for target in targets}
