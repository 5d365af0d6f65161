"""OpenMetrics of a crawl that watches, at `/metrics`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from twisted.internet.error import CannotListenError
from twisted.web.server import NOT_DONE_YET, Request

from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.answering import AnsweringResource, listen
from archiver.extensions.archive import ArchiveExtension
from archiver.store.outstanding import outstanding

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from archiver.running.session import Session

_OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"


class MetricsExtension:
    """Serves the run's counts for as long as it watches."""

    def __init__(self, crawler: Crawler, host: str, port: int) -> None:
        self._crawler = crawler
        self._host = host
        self._port = port
        self._listening: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> MetricsExtension:
        port = crawler.settings.getint("METRICS_PORT")
        if not port:
            raise NotConfigured  # silently: it is off by default
        if find_spec("prometheus_client") is None:
            raise ConfigurationError('METRICS_PORT needs prometheus-client: pip install "archiver[metrics]"')
        extension = cls(crawler, crawler.settings["METRICS_HOST"], port)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        if not getattr(spider, "watch", False):
            return  # a run that ends has a report
        session = ArchiveExtension.of(self._crawler).session
        try:
            self._listening = listen(self._host, self._port, _Metrics(session))
        except CannotListenError as error:
            where = f"METRICS_HOST={self._host} and METRICS_PORT={self._port}"
            session.fatal(ArchiveError(f"Cannot serve metrics: {where}: {error.socketError}"))

    def spider_closed(self) -> None:
        if self._listening is not None:
            self._listening.stopListening()


class _Metrics(AnsweringResource):
    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def render_GET(self, request: Request) -> int:  # noqa: N802 - Twisted's name
        self.answer(request, self._told(request.path), _OPENMETRICS)
        return NOT_DONE_YET

    async def _told(self, path: bytes) -> tuple[int, bytes]:
        if path != b"/metrics":
            return 404, b""
        # Imported where it is asked for: few crawls have it.
        from prometheus_client import CollectorRegistry, ProcessCollector  # noqa: PLC0415
        from prometheus_client.openmetrics.exposition import generate_latest  # noqa: PLC0415

        from archiver.running.metrics import RunMetrics  # noqa: PLC0415

        archive, registry = self._session.archive, CollectorRegistry()
        left = await archive.database.run_async(outstanding, archive.clock.now(), self._session.seeds)
        registry.register(RunMetrics(archive.report, left))
        ProcessCollector(registry=registry)
        return 200, generate_latest(registry)  # type: ignore[no-untyped-call]
