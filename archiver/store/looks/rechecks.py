"""Which known articles are to be looked at again now."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, case, exists, func, null, or_, select, type_coerce, update

from archiver.acquisition.channels.sightings import VANISHED
from archiver.acquisition.rechecks.schedule import PINNED, pinned_by, too_old
from archiver.acquisition.rechecks.watching import LACKING, RESTLESS
from archiver.batches import batches
from archiver.store.content.pages import ASKED, asked_page
from archiver.store.content.parts import one_of_each
from archiver.store.leaving_out import none_of
from archiver.store.polling.prices import count_requests, rechecks_now
from archiver.store.reliability.validators import with_trusted
from archiver.store.schema import channels, entries, leads, pages

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from archiver.acquisition.rechecks.schedule import RecheckPolicy
    from archiver.acquisition.rechecks.watching import RecheckRules
    from archiver.acquisition.targets import PendingPage

# So many are always made, also in an archive that has just begun: of them is learned.
_FREE = 20.0


def due_rechecks(
    connection: Connection,
    now: datetime,
    rules: RecheckRules,
    *,
    limit: int,
    per_host: int,
    busy: Collection[int],
    without: Collection[str] = (),
    not_since: datetime | None = None,
) -> list[PendingPage]:
    """Pages whose articles are due, the longest due first, as many as rechecks have a share for.

    Those that changed at each look are looked at once more, share or not: each version less pays for it. So
    are those of which a page could not be fetched.
    First the channels of the others are polled, as far as they are due and were not since: an entry that
    changed asks for its page itself, which is then fetched once.
    """
    rest = (pages.c.streak >= RESTLESS) | _is_lacking()
    due = (pages.c.state == "settled") & (pages.c.recheck <= now) & none_of(connection, pages.c.host, without)
    found = _due(connection, due & rest, limit=limit, per_host=per_host, busy=busy)
    room = _room(connection, rules, now, limit - len(found), len(busy))
    if room > 0:
        due &= ~_is_about_to_be_polled(now, not_since)
        found += _due(connection, due & ~rest, limit=room, per_host=per_host, busy=busy)
    return with_trusted(connection, one_of_each(connection, found, busy), now)


def _room(connection: Connection, rules: RecheckRules, now: datetime, limit: int, busy: int) -> int:
    if not rules.share:
        return 0
    if rules.policy.interval is not None:
        return limit
    room = rechecks_now(connection, rules.share, now).room
    return min(limit, int(_FREE + (room or 0.0)) - busy)


def _due(
    connection: Connection,
    due: ColumnElement[bool],
    *,
    limit: int,
    per_host: int,
    busy: Collection[int],
) -> list[PendingPage]:
    rank = func.row_number().over(partition_by=pages.c.host, order_by=(pages.c.recheck, pages.c.id))
    ranked = select(*ASKED, pages.c.recheck, rank.label("rank")).where(due, IS_WANTED).subquery()
    query = select(*(ranked.c[column.name] for column in ASKED)).where(ranked.c.rank <= per_host + len(busy))
    query = query.order_by(ranked.c.recheck, ranked.c.id).limit(limit + len(busy))
    rows = [row for row in connection.execute(query) if row.id not in busy][:limit]
    return [replace(asked_page(row), is_recheck=True) for row in rows]


# An operator who pauses a channel, or takes it out, wants its site to be left alone.
IS_WANTED = or_(
    exists().where(
        entries.c.page_id == pages.c.id,
        channels.c.id == entries.c.channel_id,
        channels.c.status.in_(("active", "retired")),
    ),
    exists().where(leads.c.page_id == pages.c.id),
)


def _is_about_to_be_polled(now: datetime, not_since: datetime | None) -> ColumnElement[bool]:
    due = (channels.c.status == "active") & (channels.c.next_poll <= now)
    if not_since is not None:
        due &= channels.c.last_poll.is_(None) | (channels.c.last_poll < not_since)
    return exists().where(entries.c.page_id == pages.c.id, channels.c.id == entries.c.channel_id, due)


def reach_scheduled(connection: Connection, policy: RecheckPolicy, now: datetime) -> int:
    """Have a RECHECK_INTERVAL that is new hold for articles that are scheduled by another; how many they are.

    Those that are missing, could not be fetched, vanished from their feed or change at each look have their
    own plan.
    """
    usual = pages.c.missing.is_(None) & (pages.c.tries == 0) & pages.c.why.is_distinct_from(VANISHED)
    usual &= (pages.c.streak < RESTLESS) & ~_is_lacking()
    scheduled = (pages.c.state == "settled") & pages.c.recheck.is_not(None) & usual
    if policy.interval is None:
        pinned = scheduled & (pages.c.recheck > now) & pages.c.why.contains(PINNED)
        told = "RECHECK_INTERVAL is no longer set"
        return connection.execute(update(pages).where(pinned).values(recheck=now, why=told)).rowcount
    due = _plus(pages.c.looked, policy.interval)
    is_old = due > _plus(pages.c.born, policy.until)
    changes = {
        pages.c.recheck: type_coerce(case((is_old, null()), else_=due), pages.c.recheck.type),
        pages.c.why: case((is_old, too_old(policy)), else_=pinned_by(policy.interval)),
    }
    others = scheduled & pages.c.born.is_not(None) & (due != type_coerce(pages.c.recheck, BigInteger))
    return connection.execute(update(pages).where(others).values(changes)).rowcount


def _is_lacking() -> ColumnElement[bool]:
    return func.coalesce(pages.c.why, "").startswith(LACKING, autoescape=True)


def _plus(column: ColumnElement[datetime], span: timedelta) -> ColumnElement[int]:
    """Moments are kept as microseconds."""
    return type_coerce(column, BigInteger) + span // timedelta(microseconds=1)


def all_known_pages(connection: Connection) -> list[PendingPage]:
    """Every page whose article is known, due or not; of several parts of one, the first."""
    query = select(*ASKED).where(pages.c.state == "settled", pages.c.article_id.is_not(None))
    rows = connection.execute(query.order_by(pages.c.id))
    found = [replace(asked_page(row), is_recheck=True) for row in rows]
    return one_of_each(connection, found, ())


def next_recheck_due(connection: Connection) -> datetime | None:
    query = select(pages.c.recheck).where(pages.c.state == "settled", pages.c.recheck.is_not(None))
    return connection.execute(query.order_by(pages.c.recheck).limit(1)).scalar()


def look_later(
    connection: Connection, page_id: int, failure: str, wait: timedelta, until: timedelta, now: datetime
) -> None:
    """A page that could not be fetched says nothing of its article: look later, unless it is old by then."""
    born = connection.execute(select(pages.c.born).where(pages.c.id == page_id)).scalar()
    due = now + wait if born is None or now + wait - born <= until else None
    values = {"recheck": due, "why": f"{failure}: could not be fetched", "tries": pages.c.tries + 1}
    connection.execute(update(pages).where(pages.c.id == page_id).values(**values))
    count_requests(connection, rechecks=1)


def look_now(connection: Connection, page_ids: Sequence[int], why: str, now: datetime) -> None:
    """Have these articles be due, also those that were settled for good; within the share of rechecks."""
    for some in batches(page_ids):
        watched = pages.c.id.in_(some) & pages.c.article_id.is_not(None) & pages.c.missing.is_(None)
        late = pages.c.recheck.is_(None) | (pages.c.recheck > now)
        due = update(pages).where(watched, pages.c.state == "settled", late)
        connection.execute(due.values(recheck=now, why=why))
