"""What to fetch next: the state store is the queue, this hands out its head."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from archiver.acquisition.hosts import Pace
from archiver.clock import machine_now
from archiver.errors import ArchiveError
from archiver.running.lane import Lane
from archiver.running.sources import Room
from archiver.store.content.pages import count_captured

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from archiver.acquisition.targets import Target
    from archiver.clock import Clock
    from archiver.running.holding import Holding
    from archiver.running.leasing import Leasing
    from archiver.running.sources import Source
    from archiver.store.database import Database

# Seconds. In watch mode the store is looked at this often when nothing seems due: a channel may be added.
_LONGEST_NAP = 30.0
# Other workers are looked at this often, when there is nothing else to do.
_OTHERS_EVERY = 1.0
# While watching, each source is asked this often, also while slow hosts are waited for.
_LOOK_EVERY = 5.0


class Frontier:
    """Hands out what sources have due, in their order, never more than fit, with one bound for each host."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        sources: Sequence[Source[Target]],
        *,
        per_host: int,
        most_captured: int | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._lanes = {source.name: Lane(source) for source in sources if source.is_on}
        self._per_host = per_host
        self._at_host: Counter[str] = Counter()
        self._pace = Pace()
        # Where there are quotas, and where several workers share the store.
        self.holding: Holding | None = None
        self.leasing: Leasing | None = None
        self._most_captured = most_captured
        self._started = machine_now()
        self._changed = asyncio.Event()
        self.stopping = False
        # What ends the run where the store cannot be asked.
        self.on_fatal: Callable[[ArchiveError], None] | None = None

    async def targets(self, *, watch: bool, idle: asyncio.Event) -> AsyncIterator[Target]:
        """Everything that is due, until nothing is left; with `watch`, until the run is stopped."""
        try:
            async for target in self._targets(watch=watch, idle=idle):
                yield target
        except ArchiveError as error:
            # Scrapy would log a traceback. What the operator needs to know is said by the session.
            if self.on_fatal is None:
                raise
            self.on_fatal(error)

    async def _targets(self, *, watch: bool, idle: asyncio.Event) -> AsyncIterator[Target]:
        is_last = False
        while not self.stopping:
            self._changed.clear()
            granted = await self._grant(watch=watch)
            for target in granted:
                yield target
            # Something that came while the store was asked may have made more of it due.
            if granted or self._changed.is_set():
                # What comes of it may ask for more, also of what was looked at last.
                is_last = is_last and not granted
                continue
            at_rest = not any(lane.hosts for lane in self._lanes.values()) and idle.is_set()
            if at_rest and not watch:
                if is_last:
                    soon = await self._until_soon()
                    if soon is None and not await self._wait_for_others():
                        return
                    await self._nap(soon if soon is not None else _OTHERS_EVERY)
                # What was polled and fetched meanwhile has made room for rechecks, and may ask for more.
                is_last = True
                self._refill_all()
                continue
            busy = _LOOK_EVERY if watch else None
            await self._nap(await self._until_next() if at_rest else busy)

    async def _grant(self, *, watch: bool) -> list[Target]:
        if self.holding is not None and await self.holding.look():
            # Taken from the store before the quota was reached.
            for lane in self._lanes.values():
                lane.refill |= bool(lane.ready)
                lane.ready = []
        await self._give_back()
        granted: list[Target] = []
        for lane in self._lanes.values():
            every = lane.source.every
            lane.look_again(min(every, _LOOK_EVERY) if watch else every)
            granted += await self._grant_lane(lane, watch=watch)
        return granted

    async def _grant_lane(self, lane: Lane, *, watch: bool) -> list[Target]:
        source = lane.source
        if source.yields and any(other.ready for other in self._lanes.values()):
            return []
        if not lane.wants_more() or (source.is_read and await self._is_behind()):
            return []
        # What waits for slow hosts would keep out that of others: it is asked for again when it fits.
        lane.ready = [one for one in lane.ready if one.host not in self._pace.slow | self._pace.left]
        if len(lane.ready) < source.most and (lane.refill or not lane.ready):
            lane.ready += await self._take(lane, self._room(lane, watch=watch))
        return self._hand_out(lane)

    async def _take(self, lane: Lane, room: Room) -> Sequence[Target]:
        """What is due; where several workers share the store, what other workers do not ask for."""
        if self.leasing is None:
            return await self._database.run_async(lane.source.due, room)
        found = await self.leasing.take(lane.source, room)
        for host in self.leasing.come_back():
            # What was looked for just now was without it.
            self.wake()
            for other in self._lanes.values():
                other.bring_back(host)
        lane.put_aside(found.elsewhere)
        lane.refill |= found.is_more
        return found.mine

    async def _give_back(self) -> None:
        """Let other workers have the domains of which nothing is under way here."""
        if self.leasing is None:
            return
        waiting = {target.host for lane in self._lanes.values() for target in lane.ready}
        hosts = waiting | self._at_host.keys()
        await self.leasing.give_back(hosts, at_rest=not hosts)

    async def _wait_for_others(self) -> bool:
        """Whether other workers have something under way: more may come of it, or they may die."""
        return self.leasing is not None and await self.leasing.others_are_at_work()

    def _room(self, lane: Lane, *, watch: bool) -> Room:
        source = lane.source
        usual = source.per_host
        alike = (self._lanes[name].hosts.keys() for name in source.alike if name in self._lanes)
        return Room(
            now=self._clock.now(),
            moment=machine_now(),
            limit=source.ahead * (source.most if source.ahead > 1 else lane.room),
            busy=lane.asking().union(*alike),
            per_host=source.ahead * usual,
            at_host=self._pace.taken(lane.at_host, usual),
            full=frozenset(self._full(lane)),
            since=None if watch else self._started,
        )

    def _full(self, lane: Lane) -> set[str]:
        """The hosts of which nothing is taken from the store: it would not fit, or not soon."""
        usual = lane.source.per_host
        full = self._pace.full(lane.at_host, usual)
        if lane.source.ahead > 1:
            return full
        mine = {host for host, count in lane.at_host.items() if count >= usual}
        return full | mine | {host for host, count in self._at_host.items() if count >= self._per_host}

    def _hand_out(self, lane: Lane) -> list[Target]:
        """As much of what is ready as fits, no host taking the places of the others."""
        granted: list[Target] = []
        waiting: list[Target] = []
        taken = lane.at_host.copy()
        for target in lane.ready:
            host = target.host
            if host in self._pace.left:
                lane.left.add(target.id)
                # There may be others behind it.
                lane.refill = True
                self.wake()
            elif len(granted) < lane.room and self._has_place(lane, host, taken[host]):
                granted.append(target)
                taken[host] += 1
                self._at_host[host] += 1
            else:
                waiting.append(target)
        lane.add(granted)
        if lane.source.ahead > 1:
            lane.ready = waiting
        else:
            lane.ready = []
            lane.put_aside([one for one in waiting if not self._has_place(lane, one.host, taken[one.host])])
        return granted

    def _has_place(self, lane: Lane, host: str, taken: int) -> bool:
        most = self._pace.most(host, lane.source.per_host)
        return taken < most and self._at_host[host] < self._per_host

    async def _is_behind(self) -> bool:
        """True while extraction has more to do than it should have."""
        if self._most_captured is None:
            return False
        return await self._database.run_async(count_captured) >= self._most_captured

    def done(self, target: Target) -> None:
        """Note that a target's answer is stored."""
        host = self._lanes[target.source].take_out(target.id)
        if host is not None:
            self._free(host)
        self.wake()

    def _free(self, host: str) -> None:
        self._at_host[host] -= 1
        if not self._at_host[host]:
            del self._at_host[host]
        # Asking again for each place would be all we did.
        for lane in self._lanes.values():
            most = self._pace.most(host, lane.source.per_host)
            if lane.at_host[host] <= most * 3 // 4 and self._at_host[host] <= self._per_host * 3 // 4:
                lane.bring_back(host)

    def let_go(self, target: Target, *, is_over: bool) -> None:
        """Take back what was not tried; if its host's time is over, it waits for the next run."""
        lane = self._lanes[target.source]
        if is_over:
            lane.left.add(target.id)
        lane.refill = True
        self.done(target)

    def take_back(self, source: str) -> None:
        """Forget what was taken from the store and not handed out: it may not be wanted any more."""
        if source in self._lanes:
            self._lanes[source].ready = []
            self.want(source)

    def want(self, *sources: str) -> None:
        """Ask these sources again: something of theirs may be due that was not a moment ago."""
        for name in sources:
            if name in self._lanes:
                self._lanes[name].refill = True
        self.wake()

    def wake(self) -> None:
        """Look again: something may be fetched that could not be a moment ago."""
        self._changed.set()

    def is_under_way(self, source: str, target_id: int) -> bool:
        return source in self._lanes and target_id in self._lanes[source].hosts

    def count(self, source: str) -> int:
        """Return how many targets of a source are under way."""
        return len(self._lanes[source].hosts) if source in self._lanes else 0

    def pace(self, *, slow: frozenset[str], over: set[str]) -> None:
        """Note which hosts are slow, and which have just had their time in this run."""
        faster = self._pace.slow - slow
        self._pace.slow = slow
        for host in faster:
            for lane in self._lanes.values():
                lane.bring_back(host)
        if over:
            self._pace.left |= over
            self.wake()

    def leave_in_peace(self, hosts: frozenset[str]) -> None:
        """Hand out nothing of these hosts in this run."""
        self._pace.resting = hosts
        self._pace.left |= hosts

    @property
    def hosts_left(self) -> frozenset[str]:
        """The hosts that have had their time in this run."""
        return frozenset(self._pace.left - self._pace.resting)

    def _refill_all(self) -> None:
        for lane in self._lanes.values():
            lane.refill = True

    async def _until_next(self) -> float:
        now = self._clock.now()
        waits = [_LONGEST_NAP]
        for lane in self._lanes.values():
            moment = await self._database.run_async(lane.source.next_due, now)
            if moment is not None:
                waits.append(self._clock.seconds_until(moment))
        self._refill_all()
        # What other workers have under way is due, and not for this one.
        least = _OTHERS_EVERY if self.leasing is not None and self.leasing.elsewhere else 0.05
        return max(least, min(waits))

    async def _until_soon(self) -> float | None:
        """Seconds until something falls due that a run waits for; None: nothing does."""
        now, waits = self._clock.now(), []
        for source in (lane.source for lane in self._lanes.values() if lane.source.patience):
            moment = await self._database.run_async(source.next_due, now)
            seconds = None if moment is None else self._clock.seconds_until(moment)
            waits += [seconds] if seconds is not None and seconds <= source.patience else []
        return max(0.05, min(waits)) if waits else None

    async def _nap(self, seconds: float | None) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return
