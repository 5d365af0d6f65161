"""The page of a form, fetched to be looked at: one request, and the robots.txt of what its searches ask."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request

from archiver.clock import machine_now
from archiver.errors import ArchiveError, ConfigurationError, ExtractionError, RunEnding
from archiver.extensions.archive import ArchiveExtension
from archiver.inspection.looked_forms import searched
from archiver.middlewares.robots import robots_request
from archiver.running.workers.forms import ReadFormPage
from archiver.spiders.failures import failure_of_error, failure_of_response
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.acquisition.outcomes import Failed
    from archiver.archive.warc.records import Capture
    from archiver.documents.pages.forms.finding import PageForms

# The run ends, and no fault of the page.
_NOT_TRIED = (ArchiveError, RunEnding)


class FormPageLook:
    """Has a page archived, so that its forms can be shown. Nothing is submitted."""

    def __init__(self, crawler: Crawler) -> None:
        self._settings = crawler.settings
        self._archive = ArchiveExtension.of(crawler).session.archive

    def request(self, url: str) -> Request:
        headers = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
        return Request(url, self._answered, headers=headers, errback=self._failed, dont_filter=True)

    async def _answered(self, response: Response) -> AsyncIterator[Request]:
        capture = await self._kept(response)
        failed = failure_of_response(response, machine_now())
        if failed is not None:
            self._tell(response.url, failed)
        elif capture is not None:
            for origin in await self._asked_origins(response.url, capture):
                request = robots_request(origin, self._settings, {})
                yield request.replace(callback=self._kept, errback=self._ignored)

    async def _kept(self, response: Response) -> Capture | None:
        try:
            return await response.meta["capture"]  # type: ignore[no-any-return] # set by our handler
        except ArchiveError:
            return None  # told by the archive

    async def _asked_origins(self, url: str, capture: Capture) -> list[str]:
        folder = str(self._archive.config.warc_folder)
        task = ReadFormPage(url=url, folder=folder, file=capture.file, offset=capture.offset)
        try:
            read = await self._archive.workers.run(task)
        except ExtractionError:
            return []  # told by the command, which reads the page again
        return _other_origins(read.forms) if read.forms is not None else []

    def _failed(self, error: TwistedFailure) -> None:
        if not isinstance(error.value, _NOT_TRIED):
            url = error.request.url  # type: ignore[attr-defined] # set by Scrapy
            self._tell(url, failure_of_error(error, url))

    def _ignored(self, error: TwistedFailure) -> None:
        """Where robots.txt could not be fetched, nothing is known of what it allows."""

    def _tell(self, url: str, failed: Failed) -> None:
        told = " ".join(f"{failed.failure} {failed.detail}".split())
        self._archive.report.error(f"{url} could not be fetched: {told}")


def _other_origins(found: PageForms) -> list[str]:
    """Where the searches of a page lead, but for the page's own origin, which was asked before the page."""
    origins = dict.fromkeys(_origin(address) for _, address, _ in searched(found) if address)
    return [one for one in origins if one != _origin(found.url)]


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def one_page(url: str) -> str:
    if not is_web(url):
        raise ConfigurationError(f"-a look={url}: this is not a web address")
    return url
