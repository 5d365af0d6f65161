"""robots.txt as RFC 9309 has it: by status, not for ever, and with its Crawl-delay."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from protego import Protego
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest, NotConfigured
from scrapy.http import Request
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.httpobj import urlparse_cached

from archiver.errors import ArchiveError, RunEnding
from archiver.warc.reader import decode_content

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

# RFC 9309, 2.4: no longer than a day.
_KEPT_SECONDS = 24 * 3600.0
# A server that stumbles is asked again soon: nothing of its host is fetched until it answers.
_UNAVAILABLE_SECONDS = 600.0
_KEPT_HOSTS = 10_000
# RFC 9309, 2.5: at least this much of the file is read.
_MOST_BYTES = 512 * 1024


class RobotsRefused(IgnoreRequest):
    """robots.txt does not allow this URL."""


class RobotsUnavailable(IgnoreRequest):
    """robots.txt could not be had: nothing may be fetched until it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    expires: float
    parser: Protego | None = None  # None: everything is allowed
    unavailable: str = ""
    cause: Exception | None = None

    def check(self, url: str, agent: str) -> None:
        if self.unavailable:
            raise RobotsUnavailable(f"robots.txt: {self.unavailable}") from self.cause
        if self.parser is not None and not self.parser.can_fetch(url, agent):
            raise RobotsRefused("robots.txt does not allow it")


class RobotsMiddleware:
    """Asks robots.txt before anything else of a host."""

    def __init__(self, crawler: Crawler, agent: str, longest_delay: float) -> None:
        self._crawler = crawler
        self._agent = agent
        self._longest_delay = longest_delay
        self._rules: OrderedDict[str, asyncio.Future[_Rules]] = OrderedDict()
        self._delays: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsMiddleware:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is off")
        return cls(crawler, settings["ROBOTSTXT_USER_AGENT"], settings.getfloat("ROBOTS_LONGEST_DELAY"))

    async def process_request(self, request: Request) -> None:
        if request.meta.get("dont_obey_robotstxt"):
            return
        rules = await self._rules_for(request)
        host = urlparse_cached(request).hostname or ""
        if host in self._delays:
            self._slow_down(request, host)
        rules.check(request.url, self._agent)

    async def _rules_for(self, request: Request) -> _Rules:
        url = urlparse_cached(request)
        origin = f"{url.scheme}://{url.netloc}"
        known = self._rules.get(origin)
        if known is not None and not (known.done() and known.result().expires < time.monotonic()):
            self._rules.move_to_end(origin)
            return known.result() if known.done() else await asyncio.shield(known)
        task = asyncio.ensure_future(self._fetch(origin, url.hostname or ""))
        self._rules[origin] = task
        if len(self._rules) > _KEPT_HOSTS:
            self._rules.popitem(last=False)
        return await asyncio.shield(task)

    async def _fetch(self, origin: str, host: str) -> _Rules:
        meta = {"dont_obey_robotstxt": True}
        request = Request(f"{origin}/robots.txt", callback=NO_CALLBACK, meta=meta, dont_filter=True)
        expires = time.monotonic() + _KEPT_SECONDS
        try:
            response = await self._crawler.engine.download_async(request)
            await response.meta["capture"]
        except (ArchiveError, RunEnding):
            raise  # not the host's fault
        except CannotResolveHostError:
            return _Rules(expires=0)  # the page itself will fail in the same way, and say so
        except Exception as error:  # noqa: BLE001 - told as the outcome of every request to this host
            return _unavailable(str(error) or type(error).__name__, error)
        return self._read(response, host, expires)

    def _read(self, response: Response, host: str, expires: float) -> _Rules:
        if response.status >= 500 or response.status == 429:
            return _unavailable(f"the server answered {response.status}")
        if not 200 <= response.status < 300:
            return _Rules(expires=expires)
        coding = (response.headers.get("Content-Encoding") or b"").decode("latin-1").lower()
        codings = [part.strip() for part in coding.split(",")]
        body = decode_content(response.body, codings, most=_MOST_BYTES)
        parser = Protego.parse(body[:_MOST_BYTES].decode("utf-8", "ignore"))
        delay = parser.crawl_delay(self._agent)
        if delay:
            self._delays[host] = min(float(delay), self._longest_delay)
        return _Rules(expires=expires, parser=parser)

    def _slow_down(self, request: Request, host: str) -> None:
        """Hold the host's slot to its Crawl-delay; AutoThrottle would shorten it again."""
        # Jitter, which is on by default, would halve it now and then.
        delay = max(self._delays[host], self._crawler.settings.getfloat("DOWNLOAD_DELAY"))
        downloader = self._crawler.engine.downloader
        downloader.per_slot_settings.setdefault(host, {}).update(delay=delay, jitter=0.0)
        slot = downloader.slots.get(host)
        if slot is not None:
            slot.delay, slot.jitter = max(slot.delay, delay), 0.0
        request.meta["autothrottle_dont_adjust_delay"] = True


def _unavailable(why: str, cause: Exception | None = None) -> _Rules:
    return _Rules(expires=time.monotonic() + _UNAVAILABLE_SECONDS, unavailable=why, cause=cause)
