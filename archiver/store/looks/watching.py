"""Articles that are watched: what is known of each is read, and what looks came to is written."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from archiver.acquisition.rechecks.watching import BeforeLooks, Curves, LookedAtPage, Restless, after_looks
from archiver.store.looks.lastmods import save_words, words_on
from archiver.store.polling.prices import rechecks_now, save_curve
from archiver.store.schema import absences, articles, channels, pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Select

    from archiver.acquisition.rechecks.watching import AfterLook, RecheckRules, Watched

_FIELDS = tuple(field.name for field in fields(LookedAtPage))


def restlessness(connection: Connection, page_ids: Sequence[int]) -> dict[int, Restless]:
    query = select(pages.c.id, pages.c.streak, pages.c.volatile).where(pages.c.id.in_(page_ids))
    rows = connection.execute(query)
    return {row.id: Restless(streak=row.streak, volatile=row.volatile or ()) for row in rows}


def watch(connection: Connection, looks: Sequence[Watched], rules: RecheckRules, now: datetime) -> list[str]:
    """Note what looks came to, learn from them, and say when each article is looked at again.

    Answers with what became of each: new, changed, unchanged, missing, gone, still_gone, back or unclear.
    """
    if not looks:
        return []
    before = _before(connection, looks, rules, now)
    found, curves = after_looks(looks, before, rules, now)
    for one in found:
        if one.came_to == "gone":
            _went(connection, one, before.last_captured[one.look.article_id])
        elif one.came_to == "back":
            _came_back(connection, one, before.pages[one.page.id])
    connection.execute(_WATCH, [_values(one) for one in found])
    save_words(connection, before.told, now)
    _save(connection, curves)
    return [one.came_to for one in found]


def _before(
    connection: Connection, looks: Sequence[Watched], rules: RecheckRules, now: datetime
) -> BeforeLooks:
    numbers, ids = [one.page_id for one in looks], {one.article_id for one in looks}
    rows = connection.execute(_WATCHED, {"pages": numbers})
    known = {row.id: LookedAtPage(**{name: getattr(row, name) for name in _FIELDS}) for row in rows}
    # Also where none are made: another day they may be, by what is learned until then.
    terms = rechecks_now(connection, rules.share, now)
    scopes = {page.scope_id for page in known.values()}
    learned = select(channels.c.id, channels.c.curve).where(channels.c.id.in_(scopes))
    away = select(absences.c.article_id).where(absences.c.article_id.in_(ids), absences.c.back.is_(None))
    last = select(articles.c.id, articles.c.last_captured).where(articles.c.id.in_(ids))
    return BeforeLooks(
        pages=known,
        away=frozenset(connection.execute(away).scalars()),
        last_captured={row.id: row.last_captured for row in connection.execute(last)},
        curves=Curves(
            by_channel={row.id: row.curve for row in connection.execute(learned)}, prior=terms.curve
        ),
        price=terms.price,
        told=words_on(connection, numbers),
    )


_WATCHED: Select[Any] = select(*(pages.c[name] for name in _FIELDS)).where(
    pages.c.id.in_(bindparam("pages", expanding=True))
)
_NOTED = ("born", "first_look", "looked", "looks", "edits", "missing", "streak", "volatile", "recheck", "why")
_WATCH = (
    update(pages)
    .where(pages.c.id == bindparam("page"))
    .values(tries=0, **{name: bindparam(f"new_{name}", type_=pages.c[name].type) for name in _NOTED})
)


def _values(after: AfterLook) -> dict[str, object]:
    values = {name: getattr(after.page, name) for name in _NOTED[:-2]} | {
        "recheck": after.due, "why": after.why,
    }  # fmt: skip
    return {"page": after.page.id} | {f"new_{name}": value for name, value in values.items()}


def _went(connection: Connection, after: AfterLook, last: datetime) -> None:
    """Note that an article is gone."""
    if missing := after.page.missing:
        values = {"gone": missing.since, "after": last, "how": missing.how, "noted": missing.last}
        connection.execute(insert(absences).values(article_id=after.look.article_id, **values))


def _came_back(connection: Connection, after: AfterLook, before: LookedAtPage) -> None:
    """Note that an article is there again, after the last look that missed it."""
    away = (absences.c.article_id == after.look.article_id) & absences.c.back.is_(None)
    last = before.missing.last if before.missing else absences.c.noted
    connection.execute(update(absences).where(away).values(back_after=last, back=after.look.at))


def _save(connection: Connection, curves: Curves) -> None:
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
