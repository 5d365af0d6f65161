"""What a source has handed out and has not come back."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.targets import Target
    from archiver.running.sources import Source


class Lane:
    """The targets of one source that are under way; refilled when a quarter of them is done."""

    def __init__(self, source: Source[Target]) -> None:
        self.source = source
        self.hosts: dict[int, str] = {}  # of what is under way
        self.at_host: Counter[str] = Counter()
        # Taken from the store and not handed out.
        self.ready: list[Target] = []
        # Not to be handed out in this run, and not before there is a place at their host.
        self.left: set[int] = set()
        self._aside: dict[int, str] = {}
        self.refill = True
        self._low = 0
        self._asked = time.monotonic()

    @property
    def room(self) -> int:
        return self.source.most - len(self.hosts)

    def look_again(self, every: float) -> None:
        """Ask for more after so many seconds, whatever happened since."""
        if time.monotonic() - self._asked > every:
            self.refill = True

    def wants_more(self) -> bool:
        return self.room > 0 and (self.refill or len(self.hosts) <= self._low)

    def asking(self) -> frozenset[int]:
        """Return what the store need not hand out. A refill that is wanted from here on is another one."""
        self.refill = False
        self._asked = time.monotonic()
        return frozenset(self.hosts.keys() | self.left | self._aside.keys() | {one.id for one in self.ready})

    def add(self, targets: Sequence[Target]) -> None:
        """Note what is handed out."""
        for target in targets:
            self.hosts[target.id] = target.host
            self.at_host[target.host] += 1
        # Asking again for each one that is done would be all we did; asking late leaves downloads idle.
        self._low = len(self.hosts) * 3 // 4 if self.hosts else -1

    def take_out(self, target_id: int) -> str | None:
        """Note that something came back; its host, if it was under way."""
        host = self.hosts.pop(target_id, None)
        if host is not None:
            self.at_host[host] -= 1
            if not self.at_host[host]:
                del self.at_host[host]
        return host

    def put_aside(self, targets: Sequence[Target]) -> None:
        """Keep these back until their hosts have places. Others may be behind them."""
        if targets:
            self._aside |= {target.id: target.host for target in targets}
            self.refill = True

    def bring_back(self, host: str) -> None:
        """A host has places again."""
        mine = [target_id for target_id, its_host in self._aside.items() if its_host == host]
        for target_id in mine:
            del self._aside[target_id]
        self.refill |= bool(mine)
