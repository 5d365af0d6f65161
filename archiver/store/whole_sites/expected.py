"""What a crawl of a site is going to spend, once that can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from archiver.acquisition.sites import plan
from archiver.acquisition.sites.model import Strategy, VisitReading
from archiver.store.schema import sites, visits
from archiver.store.whole_sites.label_choice import count_paying
from archiver.store.whole_sites.sites import change_site, was_read

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a crawl of a site is expected to ask for."""

    software: str  # empty: not known
    way: str
    requests: int  # those that were made included
    is_open: bool  # lists go on, and show more


# Asked with every visit.
_PLAN = select(sites.c.plan).where(sites.c.id == bindparam("site"))


def expected_of(connection: Connection, site_id: int) -> Expected | None:
    """What is going to be spent, when all lists were read that name pages; None before and after that."""
    if connection.execute(_PLAN, {"site": site_id}).scalar() is not None:
        return None
    row = connection.execute(select(sites).where(sites.c.id == site_id)).one()
    query = select(visits.c.reading, func.count().label("many"), func.min(visits.c.rank).label("rank"))
    query = query.where(visits.c.site_id == site_id, visits.c.state == "pending").group_by(visits.c.reading)
    waiting = {one.reading: one for one in connection.execute(query)}
    # Without its first page nothing is going to be spent.
    if set(waiting) - {VisitReading.PAGE} or not was_read(connection, site_id):
        return None
    requests = _made(connection, row) + (waiting[VisitReading.PAGE].many if waiting else 0)
    if row.way == Strategy.LEARNED:
        requests += count_paying(connection, site_id)
    is_open = row.way in {Strategy.BLIND, Strategy.LEARNED}
    is_open |= bool(waiting and waiting[VisitReading.PAGE].rank < plan.PAGES)
    # Announced once: other visits that are stored meanwhile find it set.
    change_site(connection, site_id, plan="")
    return Expected(software=row.software or row.type, way=row.way, requests=requests, is_open=is_open)


def _made(connection: Connection, site: Row[Any]) -> int:
    """How many requests this crawl of a site has made, not those before it."""
    if site.again is None:
        return int(site.requests)
    mine = (visits.c.site_id == site.id) & (visits.c.visited >= site.again)
    return int(connection.execute(select(func.count()).where(mine)).scalar_one())
