"""robots.txt as RFC 9309 has it: by status, not for ever, and with its Crawl-delay."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.exceptions import CannotResolveHostError, NotConfigured
from scrapy.http import Request
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.httpobj import urlparse_cached

from archiver.archive.warc.wire import listed_codings
from archiver.documents.codings import decode_content
from archiver.documents.robots import MOST_BYTES, Robots, has_rules, is_unavailable, read_robots
from archiver.errors import ArchiveError, BudgetSpent, RunEnding
from archiver.extensions.archive import ArchiveExtension
from archiver.middlewares.patience import longest_start, remember
from archiver.spiders.failures import RobotsRefused, RobotsUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

# RFC 9309, 2.4: no longer than a day.
_KEPT_SECONDS = 24 * 3600.0
# Refused or the like: RFC 9309, 2.3.1.3 lets us fetch, but rules may be there again long before tomorrow.
_REFUSED_SECONDS = 3600.0
# A server that stumbles is asked again soon: nothing of its host is fetched until it answers.
_UNAVAILABLE_SECONDS = 600.0
_KEPT_HOSTS = 10_000
# Strings of all rules together, some 150 bytes each.
_KEPT_STRINGS = 400_000
# On the wire. Whatever is longer is not meant to be read; of the rest, robots.MOST_BYTES are.
_LONGEST_FILE = 5 * 1024 * 1024
# More codings one over the other are a bomb.
_MOST_CODINGS = 3


_EVERYTHING = Robots()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    expires: float
    robots: Robots = _EVERYTHING
    unavailable: str = ""
    cause: Exception | None = None

    def check(self, url: str) -> None:
        if self.unavailable:
            raise RobotsUnavailable(f"robots.txt: {self.unavailable}") from self.cause
        if not self.robots.allows(url):
            raise RobotsRefused("robots.txt does not allow it")


class RobotsMiddleware:
    """Asks robots.txt before anything else of a host."""

    def __init__(self, crawler: Crawler, agent: str, longest_delay: float, longest_start: float) -> None:
        self._crawler = crawler
        self._longest_start = longest_start
        self._agent = agent
        self._longest_delay = longest_delay
        self._rules: OrderedDict[str, asyncio.Future[_Rules]] = OrderedDict()
        self._sizes: Counter[str] = Counter()
        self._delays: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsMiddleware:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        start = longest_start(settings.getfloat("RUN_HOST_TIME"))
        delay = settings.getfloat("ROBOTS_LONGEST_DELAY")
        return cls(crawler, settings["ROBOTSTXT_USER_AGENT"], delay, start)

    async def process_request(self, request: Request) -> None:
        if request.meta.get("dont_obey_robotstxt"):
            return
        rules = await self._rules_for(request)
        host = urlparse_cached(request).hostname or ""
        if host in self._delays:
            self._slow_down(request, host)
        rules.check(request.url)

    async def _rules_for(self, request: Request) -> _Rules:
        url = urlparse_cached(request)
        origin = f"{url.scheme}://{url.netloc}"
        while (known := self._rules.get(origin)) is not None and not _has_expired(known):
            self._rules.move_to_end(origin)
            try:
                return known.result() if known.done() else await asyncio.shield(known)
            except BudgetSpent:
                # Of the campaign for which it was to be asked: others ask for themselves.
                if self._rules.get(origin) is known:
                    del self._rules[origin]
        task = asyncio.ensure_future(self._fetch(origin, url.hostname or "", _charged_to(request)))
        self._rules[origin] = task
        rules = await asyncio.shield(task)
        self._sizes[origin] = rules.robots.size
        self._make_room()
        return rules

    def _make_room(self) -> None:
        """Forget the host that was asked longest ago, and the greatest ones where memory is at stake."""
        if len(self._rules) > _KEPT_HOSTS:
            oldest, _ = self._rules.popitem(last=False)
            self._sizes.pop(oldest, None)
        while self._sizes.total() > _KEPT_STRINGS:
            greatest, _ = self._sizes.most_common(1)[0]
            self._rules.pop(greatest, None)
            del self._sizes[greatest]

    async def _fetch(self, origin: str, host: str, charged: dict[str, object]) -> _Rules:
        request = robots_request(origin, self._crawler.settings, charged)
        try:
            response = await self._crawler.engine.download_async(request)
            capture = await response.meta["capture"]
        except (ArchiveError, RunEnding):
            raise  # not the host's fault
        except CannotResolveHostError:
            return _Rules(expires=0)  # the page itself will fail in the same way, and say so
        except Exception as error:  # noqa: BLE001 - told as the outcome of every request to this host
            return _unavailable(str(error) or type(error).__name__, time.monotonic(), error)
        rules = rules_of(response, self._agent, time.monotonic())
        session = ArchiveExtension.of(self._crawler).session
        session.robots_asked[origin] += 1
        if response.status == 200:
            session.robots[origin] = capture
        if rules.robots.crawl_delay:
            self._delays[host] = min(rules.robots.crawl_delay, self._longest_delay)
            self._begin_soon(host, time.monotonic())
            remember(self._crawler, host, self._delays[host])
        return rules

    def _begin_soon(self, host: str, now: float) -> None:
        """The first request after robots.txt need not wait for hours: a run would end without one."""
        slot = self._crawler.engine.downloader.slots.get(host)
        if slot is not None:
            slot.lastseen = min(slot.lastseen, now + self._longest_start - self._delays[host])

    def _slow_down(self, request: Request, host: str) -> None:
        """Hold the host's slot to its Crawl-delay; AutoThrottle would shorten it again."""
        slow_down(self._crawler, host, self._delays[host])
        request.meta["autothrottle_dont_adjust_delay"] = True


def _has_expired(known: asyncio.Future[_Rules]) -> bool:
    return known.done() and known.exception() is None and known.result().expires < time.monotonic()


def robots_request(origin: str, settings: BaseSettings, meta: Mapping[str, object]) -> Request:
    """The request for the robots.txt of an origin."""
    longest = min(_LONGEST_FILE, settings.getint("DOWNLOAD_MAXSIZE") or _LONGEST_FILE)
    meta = {"dont_obey_robotstxt": True, "download_maxsize": longest} | dict(meta)
    return Request(f"{origin}/robots.txt", callback=NO_CALLBACK, meta=meta, dont_filter=True)


def slow_down(crawler: Crawler, host: str, least: float) -> None:
    """Leave at least so many seconds between two requests to a host, whatever they are for."""
    downloader = crawler.engine.downloader
    known = downloader.per_slot_settings.get(host, {}).get("delay", 0.0)
    delay = max(least, known, crawler.settings.getfloat("DOWNLOAD_DELAY"))
    # Jitter, which is on by default, would halve it now and then.
    downloader.per_slot_settings.setdefault(host, {}).update(delay=delay, jitter=0.0)
    slot = downloader.slots.get(host)
    if slot is not None:
        slot.delay, slot.jitter = max(slot.delay, delay), 0.0


def _charged_to(request: Request) -> dict[str, object]:
    """The campaign for which a host is asked first: its robots.txt is part of what that costs."""
    name = request.meta.get("campaign")
    return {} if name is None else {"campaign": name, "context": (("campaign", name),)}


def rules_of(response: Response, agent: str, now: float) -> _Rules:
    """What an answer means, and for how long."""
    if is_unavailable(response.status):
        return _unavailable(f"the server answered {response.status}", now)
    if response.status in {404, 410}:
        return _Rules(expires=now + _KEPT_SECONDS)
    if not has_rules(response.status):
        return _Rules(expires=now + _REFUSED_SECONDS)
    if "dataloss" in response.flags:
        # The rules that matter may be those that did not come.
        return _unavailable("it broke off", now)
    return _Rules(expires=now + _KEPT_SECONDS, robots=read_robots(_decoded(response), agent))


def _decoded(response: Response) -> bytes:
    """The content, as much of it as is read: no more is even decoded."""
    lines = (line.decode("latin-1") for line in response.headers.getlist("Content-Encoding"))
    codings = listed_codings(lines)[:_MOST_CODINGS]
    # One byte more, so that a file that is longer can be told.
    return decode_content(response.body[: 2 * MOST_BYTES], codings, most=MOST_BYTES + 1)


def _unavailable(why: str, now: float, cause: Exception | None = None) -> _Rules:
    return _Rules(expires=now + _UNAVAILABLE_SECONDS, unavailable=why, cause=cause)
