"""A clock that was ahead: runs that began in the future are doubted, and what they put off is pulled back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import exists, func, insert, select, update

from archiver.acquisition.rechecks.lastmods import IGNORED_FOR
from archiver.acquisition.rechecks.sitemaps import SEARCH_AGAIN
from archiver.batches import batches
from archiver.store.schema import (
    channels,
    entries,
    gaps,
    pages,
    poll_prices,
    recheck_prices,
    requisites,
    runs,
    sitemaps,
    subscriptions,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row, Table


# As far as clocks may differ, here as in the times of articles: docs/timestamps.md.
SLACK = timedelta(minutes=15)
# Beyond what is asked for, for jitter.
_SHARE = 1.1
# The pages of a feed with very many entries are asked for in turns, as far ahead as this.
_LONGEST_TURNS = timedelta(days=366)
# Sitemaps that are ignored, or are not there.
_LONGEST_SILENCE = max(IGNORED_FOR, SEARCH_AGAIN) * _SHARE
_WHY = "its next poll was further ahead than any plan: the clock must have been wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizons:
    """How far ahead anything is ever put off."""

    polls: timedelta
    pages: timedelta
    rechecks: timedelta
    leases: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtedRun:
    """A run that began later than now, by that run's clock or by today's."""

    started: datetime
    entries: int  # first seen in it, or after it
    versions: int


@dataclass(slots=True, kw_only=True)
class PulledBack:
    """What was put off too far, and is due now."""

    polls: int = 0
    pages: int = 0
    rechecks: int = 0
    others: int = 0  # documents of gaps, requisites, subscriptions, sitemaps

    def __bool__(self) -> bool:
        return bool(self.polls or self.pages or self.rechecks or self.others)


def begin_run(connection: Connection, moment: datetime) -> int:
    """Note a run by the machine's clock; its number."""
    return int(connection.execute(insert(runs).values(started=moment).returning(runs.c.id)).scalar_one())


def end_run(connection: Connection, number: int, moment: datetime) -> None:
    connection.execute(update(runs).where(runs.c.id == number).values(ended=moment))


def doubt_runs(connection: Connection, moment: datetime) -> list[DoubtedRun]:
    """Mark the runs that have begun or ended in the future, each once."""
    ahead = (runs.c.started > moment + SLACK) | (runs.c.ended > moment + SLACK)
    found = connection.execute(select(runs).where(ahead, runs.c.doubted.is_(None)).order_by(runs.c.id)).all()
    if not found:
        return []
    connection.execute(update(runs).where(runs.c.id.in_([row.id for row in found])).values(doubted=moment))
    return [_doubted(connection, row) for row in found]


def _doubted(connection: Connection, row: Row[Any]) -> DoubtedRun:
    def count(column: ColumnElement[Any]) -> int:
        until = [column <= row.ended] if row.ended else []
        query = select(func.count()).where(column >= row.started, *until)
        return connection.execute(query).scalar_one()

    return DoubtedRun(
        started=row.started, entries=count(entries.c.first_seen), versions=count(versions.c.captured)
    )


def check_clock(
    connection: Connection, horizons: Horizons, *, now: datetime, moment: datetime
) -> tuple[int, list[DoubtedRun], PulledBack]:
    """Look for traces of a clock that was ahead, at the start of a run; its number, and what was found."""
    is_first = is_first_run(connection)
    doubted = doubt_runs(connection, moment)
    is_suspect = bool(doubted) or (is_first and _was_polled_after(connection, moment))
    pulled = pull_back(connection, horizons, now=now, moment=moment, is_suspect=is_suspect)
    return begin_run(connection, moment), doubted, pulled


def _was_polled_after(connection: Connection, moment: datetime) -> bool:
    query = select(channels.c.id).where(channels.c.last_poll > moment + SLACK)
    return connection.execute(query.limit(1)).first() is not None


def is_first_run(connection: Connection) -> bool:
    """Whether no run was noted before: nothing tells whether the clock of the last one was right."""
    return not connection.execute(select(exists(select(runs.c.id)))).scalar_one()


def pull_back(
    connection: Connection, horizons: Horizons, *, now: datetime, moment: datetime, is_suspect: bool
) -> PulledBack:
    """Have what is further ahead than anything is ever put off be due now.

    `now` is the schedule's, `moment` the machine's. With a suspect clock, also times that are only noted are
    not left in the future: they would keep what they belong to from being looked at.
    """
    pulled = PulledBack(polls=_pull_polls(connection, horizons, now))
    suspect = is_suspect or pulled.polls > 0
    pages_ahead = now + (horizons.pages if suspect else max(horizons.pages, _LONGEST_TURNS))
    pulled.pages = _pull(connection, pages.c.next_try, pages.c.state == "pending", pages_ahead, now)
    is_watched = pages.c.state == "settled"
    pulled.rechecks = _pull(connection, pages.c.recheck, is_watched, now + horizons.rechecks, now)
    pulled.others = sum(
        (
            _pull(connection, gaps.c.next_try, gaps.c.state == "open", now + horizons.pages, now),
            _pull(connection, requisites.c.next_try, requisites.c.state == "pending", pages_ahead, now),
            _pull(connection, subscriptions.c.next_step, None, now + horizons.leases, now),
            _pull(connection, sitemaps.c.next_ask, None, now + _LONGEST_SILENCE, now),
        )
    )
    if suspect or pulled:
        _not_in_the_future(connection, now=now, moment=moment)
    return pulled


def _pull_polls(connection: Connection, horizons: Horizons, now: datetime) -> int:
    """Channels are due now, unless their seeds ask for so long an interval."""
    query = select(channels.c.id, channels.c.next_poll, channels.c.every).where(
        channels.c.status.in_(("active", "retired", "merged")), channels.c.next_poll > now + horizons.polls
    )
    far = [
        row.id
        for row in connection.execute(query)
        if row.next_poll > now + max(horizons.polls, timedelta(seconds=row.every or 0) * _SHARE)
    ]
    for some in batches(far):
        connection.execute(update(channels).where(channels.c.id.in_(some)).values(next_poll=now, why=_WHY))
    return len(far)


def _pull(
    connection: Connection,
    column: ColumnElement[Any],
    which: ColumnElement[bool] | None,
    horizon: datetime,
    now: datetime,
) -> int:
    table: Table = column.table
    far = column > horizon if which is None else which & (column > horizon)
    return connection.execute(update(table).where(far).values({column: now})).rowcount


def _not_in_the_future(connection: Connection, *, now: datetime, moment: datetime) -> None:
    """Bring down what was noted by a wrong clock, where something waits until it has passed."""
    for column, bound in _noted(now=now, moment=moment):
        _pull(connection, column, None, bound, bound)


def _noted(*, now: datetime, moment: datetime) -> Iterator[tuple[ColumnElement[Any], datetime]]:
    # By the machine's clock: no channel is polled twice in a run, and a capture answers what was before it.
    for column in (channels.c.last_poll, channels.c.last_success, entries.c.changed):
        yield column, moment
    # By the schedule's: gaps, ages, pings and prices.
    for column in (
        channels.c.last_gap, pages.c.born, pages.c.first_look, pages.c.looked, subscriptions.c.pinged,
        poll_prices.c.since, recheck_prices.c.since,
    ):  # fmt: skip
        yield column, now
