"""What servers say of their limits, and of what they refuse: the same words for all APIs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from archiver.clock import http_date
from archiver.documents.apis.model import ApiPage
from archiver.documents.apis.values import at, decoded, moment, name
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.documents.apis.model import ApiResponse, Cursor

# Of a server that says that it is too busy and not for how long. MediaWiki: recommended with maxlag.
BUSY_SECONDS = 5.0
# A limit that is reset later than this is not waited for in one piece. Guess: Mastodon's are of 30 minutes.
LONGEST_WAIT = 3600.0
# Half of the rate that a server states is enough for an archive.
_SHARE = 0.5
_PREFIXES = ("X-RateLimit-", "RateLimit-")
# A moment as seconds since 1970 is a number beyond this; a smaller one is a wait.
_EPOCH_SECONDS = 10**9


def wait_of(response: ApiResponse) -> float:
    """Seconds until the next request: what the server wishes, or half of the rate that it states."""
    asked = _retry_after(response)
    if asked is not None:
        return min(asked, LONGEST_WAIT)
    for prefix in _PREFIXES:
        remaining, reset = _count(response.header(prefix + "Remaining")), _until(response, prefix + "Reset")
        if remaining is not None and reset is not None:
            share = _SHARE if remaining else 1.0
            return min(max(0.0, reset) / max(remaining, 1) / share, LONGEST_WAIT)
    return 0.0


def refused(response: ApiResponse, cursor: Cursor, *, feeds: Sequence[str] = ()) -> ApiPage | None:
    """What an answer comes to that is not what was asked for; None for one that is."""
    if response.status < 400:
        return None
    if response.status in {408, 429}:
        wait = max(wait_of(response), BUSY_SECONDS)
        return ApiPage(next=cursor, wait=wait, problem=f"the server asks to wait ({response.status})")
    return ApiPage(problem=_why(response), is_final=True, feeds=tuple(feeds))


def _why(response: ApiResponse) -> str:
    told = f"HTTP {response.status}"
    try:
        body = decoded(response.body)
    except ExtractionError:
        return told
    said = next(filter(None, (name(body, key) for key in ("error_description", "message", "error"))), None)
    first = said or name(at(body, "errors"), 0)
    return f"{told}: {first[:200]}" if first else told


def _retry_after(response: ApiResponse) -> float | None:
    value = response.header("Retry-After").strip()
    if (seconds := _count(value)) is not None:
        return float(seconds)
    date = http_date(value) if value else None
    return None if date is None else max(0.0, (date - _server_time(response)).total_seconds())


def _until(response: ApiResponse, header: str) -> float | None:
    """Seconds until a moment that may be written as a date, as seconds since 1970, or as seconds from now."""
    value = response.header(header).strip()
    seconds = _count(value)
    if seconds is not None and seconds < _EPOCH_SECONDS:
        return float(seconds)
    date = moment(value) if seconds is None else datetime.fromtimestamp(min(seconds, 2**32), UTC)
    return None if date is None else (date - _server_time(response)).total_seconds()


def _server_time(response: ApiResponse) -> datetime:
    """By the server's own clock, which its other dates are by."""
    return http_date(response.header("Date")) or response.date


def _count(value: str) -> int | None:
    value = value.strip()
    return int(value[:12]) if value.isascii() and value.isdigit() else None
