"""What was learned on the pages of sites: which of it is in use, and on which pages more can be learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, insert, inspect, select, update

from archiver.acquisition.sites.adaptation.model import LearnedAction
from archiver.acquisition.sites.model import SiteState, VisitReading
from archiver.store.schema import learned_actions, sites, visits
from archiver.store.whole_sites.sites import is_visited

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.acquisition.sites.model import Site
    from archiver.archive.warc.records import Capture

_NAMES = tuple(LearnedAction.__struct_fields__)
# Any order will do that is not that of a list: neighbours are alike.
_SHUFFLE, _BUCKETS = 7919, 10_007


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A page of a level that was visited, and on which actions found nothing."""

    id: int
    url: str
    capture: Capture
    earlier: Capture | None
    is_further: bool
    empty: tuple[str, ...]


def learned_of(connection: Connection, site_id: int) -> tuple[LearnedAction, ...]:
    """What is in use on a site, the latest first."""
    mine = (learned_actions.c.site_id == site_id) & learned_actions.c.outdated.is_(None)
    query = select(learned_actions).where(mine).order_by(learned_actions.c.id.desc())
    return tuple(learned_action(row) for row in connection.execute(query))


def taught_sites(connection: Connection) -> list[int]:
    """The sites on which something was learned that is in use."""
    table = learned_actions
    if not inspect(connection).has_table(table.name):
        return []
    query = select(table.c.site_id).where(table.c.outdated.is_(None)).distinct().order_by(table.c.site_id)
    return list(connection.execute(query).scalars())


def learned_action(row: Row[Any]) -> LearnedAction:
    return msgspec.convert({name: getattr(row, name) for name in _NAMES}, LearnedAction)


def unapplied(connection: Connection, site_id: int) -> set[tuple[str, str]]:
    """Levels and actions of a site by which the pages that were visited before are still to be read."""
    table = learned_actions
    mine = (table.c.site_id == site_id) & table.c.outdated.is_(None) & table.c.applied.is_(None)
    return {(row.level, row.action) for row in connection.execute(select(table).where(mine))}


def note_learned(
    connection: Connection,
    site: Site,
    level: str,
    learned: Sequence[LearnedAction],
    failed: Collection[str],
    recorded: datetime,
) -> None:
    """Put actions into use; those that failed, and those that others take the place of, are outdated."""
    table = learned_actions
    mine = (table.c.site_id == site.id) & (table.c.level == level) & table.c.outdated.is_(None)
    past = set(failed) | {one.action for one in learned}
    connection.execute(update(table).where(mine, table.c.action.in_(past)).values(outdated=recorded))
    own = {"site_id": site.id, "type": site.type, "learned": recorded}
    if learned:
        connection.execute(insert(table), [own | msgspec.structs.asdict(one) for one in learned])
        # It is not finished before its pages are read by that.
        done = (sites.c.id == site.id) & (sites.c.state == SiteState.DONE)
        connection.execute(update(sites).where(done).values(state=SiteState.OPEN, ended=None))


def note_applied(connection: Connection, site_id: int, level: str, recorded: datetime, now: datetime) -> None:
    """All pages of a level that were visited before are read by what is in use: the site may be finished."""
    table = learned_actions
    mine = (table.c.site_id == site_id) & (table.c.level == level) & table.c.applied.is_(None)
    connection.execute(update(table).where(mine).values(applied=recorded))
    if not unapplied(connection, site_id) and is_visited(connection, site_id):
        is_open = (sites.c.id == site_id) & (sites.c.state == SiteState.OPEN)
        connection.execute(update(sites).where(is_open).values(state=SiteState.DONE, ended=now))


def note_unapplied(connection: Connection, site_id: int, level: str) -> None:
    """Some page of a level could not be read by what is in use: the next run does."""
    table = learned_actions
    mine = (table.c.site_id == site_id) & (table.c.level == level) & table.c.outdated.is_(None)
    connection.execute(update(table).where(mine).values(applied=None))


def _of_level(site: Site, level: str) -> ColumnElement[bool]:
    """Pages of a level that were read, and are in the archive."""
    mine = (visits.c.site_id == site.id) & (visits.c.state == "settled") & (visits.c.level == level)
    mine &= (visits.c.reading == VisitReading.PAGE) & visits.c.empty.is_not(None)
    return mine & visits.c.capture.is_not(None)


def count_of_crawl(connection: Connection, site: Site) -> dict[str, int]:
    """How many pages of each level were read since the crawl began."""
    counts = select(visits.c.level, func.count().label("many")).where(visits.c.site_id == site.id)
    counts = counts.where(visits.c.state == "settled", visits.c.empty.is_not(None))
    if site.again is not None:
        counts = counts.where(visits.c.visited >= site.again)
    return {row.level: row.many for row in connection.execute(counts.group_by(visits.c.level))}


def sample_of(connection: Connection, site: Site, level: str, limit: int) -> list[VisitedPage]:
    """Pages of a level to learn from, from all over the site: items, and as many further pages of items."""
    query = select(visits).where(_of_level(site, level))
    if site.again is not None:
        query = query.where(visits.c.visited >= site.again)
    query = query.order_by(visits.c.id * _SHUFFLE % _BUCKETS, visits.c.id)
    further = connection.execute(query.where(visits.c.whole.is_not(None)).limit(limit // 2)).all()
    items = connection.execute(query.where(visits.c.whole.is_(None)).limit(limit - len(further))).all()
    return [_visited(row) for row in (*items, *further)]


def to_read_again(
    connection: Connection, site: Site, level: str, actions: Collection[str], after: int, limit: int
) -> list[VisitedPage]:
    """Pages on which one of these actions found nothing, in the order of their numbers."""
    parts = {one.partition("/")[0] for one in actions}
    query = select(visits).where(_of_level(site, level), visits.c.id > after)
    rows = connection.execute(query.order_by(visits.c.id).limit(limit)).all()
    wanted = set(actions) | parts
    return [_visited(row, is_due=not wanted.isdisjoint(row.empty)) for row in rows]


def _visited(row: Row[Any], *, is_due: bool = True) -> VisitedPage:
    return VisitedPage(
        id=row.id,
        url=row.capture.url or row.url,
        capture=row.capture,
        earlier=row.earlier,
        is_further=row.whole is not None,
        empty=row.empty if is_due else (),
    )
