"""Answers from the archive instead of the Web: nothing goes over the network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadFailedError
from scrapy.http import Headers

from archiver.errors import RecordError
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.internals import make_response
from archiver.submissions import Submission

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class ReplayHandler(BaseDownloadHandler):
    """Plays the next response that the archive has for a URL."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._session = ArchiveExtension.of(crawler).session

    async def download_request(self, request: Request) -> Response:
        request.meta.pop("capture", None)
        try:
            played = self._session.tape.play(request.url, _submitted(request))
        except RecordError as error:
            # As it was then: there was no answer.
            raise DownloadFailedError(str(error)) from error
        request.meta["capture"] = asyncio.get_running_loop().create_future()
        request.meta["capture"].set_result(played.capture)
        run = self._session.campaign_run
        if run is not None:
            run.receive(request.meta.get("campaign"), len(played.wire.head) + len(played.wire.body))
        headers = Headers()
        for name, value in played.wire.headers():
            headers.appendlist(name, value.encode("latin-1"))
        status, body = played.wire.status or 0, played.wire.body
        flags = ["dataloss"] if played.is_truncated else None
        return make_response(url=request.url, status=status, headers=headers, body=body, flags=flags)

    async def close(self) -> None:
        """Nothing is open."""


def _submitted(request: Request) -> Submission | None:
    return None if request.method == "GET" else Submission(method=request.method, body=request.body)
