"""A capture in the path of an address, as Wayback machines have it: a time, and a URL as it is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.display.spans import parse_span
from archiver.errors import ConfigurationError
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    from datetime import datetime

    from starlette.requests import Request

# Several of them fit into a request, each character escaped in nine bytes.
LONGEST_URL = 3000
_MARGIN = timedelta(days=2)


def asked_capture(request: Request, before: int) -> tuple[str, str]:
    """Time and URL behind so many parts of the path. Not unescaped: `%2F` and `/` are two in an archive."""
    stamp, _, url = _behind(request, before).partition("/")
    return stamp, checked_url(url)


def asked_url(request: Request, before: int) -> str:
    """The URL behind so many parts of the path."""
    return checked_url(_behind(request, before))


def _behind(request: Request, before: int) -> str:
    path = request.scope["raw_path"].decode("ascii", "replace")
    query = request.scope["query_string"].decode("ascii", "replace")
    rest = path.split("/", before + 1)[-1]
    return f"{rest}?{query}" if query else rest


def checked_url(url: str) -> str:
    # Some servers and clients make one slash of two.
    for scheme in ("http:", "https:"):
        if url.startswith(f"{scheme}/") and not url.startswith(f"{scheme}//"):
            url = f"{scheme}//{url[len(scheme) + 1 :]}"
    if len(url) > LONGEST_URL or not is_web(url):
        raise ConfigurationError(f"{redact(url[:300])} is not a web address: write http://…")
    return url


def moment_of(text: str) -> datetime:
    """The first moment of a time as people or archives write it. Raises ConfigurationError."""
    try:
        found = parse_span(text).first
        # At the ends of the calendar, no time is before or after.
        found - _MARGIN, found + _MARGIN
    except (ValueError, OverflowError) as error:
        raise ConfigurationError(str(error)[:300]) from error
    return found
