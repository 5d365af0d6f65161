"""From what Scrapy and Twisted raise to why there was no answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
)

from archiver.acquisition.outcomes import Failed, Failure, failure_of_status, retry_after
from archiver.errors import ArchiveError
from archiver.handlers.resolver import refused_hosts
from archiver.urls import host_of

if TYPE_CHECKING:
    from datetime import datetime

    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure


class RobotsRefused(IgnoreRequest):
    """robots.txt does not allow this URL."""


class RobotsUnavailable(IgnoreRequest):
    """robots.txt could not be fetched: nothing of its host may be fetched until it can."""


# The first that fits counts.
_BY_ERROR: tuple[tuple[type[BaseException], Failure], ...] = (
    (RobotsRefused, Failure.ROBOTS),
    (RobotsUnavailable, Failure.UNAVAILABLE),
    (IgnoreRequest, Failure.REDIRECTS),
    (DownloadTimeoutError, Failure.TIMEOUT),
    (DownloadCancelledError, Failure.TOO_LARGE),
    (CannotResolveHostError, Failure.DNS),
    (ArchiveError, Failure.INTERNAL),
)
# A host that does not answer is told by how it did not, although its robots.txt was all that was asked for.
_UNREACHABLE = (DownloadTimeoutError, DownloadConnectionRefusedError, DownloadFailedError)


def failure_of_error(error: TwistedFailure, url: str) -> Failed:
    """Why a download failed."""
    value = error.value
    detail = _detail(value)
    if isinstance(value, RobotsUnavailable) and isinstance(value.__cause__, _UNREACHABLE):
        value = value.__cause__
    if isinstance(value, CannotResolveHostError) and host_of(url) in refused_hosts:
        return Failed(failure=Failure.ADDRESS, detail=f"{host_of(url)} has no public address")
    for kind, failure in _BY_ERROR:
        if isinstance(value, kind):
            return Failed(failure=failure, detail="" if failure is Failure.ROBOTS else detail)
    return Failed(failure=Failure.CONNECTION, detail=detail)


def _detail(error: BaseException | None) -> str:
    """What was raised, in words of ours where the library's repeat the address or say little."""
    told = str(error) or type(error).__name__
    if isinstance(error, DownloadTimeoutError) and (found := _SECONDS.search(told)):
        return f"no whole answer within {float(found[1]):g} s"
    return _OUR_WORDS.get(told, told)


_SECONDS = re.compile(r"took longer than ([\d.]+) seconds")
_OUR_WORDS = {"max redirections reached": "too many redirects"}


def failure_of_response(response: Response, now: datetime) -> Failed | None:
    """Why a response cannot be used; None if it can."""
    failure = failure_of_status(response.status)
    if failure is not None:
        header = response.headers.get("Retry-After")
        wait = retry_after(header.decode("latin-1") if header else None, now)
        return Failed(failure=failure, detail=f"HTTP {response.status}", retry_after=wait)
    if response.status == 304 and not _is_conditional(response):
        return Failed(failure=Failure.UNASKED, detail="304, although the request was not conditional")
    if "dataloss" in response.flags:
        return Failed(failure=Failure.TRUNCATED, detail="the connection closed before the end")
    return None


def _is_conditional(response: Response) -> bool:
    asked = response.request.headers if response.request else {}
    return "If-None-Match" in asked or "If-Modified-Since" in asked
