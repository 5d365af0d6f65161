"""The codes of outcomes as people read them: one table for each kind, used by whatever prints.

Files keep the codes: run reports, objects, JSON output, the state store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.outcomes import Failure, Success
from archiver.acquisition.pages import EntryOutcome
from archiver.documents.lists.model import GapState

if TYPE_CHECKING:
    from collections.abc import Mapping

FAILURES: dict[str, str] = {
    Failure.NOT_FOUND: "not found (404)",
    Failure.GONE: "gone for good (410)",
    Failure.REFUSED: "access refused",
    Failure.ROBOTS: "disallowed by robots.txt",
    Failure.RATE_LIMITED: "rate limited (429)",
    Failure.UNAVAILABLE: "unavailable for now",
    Failure.SERVER_ERROR: "server error",
    Failure.CLIENT_ERROR: "request rejected",
    Failure.TIMEOUT: "timed out",
    Failure.DNS: "host name not found",
    Failure.CONNECTION: "connection failed",
    Failure.TRUNCATED: "broken off",
    Failure.TOO_LARGE: "too large",
    Failure.ADDRESS: "private address",
    Failure.NOT_A_FEED: "not a feed",
    Failure.REDIRECTS: "bad redirect",
    Failure.INTERNAL: "internal error",
    Failure.EMPTY: "empty answer",
    Failure.UNASKED: "unsolicited 304",
}
# After a number of channels: "10 with something new".
POLLS: dict[str, str] = {
    Success.NEW: "with something new",
    Success.UNCHANGED: "unchanged",
    Success.NOT_MODIFIED: "not modified (304)",
    Success.SITE: "searched for feeds",
}
# After a number of pages.
ENTRIES: dict[str, str] = {
    EntryOutcome.STORED: "stored",
    EntryOutcome.UNCHANGED: "unchanged",
    EntryOutcome.EMPTY: "without text",
    EntryOutcome.NOT_ARTICLE: "without an article",
    EntryOutcome.NOT_HTML: "not HTML",
    EntryOutcome.REFUSED: "refused",
    EntryOutcome.GONE: "gone",
    EntryOutcome.NO_LINK: "without a link",
    EntryOutcome.GIVEN_UP: "given up",
    EntryOutcome.QUEUED: "left to a campaign",
}
# After a number of articles that were looked at again.
RECHECKS: dict[str, str] = {
    "missing": "missing for now",
    "still_gone": "still gone",
    "unclear": "hard to tell",
    "failed": "not fetched",
}
GAPS: dict[str, str] = {
    GapState.OPEN: "open",
    GapState.FILLED: "filled",
    GapState.PARTLY: "partly filled",
    GapState.UNFILLABLE: "could not be filled",
}
# Why a run ended before it was done; Scrapy's names.
_ENDINGS = {
    "shutdown": "Interrupted by Ctrl-C or SIGTERM",
    "archive_error": "Stopped by an error",
    "memusage_exceeded": "Stopped by MEMUSAGE_LIMIT_MB",
}


def in_words(code: str, table: Mapping[str, str]) -> str:
    """The words for a code; one that is not in the table says enough by itself."""
    return table.get(code, code.replace("_", " "))


def poll_in_words(outcome: str) -> str:
    """How a poll of one channel ended."""
    alone = {Success.NEW: "something new", Success.SITE: "a site, searched for feeds"}
    return in_words(outcome, FAILURES | POLLS | alone)


def failure_in_words(failure: str, detail: str = "") -> str:
    """`not found (404)`, `access refused: HTTP 403`: a detail that the words have already is not repeated."""
    words = in_words(failure, FAILURES)
    if not detail or detail.removeprefix("HTTP ") in words:
        return words
    return f"{words}: {detail}"


def ending_in_words(reason: str) -> str | None:
    """Why a run ended early; None where it did all that there was to do."""
    if reason == "finished":
        return None
    if reason.startswith("closespider_"):
        return f"Stopped by {reason.upper()}"
    return _ENDINGS.get(reason, f"Stopped early ({reason})")
