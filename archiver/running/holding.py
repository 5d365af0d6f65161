"""Hosts and channels that have given enough for a day are left alone until it is over, and named."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from archiver.store.quotas import hold_back

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.clock import Clock
    from archiver.store.database import Database
    from archiver.store.quotas import Quotas, Reached

# In seconds. After a look into the store, so many times as long as it took: others want it, too.
_SHORTEST_PAUSE = 0.05
_PAUSES = 4


class Holding:
    """Looks now and then whether a quota is reached, and tells of each once."""

    def __init__(self, database: Database, clock: Clock, quotas: Quotas, tell: Callable[[str], None]) -> None:
        self._database = database
        self._clock = clock
        self._quotas = quotas
        self._tell = tell
        self._next = 0.0
        self._reached: set[Reached] = set()

    async def look(self) -> bool:
        """Put off what has to wait; True where another host or channel has reached its quota."""
        if not self._quotas.are_set or time.monotonic() < self._next:
            return False
        began = time.monotonic()
        held = await self._database.run_async(hold_back, self._quotas, self._clock.now())
        while held.is_more:
            held = await self._database.run_async(hold_back, self._quotas, self._clock.now())
        self._next = time.monotonic() + max(_SHORTEST_PAUSE, _PAUSES * (time.monotonic() - began))
        new = set(held.reached) - self._reached
        # Whatever was reached on a day that is over may be reached again.
        self._reached = set(held.reached)
        for one in sorted(new, key=lambda one: (one.kind, one.name)):
            self._tell(one.told)
        return bool(new)
