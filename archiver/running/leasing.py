"""Where several workers share a store: the domains that this one asks, and its signs of life."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from archiver.domains import registered_domain
from archiver.errors import ArchiveError
from archiver.store.database import APPLICATION
from archiver.store.leases import KEPT, begin_turn, forget_free, give_back, lease
from archiver.store.workers import beat, begin_worker, end_silent, end_worker, others_are_at_work

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from sqlalchemy import Connection, Engine

    from archiver.acquisition.targets import Target
    from archiver.running.sources import Room, Source
    from archiver.store.database import Database
    from archiver.store.leases import LeaseTurn
    from archiver.store.workers import CrawlWorker, WorkerPlace

logger = logging.getLogger(__name__)

# Signs of life within the time after which a worker counts as dead; and how much of that time may pass until
# a worker stops by itself: before others take over.
_BEATS = 6
_SURE_FOR = 0.7
# Seconds for which a domain is kept of which nothing is under way: what was just read may ask for more of it.
_LINGER = 0.5
# Between two transactions that give domains back: many at a time.
_GIVE_BACK_EVERY = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedTargets:
    """What is due of domains that this worker has, and what is due of others."""

    mine: Sequence[Target] = ()
    elsewhere: Sequence[Target] = ()
    # There was more, of domains for which there was no room.
    is_more: bool = False


def domain_of(host: str) -> str:
    """What is leased for a host: its registered domain, or an address as it is."""
    return registered_domain(host) or host


class Leasing:
    """Leases the domains of what is handed out, and gives them back when nothing of them is under way."""

    def __init__(self, database: Database, worker: CrawlWorker, *, most: int) -> None:
        self._database = database
        self._worker = worker
        self._most = most
        self._idle_since: dict[str, float] = {}  # of the domains that are leased; 0: something is under way
        self._given_back = 0.0
        # Hosts of domains that others had when they were last seen.
        self._hosts: dict[str, set[str]] = {}
        self._asked: dict[str, set[str]] = {}  # hosts of the domains that are leased
        self.elsewhere: frozenset[str] = frozenset()
        # The shell's: seconds that must pass between two requests to a host.
        self.delay_of: Callable[[str], float] = lambda host: 1.0  # noqa: ARG005 - until it is known

    async def take(self, source: Source[Target], room: Room) -> LeasedTargets:
        """What a source has due, as far as its domains can be had."""
        began = time.monotonic()
        turn = await self._database.run_async(begin_turn, self._worker)
        hosts = self._hosts_elsewhere(turn)
        room = replace(room, full=room.full | hosts, elsewhere=hosts)
        found = await self._database.run_async(source.due, room)
        wanted = list(dict.fromkeys(domain_of(one.host) for one in found))
        new = [domain for domain in wanted if domain not in self._idle_since]
        fit = new[: max(0, self._most - len(self._idle_since))]
        taken: set[str] = set()
        if fit and time.monotonic() - began < KEPT / 2:
            taken = await self._database.run_async(lease, self._worker, fit, turn.number)
        self._idle_since |= dict.fromkeys(taken, 0.0)
        # Others were quicker: they have these until a later look finds them free.
        self.elsewhere |= frozenset(fit) - taken
        return self._sorted(found, frozenset(new) - frozenset(fit))

    def _sorted(self, found: Iterable[Target], beyond: Collection[str]) -> LeasedTargets:
        mine, elsewhere = [], []
        for target in found:
            domain = domain_of(target.host)
            if domain in self._idle_since:
                self._idle_since[domain] = 0.0
                self._asked.setdefault(domain, set()).add(target.host)
                mine.append(target)
            elif domain not in beyond:
                self._hosts.setdefault(domain, set()).add(target.host)
                elsewhere.append(target)
        return LeasedTargets(mine=mine, elsewhere=elsewhere, is_more=bool(beyond))

    def _hosts_elsewhere(self, turn: LeaseTurn) -> frozenset[str]:
        """The hosts of which nothing need be looked for: others have their domains."""
        self.elsewhere = turn.elsewhere
        known = (self._hosts.get(domain, ()) for domain in turn.elsewhere)
        return turn.elsewhere.union(f"www.{domain}" for domain in turn.elsewhere).union(*known)

    def come_back(self) -> set[str]:
        """Hosts that others had, and have no more."""
        free = self._hosts.keys() - self.elsewhere
        return {host for domain in free for host in self._hosts.pop(domain)}

    async def give_back(self, hosts: Iterable[str], *, at_rest: bool) -> None:
        """Let others have the domains of which nothing was under way for a while, or nothing at all is."""
        now = time.monotonic()
        used = {domain_of(host) for host in hosts}
        for domain in self._idle_since:
            self._idle_since[domain] = 0.0 if domain in used else self._idle_since[domain] or now
        if not at_rest and now - self._given_back < _GIVE_BACK_EVERY:
            return
        self._given_back = now
        linger = 0.0 if at_rest else _LINGER
        over = [one for one, since in self._idle_since.items() if since and now - since >= linger]
        if over:
            delays = {one: max(map(self.delay_of, self._asked.get(one, ())), default=0.0) for one in over}
            await self._database.run_async(give_back, self._worker, delays)
            for domain in over:
                del self._idle_since[domain]
                self._asked.pop(domain, None)

    async def others_are_at_work(self) -> bool:
        """Whether more may come of what others have, or what is due waits for their politeness alone."""
        return await self._database.run_async(others_are_at_work, self._worker, list(self._hosts))

    @property
    def held(self) -> Collection[str]:
        return self._idle_since.keys()


class Heartbeat:
    """Gives signs of life from a thread and a connection of its own, and ends workers that give none."""

    def __init__(self, url: str, database: Database, place: WorkerPlace) -> None:
        self._database = database
        self._place = place
        self.watches = place.watches
        self.worker = database.run(begin_worker, place)
        self._sure_until = _boot_time() + _SURE_FOR * place.patience
        self._engine = create_engine(url, connect_args={"application_name": f"{APPLICATION} heartbeat"})
        self._over = threading.Event()
        self._lost = False
        # Names of workers that this one has found dead.
        self.ended: list[str] = []
        database.check = self.check
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Raise ArchiveError where others may take this worker for dead: what it holds may be theirs."""
        if self._lost or _boot_time() > self._sure_until:
            raise ArchiveError(
                f"This worker could not tell the state store for {_SURE_FOR * self._place.patience:.0f}"
                " seconds that it is alive: others have taken over what it had under way. Run again"
            )

    def _run(self) -> None:
        while not self._over.wait(self._place.patience / _BEATS):
            try:
                self._beat(self._engine)
            except SQLAlchemyError as error:
                told = " ".join(str(getattr(error, "orig", None) or error).split())
                logger.warning("No sign of life could be given: %s", told)

    def _beat(self, engine: Engine) -> None:
        began = _boot_time()
        with engine.begin() as connection:
            self._lost = not beat(connection, self.worker, watches=self.watches)
        if self._lost:
            return
        self._sure_until = began + _SURE_FOR * self._place.patience
        with engine.begin() as connection:
            self._end_others(connection)

    def _end_others(self, connection: Connection) -> None:
        for name in end_silent(connection, self.worker):
            logger.warning("The worker %s gives no sign of life: what it had under way passes on", name)
            self.ended.append(name)
        forget_free(connection)

    def close(self) -> None:
        """End in order: nothing is under way any more."""
        self._over.set()
        self._thread.join()
        self._engine.dispose()
        self._database.check = None
        if not self._lost and not self._database.is_lost:
            self._database.run(end_worker, self.worker)


def _boot_time() -> float:
    """Seconds, also those for which the machine slept."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
