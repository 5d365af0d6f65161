"""What a publisher wishes of those who poll: read from the answer's head and from the feed itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta  # msgspec reads the annotations at run time
from typing import TYPE_CHECKING

from archiver.acquisition.outcomes import retry_after
from archiver.clock import http_date

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.documents.feeds.model import FeedInfo

_MAX_AGE = re.compile(r"\bmax-age\s*=\s*\"?(-?[0-9]+)", re.IGNORECASE)
_NOT_KEPT = re.compile(r"\bno-(?:store|cache)\b(?!\s*=)", re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]+")
# A number of seconds or minutes with more digits than this means nothing but "for ever".
_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the last answers said; spans count from the moment of the answer."""

    # When the answer came. None: now.
    at: datetime | None = None
    max_age: timedelta | None = None
    # Expires less Date, by the server's own clock, however wrong that is.
    expires: timedelta | None = None
    retry_after: timedelta | None = None
    # Whether the next request can be conditional.
    has_validators: bool = False
    # Its server answered 304 although there were new entries: what it gives is no longer sent back.
    ignores_validators: bool = False
    ttl: timedelta | None = None
    skip_hours: tuple[int, ...] = ()  # 0..23, UTC
    skip_days: tuple[str, ...] = ()  # "Monday".."Sunday", UTC
    update_period: str | None = None
    update_frequency: int | None = None
    update_base: datetime | None = None


def wishes_of_head(headers: Mapping[str, str], now: datetime) -> Wishes:
    """What the head of an answer says; the names of the headers in lower case."""
    control = headers.get("cache-control", "")
    return Wishes(
        max_age=_max_age(control, headers.get("age", "")),
        expires=None if _NOT_KEPT.search(control) else _expires(headers, now),
        retry_after=retry_after(headers.get("retry-after"), now),
    )


def joined(
    known: Wishes | None,
    head: Wishes,
    info: FeedInfo | None,
    *,
    at: datetime,
    has_validators: bool | None,
) -> Wishes:
    """What holds after an answer: its head, and its feed or, where it had none, the previous feed.

    `at` is the schedule's time, which may differ from that by which the head was read.
    """
    before = known or Wishes()
    validators = before.has_validators if has_validators is None else has_validators
    answered = replace(
        before,
        at=at,
        max_age=head.max_age,
        expires=head.expires,
        retry_after=head.retry_after,
        has_validators=validators,
    )
    return answered if info is None else _with_hints(answered, info)


def _with_hints(wishes: Wishes, info: FeedInfo) -> Wishes:
    return replace(
        wishes,
        ttl=None if info.ttl is None else _span(str(info.ttl), 60),
        skip_hours=info.skip_hours,
        skip_days=info.skip_days,
        update_period=info.update_period,
        update_frequency=info.update_frequency,
        update_base=info.update_base.utc if info.update_base else None,
    )


def _max_age(control: str, age: str) -> timedelta | None:
    """How long the answer is fresh from now on, whatever time it spent in caches on its way."""
    if _NOT_KEPT.search(control):
        return None
    found = _MAX_AGE.search(control)
    # A negative number is not in the grammar: it says nothing, as any nonsense.
    if found is None or found[1].startswith("-"):
        return None
    spent = _span(age.strip(), 1) if _WHOLE.fullmatch(age.strip()) else timedelta()
    return max(timedelta(), _span(found[1], 1) - spent)


def _span(digits: str, seconds: int) -> timedelta:
    return timedelta(seconds=min(int(digits[: _MOST_DIGITS + 9]), 10**_MOST_DIGITS) * seconds)


def _expires(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    until = http_date(headers.get("expires", ""))
    if until is None:
        return None
    # Both by one clock: a server that lives in another year still knows how long an hour is.
    said = http_date(headers.get("date", "")) or now
    return max(timedelta(), until - said)
