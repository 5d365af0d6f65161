"""When an article is looked at again: as soon as what may have been missed since then is worth a look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.rechecks.curve import edits_between, pieces, rates_of
from archiver.acquisition.rechecks.own import Own, own_history
from archiver.acquisition.rechecks.price import USUAL_PRICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.acquisition.rechecks.curve import Rates

_DAY = timedelta(days=1)
# For news a day is long, for an article a month old it is not: a wait counts as a share of this and of the
# age at which the look is made.
_NEWS = 1.0  # days
# A look that is answered with "not modified" spares the page and its reading.
_CONDITIONAL = 0.7
_HALVINGS = 40
# By these words articles are known whose next look follows from a fixed interval.
PINNED = "as RECHECK_INTERVAL says"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckPolicy:
    """What rechecks are spent for."""

    floor: timedelta = timedelta(minutes=15)
    # The age from which on an article is left alone.
    until: timedelta = timedelta(days=30)
    # A fixed interval for all articles, whatever they are like.
    interval: timedelta | None = None
    # What a look costs, in edits missed.
    price: float = USUAL_PRICE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleState:
    """What is known of an article. Ages count from its publication, or else from when it was first seen."""

    age: timedelta
    last_look_age: timedelta
    # The age at its first capture: what it did before is unknown.
    first_age: timedelta = timedelta()
    # Rechecks, and those that showed a change; the first capture is none.
    looks: int = 0
    changes: int = 0
    # The age at which it was first seen missing; None while it is there.
    gone_age: timedelta | None = None
    # Whether the server gave an ETag or Last-Modified to ask by.
    validators: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """How long to wait from now, and why; None: settled for good."""

    wait: timedelta | None
    why: str


def next_recheck(
    state: ArticleState, curve: bytes | None, prior: bytes | None, policy: RecheckPolicy
) -> Decision:
    """When to look at an article again."""
    if state.gone_age is not None:
        return _return_of(state, state.gone_age, policy)
    if policy.interval is not None:
        return _pinned(state, policy.interval, policy)
    last, end = state.last_look_age / _DAY, policy.until / _DAY
    floor = policy.floor / _DAY
    if end - last < floor:
        return Decision(wait=None, why=too_old(policy))
    return _by_price(state, rates_of(curve, prior), last, end, policy)


def _by_price(state: ArticleState, rates: Rates, last: float, end: float, policy: RecheckPolicy) -> Decision:
    watched = edits_between(rates, state.first_age / _DAY, last)
    own = own_history(expected_before=watched, looks=state.looks, changes=state.changes)
    price = policy.price * (_CONDITIONAL if state.validators else 1.0)
    interval = _until_worth(own, rates, last, end, price)
    if interval is None:
        chance = own.any_of(edits_between(rates, last, end))
        if chance < price:
            return Decision(wait=None, why=f"settled: the chance of another edit is {chance:.1%}")
        return _after(state, policy.until, "the last look")
    due = last + max(interval, policy.floor / _DAY)
    if due >= end:
        return _after(state, policy.until, "the last look")
    edits = own.expected(edits_between(rates, last, due))
    return _after(state, due * _DAY, f"about {edits:.2g} edits are expected by then")


@dataclass(frozen=True, slots=True)
class _Unseen:
    """What came since the last look, for an article as others are: days, edits, the waiting of these."""

    days: float = 0.0
    edits: float = 0.0
    waited: float = 0.0

    def after(self, days: float, rate: float) -> _Unseen:
        return _Unseen(
            self.days + days,
            self.edits + rate * days,
            self.waited + self.edits * days + rate * days * days / 2,
        )


def _until_worth(own: Own, rates: Rates, last: float, end: float, price: float) -> float | None:
    """After how many days not looking costs as much as a look: None where that is beyond the end.

    What not looking costs: edits that others have overwritten, and the waiting of all, which counts the less
    the older the article is. Either is never more than the edits themselves.
    """

    def is_worth(unseen: _Unseen) -> bool:
        waiting = own.expected(unseen.waited) / (_NEWS + last + unseen.days)
        return own.overwritten(unseen.edits) + waiting >= price

    unseen = _Unseen()
    for days, rate in pieces(rates, last, end):
        if is_worth(unseen.after(days, rate)):
            return _first(unseen, days, rate, is_worth).days
        unseen = unseen.after(days, rate)
    return None


def _first(unseen: _Unseen, days: float, rate: float, is_worth: Callable[[_Unseen], bool]) -> _Unseen:
    """Where within a piece it is first worth it, from below."""
    low, high = 0.0, days
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_worth(unseen.after(middle, rate)) else (middle, high)
    return unseen.after(high, rate)


def _pinned(state: ArticleState, interval: timedelta, policy: RecheckPolicy) -> Decision:
    due = state.last_look_age + interval
    if due > policy.until:
        return Decision(wait=None, why=too_old(policy))
    return _after(state, due, pinned_by(interval))


def pinned_by(interval: timedelta) -> str:
    return f"every {in_words(interval)}, {PINNED}"


def too_old(policy: RecheckPolicy) -> str:
    return f"older than {in_words(policy.until)}"


def _return_of(state: ArticleState, gone_age: timedelta, policy: RecheckPolicy) -> Decision:
    """It may come back: after a while as long as it has been away."""
    away = max(state.last_look_age - gone_age, timedelta())
    if away >= policy.until:
        return Decision(wait=None, why=f"gone for {in_words(away)}")
    wait = min(max(away, policy.floor), policy.until)
    return _after(state, state.last_look_age + wait, "gone: it may come back")


def _after(state: ArticleState, due: timedelta, why: str) -> Decision:
    return Decision(wait=max(due - state.age, timedelta()), why=why)


def in_words(span: timedelta) -> str:
    """`15 min`, `3 h`, `30 days`."""
    minutes = span / timedelta(minutes=1)
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.0f} h" if minutes < 48 * 60 else f"{minutes / 1440:.0f} days"
