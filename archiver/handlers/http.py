"""Downloads over HTTP, each in the archive before anybody reads it."""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError

from archiver.errors import ArchiveError
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.recording import MARKER, Recording, RecordingFactory
from archiver.urls import request_url
from archiver.warc.records import Exchange

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from archiver.warc.records import Capture


class ArchivingHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP/1.1 handler, whose every exchange is written to WARC before it returns."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._session = ArchiveExtension.of(crawler)
        self._recordings: dict[bytes, Recording] = {}
        self._numbers = itertools.count()
        pool: Any = self._pool
        pool._factory = partial(RecordingFactory, recordings=self._recordings)  # noqa: SLF001 - see recording.py

    async def download_request(self, request: Request) -> Response:
        """Download, keep, then answer; what came of a failed download is kept as well."""
        marker = b"%d" % next(self._numbers)
        recording = self._recordings[marker] = Recording()
        request.headers[MARKER] = marker
        request.meta.pop("capture", None)
        try:
            response = await super().download_request(request)
        except Exception as error:
            await self._keep(request, recording, _why_truncated(error))
            raise
        finally:
            del self._recordings[marker]
            request.headers.pop(MARKER, None)
        truncated = "disconnect" if "dataloss" in response.flags else None
        request.meta["capture"] = await self._keep(request, recording, truncated)
        return response

    async def _keep(self, request: Request, recording: Recording, truncated: str | None) -> Capture | None:
        last = len(recording.attempts) - 1
        exchanges = [
            Exchange(
                url=request_url(request.url),
                started=attempt.started,
                sent=bytes(attempt.sent),
                received=bytes(attempt.received),
                ip=attempt.ip,
                truncated=truncated if number == last else "disconnect",
            )
            for number, attempt in enumerate(recording.attempts)
            if attempt.sent
        ]
        if not exchanges:
            return None
        self._session.archive.report.bytes_received += sum(len(exchange.received) for exchange in exchanges)
        try:
            captures = await self._session.archive.writer.write(exchanges)
        except (ArchiveError, OSError) as error:
            self._session.fatal(error)
            raise ArchiveError(f"The exchange could not be kept: {error}") from error
        return captures[-1]


def _why_truncated(error: Exception) -> str:
    """The reason as WARC-Truncated has it."""
    if isinstance(error, DownloadTimeoutError):
        return "time"
    if isinstance(error, DownloadCancelledError):
        return "length"
    return "disconnect"
