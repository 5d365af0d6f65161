"""What becomes of a page after each try to fetch it: pure functions of what happened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta  # msgspec reads the annotations at run time
from enum import StrEnum

from archiver.acquisition.outcomes import Failed, Failure
from archiver.digests import fraction_of


class EntryOutcome(StrEnum):
    """Where an entry's way ends."""

    STORED = "stored"
    UNCHANGED = "unchanged"
    EMPTY = "empty"
    NOT_ARTICLE = "not_article"
    NOT_HTML = "not_html"
    REFUSED = "refused"
    GONE = "gone"
    NO_LINK = "no_link"
    GIVEN_UP = "given_up"
    # Left to the queue of a campaign, which fetches the most relevant pages first.
    QUEUED = "queued"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageValidators:
    """What makes the next request for a page conditional, and the URL that gave it."""

    url: str
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """An article that was not there: at how many looks in a row, and what was there instead."""

    how: str
    # The first and the last of these looks, and the first by the schedule's clock.
    since: datetime
    last: datetime
    began: datetime
    looks: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePolicy:
    """How often a page that cannot be fetched is retried."""

    tries: int = 8
    first_wait: timedelta = timedelta(minutes=10)
    longest_wait: timedelta = timedelta(days=1)
    # After a refusal.
    refused_wait: timedelta = timedelta(days=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class TryAgain:
    wait: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    outcome: EntryOutcome


# Final at once: asking again would not change the answer, or would be rude.
_FINAL = {
    Failure.GONE: EntryOutcome.GONE,
    Failure.ADDRESS: EntryOutcome.REFUSED,
    Failure.TOO_LARGE: EntryOutcome.GIVEN_UP,
}
# An entry may be announced a little before its page exists, or before there is anything on it.
_FEW_TRIES = 3
_AFTER_FEW = {
    Failure.NOT_FOUND: EntryOutcome.GONE,
    Failure.EMPTY: EntryOutcome.EMPTY,
    Failure.UNASKED: EntryOutcome.GIVEN_UP,
    Failure.REFUSED: EntryOutcome.REFUSED,
    Failure.ROBOTS: EntryOutcome.REFUSED,
}
# A wall or a rule that went too far is mended within days, if at all; to ask sooner would be rude.
REFUSALS = frozenset({Failure.REFUSED, Failure.ROBOTS})


def after_failure(
    url: str, failed: Failed, tries: int, policy: PagePolicy, *, few: int = _FEW_TRIES
) -> TryAgain | Ended:
    """What to do after the given number of failed tries, this one included; `few` for what is not there."""
    if failed.failure in _FINAL:
        return Ended(outcome=_FINAL[failed.failure])
    if failed.failure in _AFTER_FEW and tries >= min(few, policy.tries):
        return Ended(outcome=_AFTER_FEW[failed.failure])
    if tries >= policy.tries:
        return Ended(outcome=EntryOutcome.GIVEN_UP)
    # The exponent is capped where any wait has long reached the longest one.
    wait = min(policy.first_wait * 4 ** min(tries - 1, 12), policy.longest_wait)
    wait = policy.refused_wait if failed.failure in REFUSALS else wait
    wait *= 1 + 0.1 * fraction_of(url)
    return TryAgain(wait=max(wait, failed.retry_after or timedelta()))


# With a Content-Type that says otherwise, a page is kept but not read.
_HTML_TYPES = ("text/html", "application/xhtml", "application/xml", "text/xml", "text/plain")


def may_be_html(content_type: str | None) -> bool:
    """True where the content is worth looking at; servers often say nothing, or something vague."""
    kind = (content_type or "").split(";", 1)[0].strip().lower()
    return not kind or kind == "application/octet-stream" or kind.startswith(_HTML_TYPES)
