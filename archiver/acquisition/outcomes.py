"""How a poll of a channel, or a fetch of a page, can end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from archiver.clock import http_date

# No server means a year; a mistyped Retry-After must not silence a channel.
LONGEST_RETRY_AFTER = timedelta(days=30)


class Failure(StrEnum):
    """Why there was no usable answer."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    REFUSED = "refused"
    ROBOTS = "robots"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    SERVER_ERROR = "server_error"
    CLIENT_ERROR = "client_error"
    TIMEOUT = "timeout"
    DNS = "dns"
    CONNECTION = "connection"
    TRUNCATED = "truncated"
    TOO_LARGE = "too_large"
    ADDRESS = "address"
    # 304 to a request that was not conditional: whatever it is about was never seen.
    UNASKED = "unasked"
    EMPTY = "empty"
    NOT_A_FEED = "not_a_feed"
    REDIRECTS = "redirects"
    INTERNAL = "internal"


# What will pass; anything else is an answer: there is no such document, or none for us.
PASSING = frozenset(
    {
        Failure.RATE_LIMITED,
        Failure.UNAVAILABLE,
        Failure.SERVER_ERROR,
        Failure.TIMEOUT,
        Failure.DNS,
        Failure.CONNECTION,
        Failure.TRUNCATED,
        Failure.INTERNAL,
    }
)


class Success(StrEnum):
    """What a usable answer held."""

    NEW = "new"
    UNCHANGED = "unchanged"
    NOT_MODIFIED = "not_modified"
    SITE = "site"


Outcome = Success | Failure

_BY_STATUS = {
    401: Failure.REFUSED,
    403: Failure.REFUSED,
    404: Failure.NOT_FOUND,
    410: Failure.GONE,
    429: Failure.RATE_LIMITED,
    451: Failure.REFUSED,
    503: Failure.UNAVAILABLE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A failure, with the server's wish when to come back."""

    failure: Failure
    detail: str = ""
    retry_after: timedelta | None = None


def failure_of_status(status: int) -> Failure | None:
    """None for an answer that can be used."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if 200 <= status < 300 or status == 304:
        return None
    if status < 400:
        return Failure.REDIRECTS
    return Failure.CLIENT_ERROR if status < 500 else Failure.SERVER_ERROR


def retry_after(header: str | None, now: datetime) -> timedelta | None:
    """Retry-After as a wait: seconds or an HTTP date; None where it says nothing usable."""
    if not header:
        return None
    value = header.strip()
    if value.isascii() and value.isdigit():
        # More digits than Python reads are longer than any wait.
        wait = timedelta(seconds=int(value.lstrip("0")[:9] or "0"))
    else:
        moment = http_date(value)
        if moment is None:
            return None
        wait = moment - now
    return min(max(wait, timedelta()), LONGEST_RETRY_AFTER)
