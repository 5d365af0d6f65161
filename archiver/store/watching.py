"""Articles that are watched: what each look at one came to, and when the next is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from archiver.acquisition.pages import Missing
from archiver.acquisition.rechecks.absence import AbsenceKind, is_believed
from archiver.acquisition.rechecks.curve import Look, learn
from archiver.acquisition.rechecks.lastmods import spared
from archiver.acquisition.rechecks.schedule import ArticleState, Decision, RecheckPolicy, next_recheck
from archiver.store import absences
from archiver.store.lastmods import Listings
from archiver.store.recheck_prices import Rechecks, rechecks_now, save_curve
from archiver.store.schema import channels, pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row, Select

    from archiver.articles.versions.model import Spot


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


# How the reason for the next look begins where pages are missing; until then, at most.
LACKING = "not all of it is there"
_LACKING_WAIT = timedelta(days=1)
# After so many changes in a row an article is looked at once more, at once.
RESTLESS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Restless:
    """How often in a row an article had changed, and what of it is known to change by itself."""

    streak: int
    volatile: tuple[Spot, ...] = ()

    @property
    def is_looked_at_once_more(self) -> bool:
        return self.streak >= RESTLESS


def restlessness(connection: Connection, page_ids: Sequence[int]) -> dict[int, Restless]:
    query = select(pages.c.id, pages.c.streak, pages.c.volatile).where(pages.c.id.in_(page_ids))
    rows = connection.execute(query)
    return {row.id: Restless(streak=row.streak, volatile=row.volatile or ()) for row in rows}


def age_of(published: datetime | None, not_before: datetime | None, recorded: datetime) -> timedelta:
    """How long an article has been there at most.

    What its feed did not list at the poll before is not older than that, whatever its date says.
    """
    dates = [one for one in (published, not_before) if one and one <= recorded]
    return recorded - max(dates, default=recorded)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Curves:
    """How articles change: of each channel, and of all together."""

    by_channel: dict[int, bytes | None]
    prior: bytes | None


def watch(connection: Connection, looks: Sequence[Watched], rules: RecheckRules, now: datetime) -> list[str]:
    """Note what looks came to, learn from them, and say when each article is looked at again.

    Answers with what became of each: new, changed, unchanged, missing, gone, back or unclear.
    """
    if not looks:
        return []
    rows = connection.execute(_WATCHED, {"pages": [one.page_id for one in looks]})
    known: dict[int, Row[Any]] = {row.id: row for row in rows}
    # Also where none are made: another day they may be, by what is learned until then.
    terms = rechecks_now(connection, rules.share, now)
    curves = _curves(connection, {row.scope_id for row in known.values()}, terms)
    away = absences.absent(connection, [one.article_id for one in looks])
    listings = Listings(connection, [one.page_id for one in looks], now)
    notes, came_to = [], []
    for one in looks:
        row = known[one.page_id]
        told, values = _noted(connection, one, row, now, is_gone=one.article_id in away)
        # Another page of the same article may be among them.
        if told == "gone":
            away.add(one.article_id)
        elif told == "back":
            away.discard(one.article_id)
        curves = _learned(curves, one, row, now)
        decision = _decision(values, row, curves, rules, terms.price, now)
        listings.looked(row.id, changed=one.changed, is_seen=one.is_seen, looked_before=row.looked)
        if rules.asks_for_sitemaps and values["away"] is None and listings.is_spared(row.id):
            decision = spared(decision, rules.policy.until - (now - values["since"]))
        due, why = None if decision.wait is None else now + decision.wait, decision.why
        if one.changed and values["run"] >= RESTLESS:
            due, why = (
                now,
                f"changed {values['run']} times in a row: is that an edit, or does it change by itself?",
            )
        if one.lacks is not None and due is not None:
            due, why = min(due, now + _LACKING_WAIT), f"{LACKING}: {one.lacks}"
        notes.append(values | {"page": one.page_id, "due": due, "reason": why})
        came_to.append(told)
    connection.execute(_WATCH, notes)
    listings.save()
    _save(connection, curves)
    return came_to


_WATCHED: Select[Any] = select(pages).where(pages.c.id.in_(bindparam("pages", expanding=True)))
_WATCH = (
    update(pages)
    .where(pages.c.id == bindparam("page"))
    .values(
        born=bindparam("since", type_=pages.c.born.type),
        first_look=bindparam("first", type_=pages.c.first_look.type),
        looked=bindparam("seen", type_=pages.c.looked.type),
        looks=bindparam("times"),
        edits=bindparam("changes"),
        missing=bindparam("away", type_=pages.c.missing.type),
        streak=bindparam("run"),
        volatile=bindparam("spots", type_=pages.c.volatile.type),
        recheck=bindparam("due", type_=pages.c.recheck.type),
        why=bindparam("reason"),
        tries=0,
    )
)


def _noted(
    connection: Connection, look: Watched, row: Row[Any], now: datetime, *, is_gone: bool
) -> tuple[str, dict[str, Any]]:
    """What a look came to, and what is known of the article after it."""
    values = {
        "since": row.born or now - look.age,
        "first": row.first_look or now,
        "seen": row.looked,
        "times": row.looks,
        "changes": row.edits,
        "away": row.missing,
        "run": row.streak,
        "spots": row.volatile if look.volatile is None else look.volatile,
    }
    if look.absence is not None:
        values["away"] = missing = _missing(row.missing, look.absence, look.at, now)
        if is_gone:
            return "still_gone", values
        is_news = _is_believed(missing, now) and absences.went(connection, look.article_id, missing)
        return "gone" if is_news else "missing", values
    if not look.is_seen:
        return "unclear", values
    values |= {"seen": now, "away": None, "run": row.streak + 1 if look.changed else 0}
    if row.looked is not None:
        values |= {"times": row.looks + 1, "changes": row.edits + look.changed}
    if is_gone:
        absences.came_back(connection, look.article_id, row.missing, look.at)
        return "back", values
    if row.looked is None:
        return "new", values
    return ("changed" if look.changed else "unchanged"), values


def _missing(before: Missing | None, how: AbsenceKind, at: datetime, now: datetime) -> Missing:
    if before is None:
        return Missing(how=how, since=at, last=at, began=now)
    return replace(before, how=how, last=at, looks=before.looks + 1)


def _is_believed(missing: Missing, now: datetime) -> bool:
    # By the schedule's clock, or, where an archive is played again, by that of its records.
    over = max(now - missing.began, missing.last - missing.since)
    return is_believed(AbsenceKind(missing.how), missing.looks, over)


def _curves(connection: Connection, channel_ids: set[int], terms: Rechecks) -> _Curves:
    query = select(channels.c.id, channels.c.curve).where(channels.c.id.in_(channel_ids))
    return _Curves(by_channel={row.id: row.curve for row in connection.execute(query)}, prior=terms.curve)


def _learned(curves: _Curves, look: Watched, row: Row[Any], now: datetime) -> _Curves:
    """The curves after a look that showed the article."""
    if look.absence is not None or not look.is_seen or row.looked is None or row.first_look is None:
        return curves
    seen = Look(
        age_before=row.looked - row.born,
        age_now=now - row.born,
        changed=look.changed,
        looks=row.looks,
        changes=row.edits,
        first_age=row.first_look - row.born,
    )
    mine = curves.by_channel
    if row.scope_id in mine:
        mine = mine | {row.scope_id: learn(mine[row.scope_id], seen, curves.prior)}
    return _Curves(by_channel=mine, prior=learn(curves.prior, seen))


def _decision(
    values: dict[str, Any],
    row: Row[Any],
    curves: _Curves,
    rules: RecheckRules,
    price: float,
    now: datetime,
) -> Decision:
    born, missing = values["since"], values["away"]
    state = ArticleState(
        age=now - born,
        last_look_age=now - born,
        first_age=values["first"] - born,
        looks=values["times"],
        changes=values["changes"],
        gone_age=missing.began - born if missing else None,
        validators=row.validators is not None,
    )
    policy = replace(rules.policy, price=price)
    return next_recheck(state, curves.by_channel.get(row.scope_id), curves.prior, policy)


def _save(connection: Connection, curves: _Curves) -> None:
    rows = [{"channel": number, "kept": curve} for number, curve in curves.by_channel.items() if curve]
    if rows:
        connection.execute(_SAVE_CURVES, rows)
    if curves.prior is not None:
        save_curve(connection, curves.prior)


_SAVE_CURVES = (
    update(channels)
    .where(channels.c.id == bindparam("channel"))
    .values(curve=bindparam("kept", type_=channels.c.curve.type))
)
