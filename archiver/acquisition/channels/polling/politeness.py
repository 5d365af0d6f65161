"""How soon a channel may be asked again, by what its publisher wishes and what we allow ourselves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from archiver.display.when import span_in_words

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.channels.polling.wishes import Wishes

_PERIODS = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_NOTHING = timedelta()
_HOUR = timedelta(hours=1)
_ALL_HOURS = range(24)
_ALL_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

# Words with a place for an interval, and the interval.
_Reason = tuple[str, timedelta]
_Bound = tuple["datetime", _Reason]
_NO_REASON: _Reason = ("", _NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """What we allow ourselves, whatever publishers say."""

    # Between two conditional requests. Most publishers ask for an hour and take half of it in good part.
    floor: timedelta = timedelta(minutes=30)
    # Between two requests that have nothing to be conditional on: each of them moves the whole feed. An hour,
    # less what channels drift apart by, so that a run that comes every hour finds them due.
    floor_blind: timedelta = timedelta(minutes=50)
    # Where a feed shows so little that entries would be lost before the floor is over, and its publisher asks
    # for nothing longer. It is all new by then, so validators spare nothing.
    floor_urgent: timedelta = timedelta(minutes=5)
    # A wish for more than this is a slip, such as the rule for pictures applied to a feed.
    longest_wish: timedelta = timedelta(days=1)


def earliest(
    wishes: Wishes,
    politeness: Politeness,
    now: datetime,
    *,
    wanted: datetime | None = None,
    loses: datetime | None = None,
) -> tuple[datetime, str]:
    """The first moment from `wanted` on at which we may ask, and who says so; "" if it is `wanted` itself.

    `loses` is when entries will be lost for want of a poll: wishes give way to it as far as the floor, and
    the floor gives way to it as far as wishes allow. Retry-After gives way to nothing.
    """
    # Adding to a local time would count the hour that a clock change adds or takes.
    now = now.astimezone(UTC)
    # An answer cannot have come later than now: then the clock was set back since.
    start = now if wishes.at is None else min(wishes.at.astimezone(UTC), now)
    first = now if wanted is None else max(wanted.astimezone(UTC), now)
    at, reason = max((first, _NO_REASON), _floor(wishes, politeness, start, loses))
    # From the floor on: what is left out counts for the hour in which a poll would fall.
    wish, whose = _wished(wishes, politeness, start, at, latest=first + politeness.longest_wish)
    if loses is not None and loses < wish:
        wish, whose = loses, (f"{whose[0]}, but entries would be lost", whose[1])
    for bound, who in ((wish, whose), _retry_after(wishes, start)):
        if bound > at:
            at, reason = bound, who
    # Words cost more than the rest: made only of what decided.
    return at, reason[0].format(span_in_words(reason[1])) if at > first else ""


def _floor(wishes: Wishes, politeness: Politeness, start: datetime, loses: datetime | None) -> _Bound:
    floor, reason = _usual_floor(wishes, politeness, start)
    if loses is None or loses >= floor:
        return floor, reason
    soonest = max(loses, start + politeness.floor_urgent)
    wish, _ = _wished(wishes, politeness, start, soonest, latest=floor)
    if wish >= floor:
        return floor, reason
    return wish, ("sooner than {} after a poll, since entries would be lost", reason[1])


def _usual_floor(wishes: Wishes, politeness: Politeness, start: datetime) -> _Bound:
    if wishes.has_validators:
        return start + politeness.floor, ("not sooner than {} after a poll", politeness.floor)
    wait = max(politeness.floor, politeness.floor_blind)
    return start + wait, ("not sooner than {} after a poll, for want of validators", wait)


def _wished(
    wishes: Wishes, politeness: Politeness, start: datetime, at: datetime, latest: datetime
) -> _Bound:
    """The first moment from `at` on that all wishes allow, as far as they are obeyed."""
    bound, reason = at, _NO_REASON
    for told, span in (
        # As HTTP has it: Expires counts only where there is no max-age.
        ("the server's cache time of {}", wishes.expires if wishes.max_age is None else wishes.max_age),
        ("the feed's ttl of {}", wishes.ttl),
        ("{} to the next update by the feed's sy:updatePeriod", _update_interval(wishes, start)),
    ):
        if span is None:
            continue
        until = start + min(span, politeness.longest_wish)
        if until > bound:
            bound, reason = until, (told, span)
    if not wishes.skip_hours and not wishes.skip_days:
        return bound, reason
    allowed = _not_skipped(bound, wishes)
    if allowed > bound:
        bound = min(allowed, max(bound, latest))
        reason = ("the feed's skipHours or skipDays", _NOTHING)
    return bound, reason


def _update_interval(wishes: Wishes, start: datetime) -> timedelta | None:
    """Until the next update by the feed's own plan; from its base on, where it names one."""
    period = _PERIODS.get(wishes.update_period or "")
    if period is None:
        return None
    interval = max(period / max(wishes.update_frequency or 1, 1), timedelta(seconds=1))
    if wishes.update_base is None:
        return interval
    return interval - (start - wishes.update_base) % interval


def _not_skipped(at: datetime, wishes: Wishes) -> datetime:
    """The first moment from `at` on in an hour and on a day that the feed does not ask to be left out."""
    hours = set(wishes.skip_hours) & set(_ALL_HOURS)
    days = {day.lower() for day in wishes.skip_days} & set(_ALL_DAYS)
    # Who skips everything means nothing by it.
    if len(hours) == len(_ALL_HOURS) or len(days) == len(_ALL_DAYS):
        return at
    while at.hour in hours or _ALL_DAYS[at.weekday()] in days:
        at = at.replace(minute=0, second=0, microsecond=0) + _HOUR
    return at


def _retry_after(wishes: Wishes, start: datetime) -> _Bound:
    wait = wishes.retry_after or _NOTHING
    return start + wait, ("the server asked for {}", wait)
