"""WebSub in watch mode: hubs are subscribed to and listened to, beside the crawl on its event loop."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from twisted.internet.error import CannotListenError

from archiver.acquisition.channels.websub.subscription import form
from archiver.errors import ArchiveError
from archiver.extensions.archive import ArchiveExtension
from archiver.extensions.configuration import interval, websub_url
from archiver.extensions.hubs import ask_hub, listen_for_hubs
from archiver.store.polling import subscriptions
from archiver.store.polling.subscriptions import Call

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from scrapy import Spider
    from scrapy.crawler import Crawler

    from archiver.acquisition.channels.websub.subscription import Subscription
    from archiver.running.session import Session

logger = logging.getLogger(__name__)

_SECONDS = 1.0
_AT_ONCE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSubOptions:
    url: str  # where hubs reach us
    host: str
    port: int
    lease: timedelta
    user_agent: str


class WebSubExtension:
    """Asks hubs to call, and makes channels due when they do."""

    def __init__(self, crawler: Crawler, options: WebSubOptions) -> None:
        self._crawler = crawler
        self._options = options
        self._asking: asyncio.Task[None] | None = None
        self._waiting: set[asyncio.Task[None]] = set()
        self._port: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WebSubExtension:
        settings = crawler.settings
        url = websub_url(settings)
        if url is None or settings.getbool("REPLAY"):
            raise NotConfigured  # silently: it is off by default
        options = WebSubOptions(
            url=url,
            host=settings["WEBSUB_HOST"],
            port=settings.getint("WEBSUB_PORT"),
            lease=interval(settings, "WEBSUB_LEASE"),
            user_agent=settings["USER_AGENT"],
        )
        extension = cls(crawler, options)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        if not getattr(spider, "watch", False):
            return  # a run that ends cannot be called
        options = self._options
        try:
            self._port = listen_for_hubs(options.host, options.port, self)
        except CannotListenError as error:
            where = f"WEBSUB_HOST={options.host} and WEBSUB_PORT={options.port}"
            self._session.fatal(ArchiveError(f"Cannot listen for hubs: {where}: {error.socketError}"))
            return
        self._asking = asyncio.ensure_future(self._ask_hubs())

    @property
    def _session(self) -> Session:
        return ArchiveExtension.of(self._crawler).session

    async def spider_closed(self) -> None:
        if self._asking is not None:
            tasks = [self._asking, *self._waiting]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if self._port is not None:
            self._port.stopListening()

    async def question(self, path: str, query: Mapping[str, str]) -> str | None:
        """A hub asks back."""
        lease = self._options.lease
        database = self._session.archive.database
        answer = await database.run_async(subscriptions.question, path, query, lease=lease, now=self._now())
        self._session.frontier.want("channels")  # a hub that refuses gives its channel back
        return answer

    async def called(self, path: str, body: bytes, signature: str) -> Call:
        """A hub says that something changed. What it says changed is not looked at: the feed is polled."""
        database = self._session.archive.database
        call = await database.run_async(subscriptions.called, path, body, signature, self._now())
        if call is Call.HEARD:
            self._session.frontier.want("channels")
            self._again(path)
        return call

    def _again(self, path: str) -> None:
        task = asyncio.ensure_future(self._poll_again(path))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _poll_again(self, path: str) -> None:
        """A poll that was under way may have been answered before there was something new."""
        database, frontier = self._session.archive.database, self._session.frontier
        known = await database.run_async(subscriptions.of_path, path)
        if known is None or not frontier.is_under_way("channels", known.channel_id):
            return
        while frontier.is_under_way("channels", known.channel_id):  # noqa: ASYNC110 - an event for each would cost all polls
            await asyncio.sleep(_SECONDS)
        await database.run_async(subscriptions.poll_soon, known.channel_id, self._now())
        frontier.want("channels")

    async def _ask_hubs(self) -> None:
        while True:
            try:
                await self._ask_those_due()
            except ArchiveError as error:
                self._session.fatal(error)
                return
            await asyncio.sleep(_SECONDS)

    async def _ask_those_due(self) -> None:
        database = self._session.archive.database
        due = await database.run_async(subscriptions.due_steps, self._now(), _AT_ONCE)
        await asyncio.gather(*(self._ask(one) for one in due))
        if due:
            self._session.frontier.want("channels")  # a lease may have lapsed

    async def _ask(self, known: Subscription) -> None:
        database = self._session.archive.database
        asked = await database.run_async(subscriptions.ask, known, self._now())
        fields = form(asked, f"{self._options.url}/{asked.path}", self._options.lease)
        status = await ask_hub(asked.hub, fields, self._options.user_agent)
        logger.info("Asked the hub %s for %s: %s", asked.hub, asked.topic, status or "no answer")
        await database.run_async(subscriptions.answered, asked.path, status, self._now())

    def _now(self) -> datetime:
        return self._session.archive.clock.now()
