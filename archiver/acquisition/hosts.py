"""How long a run has been busy with each host, and which of them must wait for the next run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyHost:
    """A host with requests under way or waiting, and in how many seconds the next of these can start."""

    name: str
    next_start: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """What a host that was asked in an earlier run still wants."""

    delay: float  # seconds between two requests
    left: float  # of these, until the next one


# Shorter delays are over when the next run has begun.
REMEMBERED_FROM = 60.0


class HostTimes:
    """Adds up the time in which a host had something to do; beyond `most` seconds its time is up.

    A host that would only be waited for until then is not waited for. Without `most`, time is never up.
    """

    def __init__(self, most: float | None) -> None:
        self._most = most
        self._spent: Counter[str] = Counter()
        self.up: set[str] = set()

    def add(self, hosts: Iterable[BusyHost], seconds: float) -> set[str]:
        """The hosts whose time is up since the last call, which was so many seconds ago."""
        if self._most is None:
            return set()
        over = set()
        for host in hosts:
            self._spent[host.name] += seconds  # type: ignore[assignment] # a Counter counts fractions too
            if host.name not in self.up and self._spent[host.name] + host.next_start > self._most:
                over.add(host.name)
        self.up |= over
        return over


# Of a host that is slow, so few targets of a kind are handed out at a time: the places are for the others.
PER_SLOW_HOST = 2


class Pace:
    """Which hosts are slow, which have had their time in this run, and how much of each is handed out."""

    def __init__(self) -> None:
        self.slow: frozenset[str] = frozenset()
        self.left: set[str] = set()
        # Of those that are left, the hosts that an earlier run has asked not long ago.
        self.resting: frozenset[str] = frozenset()

    def most(self, host: str, usual: int) -> int:
        """How many targets of this host may be under way."""
        if host in self.left:
            return 0
        return min(usual, PER_SLOW_HOST) if host in self.slow else usual

    def full(self, under_way: Counter[str], usual: int) -> set[str]:
        """The hosts of which no more may be handed out for being slow, or for having had their time."""
        return {host for host in self.slow | self.left if under_way[host] >= self.most(host, usual)}

    def taken(self, under_way: Counter[str], usual: int) -> Counter[str]:
        """How many of the usual places each host has taken; slow ones have fewer from the beginning."""
        fewer = {host: usual - self.most(host, usual) for host in self.slow | self.left}
        return under_way + Counter(fewer)
