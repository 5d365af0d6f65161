"""What looks at known articles come to: what is noted, what is learned, and when each is looked at again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.pages import Missing
from archiver.acquisition.rechecks.absence import AbsenceKind, is_believed
from archiver.acquisition.rechecks.curve import Look, learn
from archiver.acquisition.rechecks.lastmods import spared
from archiver.acquisition.rechecks.schedule import ArticleState, RecheckPolicy, next_recheck

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from archiver.acquisition.pages import PageValidators
    from archiver.acquisition.rechecks.lastmods import SitemapWords
    from archiver.acquisition.rechecks.schedule import Decision
    from archiver.articles.versions.model import Spot

# How the reason for the next look begins where pages are missing; until then, at most.
LACKING = "not all of it is there"
_LACKING_WAIT = timedelta(days=1)
# After so many changes in a row an article is looked at once more, at once.
RESTLESS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckRules:
    """What the operator set."""

    policy: RecheckPolicy
    # The most of all requests that may be rechecks; 0: none are made.
    share: float
    # The most documents that are asked for in a day of a host's sitemaps; 0: none are.
    sitemaps: int = 0

    @property
    def asks_for_sitemaps(self) -> bool:
        """A fixed interval is the operator's word: nothing is looked at sooner or later for a sitemap."""
        return bool(self.share and self.sitemaps) and self.policy.interval is None


NO_RECHECKS = RecheckRules(policy=RecheckPolicy(), share=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A look at the page of an article that is known, or known now."""

    page_id: int
    article_id: int
    at: datetime  # machine time
    changed: bool = False
    # False where the page could not tell: it says nothing of the article.
    is_seen: bool = True
    # What was there instead of the article.
    absence: AbsenceKind | None = None
    # How long it had been there when it was first seen.
    age: timedelta = timedelta()
    # What changes by itself; None: nothing new is known of it.
    volatile: tuple[Spot, ...] | None = None
    # Which of its pages could not be fetched, in words.
    lacks: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAtPage:
    """What is known of an article that is watched: each field is a column of its page."""

    id: int
    scope_id: int | None = None
    born: datetime | None = None
    first_look: datetime | None = None
    looked: datetime | None = None
    looks: int = 0
    edits: int = 0
    missing: Missing | None = None
    streak: int = 0
    volatile: tuple[Spot, ...] | None = None
    validators: PageValidators | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restless:
    """How often in a row an article had changed, and what of it is known to change by itself."""

    streak: int
    volatile: tuple[Spot, ...] = ()

    @property
    def is_looked_at_once_more(self) -> bool:
        return self.streak >= RESTLESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """How articles change: of each channel, and of all together."""

    by_channel: Mapping[int, bytes | None]
    prior: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeLooks:
    """What was known when looks came in."""

    pages: Mapping[int, LookedAtPage]
    # The articles that are gone, and when each was last captured.
    away: frozenset[int]
    last_captured: Mapping[int, datetime]
    curves: Curves
    price: float  # of a recheck
    told: SitemapWords


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterLook:
    """What one look came to, the page as it is known from then on, and when it is looked at again."""

    look: Watched
    # new, changed, unchanged, missing, gone, still_gone, back or unclear.
    came_to: str
    page: LookedAtPage
    due: datetime | None = None
    why: str = ""


def age_of(published: datetime | None, not_before: datetime | None, recorded: datetime) -> timedelta:
    """How long an article has been there at most.

    What its feed did not list at the poll before is not older than that, whatever its date says.
    """
    dates = [one for one in (published, not_before) if one and one <= recorded]
    return recorded - max(dates, default=recorded)


def after_looks(
    looks: Sequence[Watched], before: BeforeLooks, rules: RecheckRules, now: datetime
) -> tuple[list[AfterLook], Curves]:
    """What looks came to, one after the other, and how articles change by what they show."""
    away, curves = set(before.away), before.curves
    found = []
    for look in looks:
        known = before.pages[look.page_id]
        after = _noted(look, known, before, now, is_gone=look.article_id in away)
        # Another page of the same article may be among them.
        if after.came_to == "gone":
            away.add(look.article_id)
        elif after.came_to == "back":
            away.discard(look.article_id)
        curves = _learned(curves, look, known, now)
        decision = _decision(after.page, curves, rules, before.price, now)
        before.told.looked(
            known.id, changed=look.changed, is_seen=look.is_seen, looked_before=known.looked, now=now
        )
        page = after.page
        if rules.asks_for_sitemaps and page.missing is None and before.told.is_spared(known.id, now):
            decision = spared(decision, rules.policy.until - (now - (page.born or now)))
        found.append(_due(after, decision, now))
    return found, curves


def _noted(
    look: Watched, known: LookedAtPage, before: BeforeLooks, now: datetime, *, is_gone: bool
) -> AfterLook:
    """What a look came to, and what is known of the article after it."""
    page = replace(
        known,
        born=known.born or now - look.age,
        first_look=known.first_look or now,
        volatile=known.volatile if look.volatile is None else look.volatile,
    )
    if look.absence is not None:
        missing = _missing(known.missing, look.absence, look.at, now)
        page = replace(page, missing=missing)
        if is_gone:
            return AfterLook(look=look, came_to="still_gone", page=page)
        # It may have been seen since, at another of its addresses.
        is_news = _is_believed(missing, now) and before.last_captured[look.article_id] < missing.since
        return AfterLook(look=look, came_to="gone" if is_news else "missing", page=page)
    if not look.is_seen:
        return AfterLook(look=look, came_to="unclear", page=page)
    page = replace(page, looked=now, missing=None, streak=known.streak + 1 if look.changed else 0)
    if known.looked is not None:
        page = replace(page, looks=known.looks + 1, edits=known.edits + look.changed)
    came_to = "new" if known.looked is None else "changed" if look.changed else "unchanged"
    return AfterLook(look=look, came_to="back" if is_gone else came_to, page=page)


def _missing(before: Missing | None, how: AbsenceKind, at: datetime, now: datetime) -> Missing:
    if before is None:
        return Missing(how=how, since=at, last=at, began=now)
    return replace(before, how=how, last=at, looks=before.looks + 1)


def _is_believed(missing: Missing, now: datetime) -> bool:
    # By the schedule's clock, or, where an archive is played again, by that of its records.
    over = max(now - missing.began, missing.last - missing.since)
    return is_believed(AbsenceKind(missing.how), missing.looks, over)


def _learned(curves: Curves, look: Watched, known: LookedAtPage, now: datetime) -> Curves:
    """The curves after a look that showed the article."""
    if look.absence is not None or not look.is_seen:
        return curves
    if known.looked is None or known.first_look is None or known.born is None:
        return curves
    seen = Look(
        age_before=known.looked - known.born,
        age_now=now - known.born,
        changed=look.changed,
        looks=known.looks,
        changes=known.edits,
        first_age=known.first_look - known.born,
    )
    mine = dict(curves.by_channel)
    if known.scope_id in mine:
        mine[known.scope_id] = learn(mine[known.scope_id], seen, curves.prior)
    return Curves(by_channel=mine, prior=learn(curves.prior, seen))


def _decision(
    page: LookedAtPage, curves: Curves, rules: RecheckRules, price: float, now: datetime
) -> Decision:
    born = page.born or now
    state = ArticleState(
        age=now - born,
        last_look_age=now - born,
        first_age=(page.first_look or now) - born,
        looks=page.looks,
        changes=page.edits,
        gone_age=page.missing.began - born if page.missing else None,
        validators=page.validators is not None,
    )
    mine = curves.by_channel.get(page.scope_id) if page.scope_id is not None else None
    return next_recheck(state, mine, curves.prior, replace(rules.policy, price=price))


def _due(after: AfterLook, decision: Decision, now: datetime) -> AfterLook:
    due, why = None if decision.wait is None else now + decision.wait, decision.why
    look, streak = after.look, after.page.streak
    if look.changed and streak >= RESTLESS:
        due, why = now, f"changed {streak} times in a row: is that an edit, or does it change by itself?"
    if look.lacks is not None and due is not None:
        due, why = min(due, now + _LACKING_WAIT), f"{LACKING}: {look.lacks}"
    return replace(after, due=due, why=why)
