"""What to fetch next: the state store is the queue, this hands out its head."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from archiver.acquisition.hosts import Pace
from archiver.acquisition.targets import GapAsk, PendingRequisite, SitemapAsk
from archiver.clock import machine_now
from archiver.running.in_flight import InFlight
from archiver.store.channels import DueChannel, HostLimit, due_channels, next_due
from archiver.store.gaps import next_gap_try, pending_gaps
from archiver.store.pages import PendingPage, count_captured, next_try, pending_pages
from archiver.store.rechecks import due_rechecks, next_recheck_due
from archiver.store.requisites import pending_requisites
from archiver.store.sitemaps import count_when_due, due_sitemaps

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from archiver.clock import Clock
    from archiver.running.holding import Holding
    from archiver.store.database import Database
    from archiver.store.watching import RecheckRules

Target = DueChannel | PendingPage | PendingRequisite | GapAsk | SitemapAsk
_Found = TypeVar("_Found", PendingPage, PendingRequisite, GapAsk, SitemapAsk)

# How many times as many pages are taken from the store as can be fetched at once.
_AHEAD = 8
# In watch mode the store is looked at this often even when nothing seems due: a channel may be added.
_LONGEST_NAP = 30.0
# While there is much else to do, known articles are thought of this often.
_RECHECKS_EVERY = 5.0
# Whether it is time to count the articles that each host has under watch is asked this often.
_COUNT_EVERY = 3600.0
# While watching, the store is looked at this often, also while slow hosts are waited for.
_LOOK_EVERY = 5.0


class Frontier:
    """Hands out due channels and pending pages, pages first, never more than fit."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        most_channels: int,
        most_pages: int,
        per_host: int,
        most_captured: int | None,
        channels_per_host: int | None = None,
        rechecks: RecheckRules | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._pages = InFlight(most_pages)
        self._channels = InFlight(most_channels)
        self._requisites = InFlight(most_pages)
        self._gaps = InFlight(most_channels)
        self._rechecks = InFlight(most_pages)
        self._sitemaps = InFlight(most_channels)
        self._watched_counted: float | None = None
        self._recheck_rules = rechecks
        self._gaps_asked = self._rechecks_asked = self._sitemaps_asked = self._looked = time.monotonic()
        # Taken from the store and not handed out: to ask it for a few at a time costs more than to fetch.
        self._ready: list[PendingPage] = []
        self._hosts: dict[int, str] = {}
        self._at_host: Counter[str] = Counter()
        self._per_host = per_host
        self._channel_hosts: dict[int, str] = {}
        self._channels_per_host = channels_per_host or most_channels
        self._pace = Pace()
        # Where there are quotas.
        self.holding: Holding | None = None
        self._most_captured = most_captured
        self._started = machine_now()
        self._changed = asyncio.Event()
        self.stopping = False

    async def targets(
        self, sources: Sequence[str] | None, *, watch: bool, idle: asyncio.Event
    ) -> AsyncIterator[Target]:
        """Everything that is due, until nothing is left; with `watch`, until somebody stops it."""
        is_last = False
        while not self.stopping:
            self._changed.clear()
            if watch:
                self._look_again()
            granted = await self._grant(sources, watch=watch)
            for target in granted:
                yield target
            # Something that came while the store was asked may have made more of it due.
            if granted or self._changed.is_set():
                # What comes of it may ask for more, also of what was looked at last.
                is_last = is_last and not granted
                continue
            at_rest = not any(kind.ids for kind in self._kinds) and idle.is_set()
            if at_rest and not watch:
                if is_last:
                    return
                # What was polled and fetched meanwhile has made room for rechecks, and may ask for more.
                is_last = True
                for kind in self._kinds:
                    kind.refill = True
                continue
            busy = _LOOK_EVERY if watch else None
            await self._nap(await self._until_next(sources) if at_rest else busy)

    def _look_again(self) -> None:
        """Channels and pages fall due at any time, also while a host is waited for that never answers."""
        if time.monotonic() - self._looked > _LOOK_EVERY:
            self._looked = time.monotonic()
            self._channels.refill = self._pages.refill = True

    @property
    def _kinds(self) -> tuple[InFlight, ...]:
        return (self._pages, self._channels, self._requisites, self._gaps, self._rechecks, self._sitemaps)

    @property
    def rechecking(self) -> int:
        """How many known articles are being looked at; they are not pending in the store."""
        return len(self._rechecks.ids)

    def page_done(self, page_id: int) -> None:
        self._pages.ids.discard(page_id)
        self._rechecks.ids.discard(page_id)
        if page_id in self._hosts:
            self._at_host[self._hosts.pop(page_id)] -= 1
        self.wake()

    def channel_done(self, channel_id: int) -> None:
        self._channels.ids.discard(channel_id)
        self._channel_hosts.pop(channel_id, None)
        # Its entries ask for pages.
        self._pages.refill = True
        self.wake()

    def pace(self, *, slow: frozenset[str], over: set[str]) -> None:
        """Which hosts are slow, and which have just had their time in this run."""
        self._pace.slow = slow
        if over:
            self._pace.left |= over
            self.wake()

    def leave_in_peace(self, hosts: frozenset[str]) -> None:
        """Nothing of these is handed out in this run."""
        self._pace.resting = hosts
        self._pace.left |= hosts

    @property
    def hosts_left(self) -> frozenset[str]:
        """The hosts that have had their time in this run."""
        return frozenset(self._pace.left - self._pace.resting)

    def let_go(self, kind: str, target_id: int, *, is_over: bool) -> None:
        """What was handed out comes back untried; if its host's time is over, it waits for the next run."""
        kinds = {"pages": (self._pages, self._rechecks), "gaps": (self._gaps,)}
        kinds |= {"channels": (self._channels,), "requisites": (self._requisites,)}
        kinds |= {"sitemaps": (self._sitemaps,)}
        for in_flight in kinds[kind]:
            in_flight.ids.discard(target_id)
            in_flight.left |= {target_id} if is_over else set()
            in_flight.refill = True
        self._channel_hosts.pop(target_id if kind == "channels" else -1, None)
        if kind == "pages":
            self.page_done(target_id)
        self.wake()

    def is_polling(self, channel_id: int) -> bool:
        return channel_id in self._channels.ids

    def channels_wanted(self) -> None:
        """A channel may be due that was not a moment ago."""
        self._channels.refill = True
        self.wake()

    def pages_wanted(self) -> None:
        """An entry changed while its page was on its way: it is asked for again."""
        self._pages.refill = True
        self.wake()

    def gaps_wanted(self) -> None:
        """A poll showed that something is missing."""
        self._gaps.refill = True

    def gap_done(self, gap_id: int) -> None:
        self._gaps.ids.discard(gap_id)
        # Entries that were found ask for pages, and the gap for its next document.
        self._pages.refill = self._gaps.refill = True
        self.wake()

    def sitemap_done(self, sitemap_id: int) -> None:
        self._sitemaps.ids.discard(sitemap_id)
        # Articles that it told of are due, and the round may go on.
        self._rechecks.refill = self._sitemaps.refill = True
        self.wake()

    def requisite_done(self, requisite_id: int) -> None:
        self._requisites.ids.discard(requisite_id)
        self.wake()

    def requisites_wanted(self) -> None:
        """A page, a style or a channel may have asked for something."""
        self._requisites.refill = True
        self.wake()

    def wake(self) -> None:
        """Something may be fetched that could not be a moment ago."""
        self._changed.set()

    async def _grant(self, sources: Sequence[str] | None, *, watch: bool) -> list[Target]:
        if self.holding is not None and await self.holding.look():
            # Taken from the store before the quota was reached.
            self._ready, self._pages.refill = [], True
        granted: list[Target] = [*await self._grant_pages()]
        if self._channels.wants_more():
            busy = self._channels.asking()
            due = await self._database.run_async(
                due_channels,
                self._clock.now(),
                limit=self._channels.most - len(self._channels.ids),
                busy=busy,
                sources=sources,
                # A run that ends polls each channel once, however short its interval.
                not_since=None if watch else self._started,
                hosts=self._channel_limit(),
                moment=machine_now(),
            )
            self._channel_hosts |= {channel.id: channel.host for channel in due}
            self._channels.add([channel.id for channel in due])
            granted += due
        granted += await self._grant_sitemaps()
        granted += await self._grant_rechecks(watch=watch)
        return granted + await self._grant_gaps() + await self._grant_requisites()

    def _channel_limit(self) -> HostLimit:
        most = self._channels_per_host
        taken = self._pace.taken(Counter(self._channel_hosts.values()), most)
        return HostLimit(most=most, polled=tuple(taken.elements()))

    def _take(self, kind: InFlight, found: list[_Found]) -> list[_Found]:
        """What was found, without that of hosts that have had their time."""
        granted = [target for target in found if target.host not in self._pace.left]
        if len(granted) < len(found):
            kind.left.update(target.id for target in found if target.host in self._pace.left)
            # There may be others behind them.
            kind.refill = True
            self.wake()
        kind.add([target.id for target in granted])
        return granted

    async def _grant_rechecks(self, *, watch: bool) -> list[PendingPage]:
        """Known articles, when nobody waits for a page: what is new goes first."""
        if time.monotonic() - self._rechecks_asked > _RECHECKS_EVERY:
            self._rechecks.refill = True
        if self._recheck_rules is None or self._ready or not self._rechecks.wants_more():
            return []
        if await self._is_behind():
            return []
        self._rechecks_asked = time.monotonic()
        busy = self._rechecks.asking()
        found = await self._database.run_async(
            due_rechecks,
            self._clock.now(),
            self._recheck_rules,
            limit=self._rechecks.most - len(self._rechecks.ids),
            per_host=self._per_host,
            busy=busy,
            # A channel is not polled again in a run that ends, however short its interval.
            not_since=None if watch else self._started,
        )
        return self._take(self._rechecks, found)

    async def _grant_sitemaps(self) -> list[SitemapAsk]:
        """Sitemaps of hosts with many known articles, which may tell which of them to look at."""
        rules = self._recheck_rules
        # A crawl that watches may never be at rest.
        if time.monotonic() - self._sitemaps_asked > _LONGEST_NAP:
            self._sitemaps.refill = True
        if rules is None or not rules.asks_for_sitemaps or not self._sitemaps.wants_more():
            return []
        self._sitemaps_asked = time.monotonic()
        now = self._clock.now()
        if self._watched_counted is None or time.monotonic() - self._watched_counted > _COUNT_EVERY:
            self._watched_counted = time.monotonic()
            await self._database.run_async(count_when_due, rules.policy.until, now)
        busy = self._sitemaps.asking()
        limit = self._sitemaps.most - len(self._sitemaps.ids)
        found = await self._database.run_async(due_sitemaps, now, limit=limit, busy=busy)
        return self._take(self._sitemaps, found)

    async def _grant_gaps(self) -> list[GapAsk]:
        # Seldom enough to cost nothing: one that failed is due again at some time.
        if time.monotonic() - self._gaps_asked > _LONGEST_NAP:
            self._gaps.refill = True
        if not self._gaps.wants_more():
            return []
        self._gaps_asked = time.monotonic()
        busy = self._gaps.asking()
        found = await self._database.run_async(
            pending_gaps, self._clock.now(), limit=self._gaps.most - len(self._gaps.ids), busy=busy
        )
        return self._take(self._gaps, found)

    async def _grant_pages(self) -> list[PendingPage]:
        if not self._pages.wants_more() or await self._is_behind():
            return []
        may_be_more, busy = self._pages.refill, self._pages.asking()
        # What waits for slow hosts would keep out the pages of others: it is asked for again when it fits.
        self._ready = [page for page in self._ready if page.host not in self._pace.slow | self._pace.left]
        if len(self._ready) < self._pages.most and (may_be_more or not self._ready):
            self._ready += await self._database.run_async(
                pending_pages,
                self._clock.now(),
                limit=_AHEAD * self._pages.most,
                per_host=_AHEAD * self._per_host,
                # One that is being looked at may have answered before it is asked for again.
                busy=busy.union((page.id for page in self._ready), self._rechecks.ids),
                without=self._pace.full(self._at_host, self._per_host),
            )
        return self._hand_out()

    def _hand_out(self) -> list[PendingPage]:
        """As many of the ready pages as fit, no host taking the places of the others."""
        granted: list[PendingPage] = []
        left: list[PendingPage] = []
        room = self._pages.most - len(self._pages.ids)
        for page in self._ready:
            most = self._pace.most(page.host, self._per_host)
            if len(granted) < room and self._at_host[page.host] < most:
                self._at_host[page.host] += 1
                self._hosts[page.id] = page.host
                granted.append(page)
            else:
                left.append(page)
        self._ready = left
        # Counter keeps what has sunk to nothing: hosts of years.
        self._at_host += Counter()
        self._pages.add([page.id for page in granted])
        return granted

    async def _grant_requisites(self) -> list[PendingRequisite]:
        if not self._requisites.wants_more():
            return []
        busy = self._requisites.asking()
        limits = {"limit": self._requisites.most, "per_host": self._per_host}
        found = await self._database.run_async(pending_requisites, self._clock.now(), **limits, busy=busy)
        return self._take(self._requisites, found)

    async def _is_behind(self) -> bool:
        """True while extraction has more to do than it should have."""
        if self._most_captured is None:
            return False
        return await self._database.run_async(count_captured) >= self._most_captured

    async def _until_next(self, sources: Sequence[str] | None) -> float:
        moments = [
            await self._database.run_async(next_due, sources),
            await self._database.run_async(next_try),
            await self._database.run_async(next_gap_try),
        ]
        waits = [self._clock.seconds_until(moment) for moment in moments if moment is not None]
        # Rechecks that are due and not granted have used up their share: others must come first.
        recheck = await self._database.run_async(next_recheck_due) if self._recheck_rules else None
        if recheck is not None and recheck > self._clock.now():
            waits.append(self._clock.seconds_until(recheck))
        for kind in self._kinds:
            kind.refill = True
        return max(0.05, min([*waits, _LONGEST_NAP]))

    async def _nap(self, seconds: float | None) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return
