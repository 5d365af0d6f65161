"""Answers that wait: a redesigned site is looked at before its pages are stored by old knowledge."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from archiver.acquisition.sites.model import VisitFetch

# So many are enough; as many are under way of a site at a time.
_ENOUGH = 8
_TICK = 0.5
# Without another one for so long, it is gone on with those that are there.
_PATIENCE = 60.0


@dataclass(slots=True)
class _Held:
    answers: list[VisitFetch] = field(default_factory=list)
    last: float = 0.0
    is_over: asyncio.Event = field(default_factory=asyncio.Event)


class TemplateHolding:
    """Holds the first pages of a level that seem to have another template, until they were looked at.

    A page that waits is not settled: a run that is killed meanwhile asks for it again.
    """

    def __init__(
        self, under_way: Callable[[], int], look: Callable[[Sequence[VisitFetch]], Awaitable[bool]]
    ) -> None:
        self._under_way = under_way
        self._look = look
        self._held: dict[tuple[int, str], _Held] = {}
        self._known: set[tuple[int, str]] = set()

    async def wait(self, answer: VisitFetch, key: tuple[int, str]) -> None:
        """Return when the level was looked at, or when that cannot be: at once where it was before."""
        if key in self._known:
            return
        held = self._held.setdefault(key, _Held())
        held.answers.append(answer)
        held.last = time.monotonic()
        while not held.is_over.is_set():
            if self._is_enough(held) and self._held.pop(key, None) is held:
                try:
                    if await self._look(held.answers):
                        self._known.add(key)
                finally:
                    held.is_over.set()
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(held.is_over.wait(), _TICK)

    def _is_enough(self, held: _Held) -> bool:
        """Whether no more are needed, or none are going to come."""
        count = len(held.answers)
        is_late = time.monotonic() - held.last > _PATIENCE
        return count >= _ENOUGH or count >= self._under_way() or is_late
