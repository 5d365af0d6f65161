"""Sites that are crawled as a whole: registered, asked about, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, exists, func, insert, select, update

from archiver.acquisition.sites.model import Site, SiteState, Strategy
from archiver.store.schema import sites, visits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row


def site_of(row: Row[Any]) -> Site:
    return Site(
        id=row.id,
        url=row.url,
        scope=row.scope,
        strategy=Strategy(row.strategy),
        state=SiteState(row.state),
        way=row.way,
        type=row.type,
        software=row.software,
        requests=row.requests,
        limit=row.request_limit,
        failures=row.failures,
        rest_until=row.rest_until,
        again=row.again,
        seed=row.seed,
    )


def find_site(connection: Connection, url: str) -> Site | None:
    row = connection.execute(select(sites).where(sites.c.url == url)).first()
    return None if row is None else site_of(row)


def site_by_id(connection: Connection, site_id: int) -> Site:
    return site_of(connection.execute(_SITE, {"site": site_id}).one())


def add_site(
    connection: Connection, url: str, scope: str, strategy: Strategy, now: datetime, *, seed: int = 0
) -> Site:
    values = {"url": url, "scope": scope, "strategy": strategy, "state": SiteState.OPEN, "added": now}
    values |= {"seed": seed}
    row = connection.execute(insert(sites).values(**values).returning(*sites.c)).one()
    return site_of(row)


def change_site(connection: Connection, site_id: int, /, **values: object) -> None:
    connection.execute(update(sites).where(sites.c.id == site_id).values(**values))


def count_request(connection: Connection, site_id: int) -> None:
    connection.execute(_COUNT_REQUEST, {"site": site_id})


def open_sites(connection: Connection) -> list[Site]:
    """Those that are not finished, in the order in which they were added."""
    query = select(sites).where(sites.c.state == SiteState.OPEN).order_by(sites.c.id)
    return [site_of(row) for row in connection.execute(query)]


def ended_of(connection: Connection, site_id: int) -> datetime | None:
    return connection.execute(select(sites.c.ended).where(sites.c.id == site_id)).scalar()


def is_visited(connection: Connection, site_id: int) -> bool:
    """Whether nothing of a site waits to be visited."""
    return not connection.execute(_HAS_PENDING, {"site": site_id}).scalar_one()


# Asked with every visit: to put them together each time would take longer than to answer them.
_SITE = select(sites).where(sites.c.id == bindparam("site"))
_COUNT_REQUEST = update(sites).where(sites.c.id == bindparam("site")).values(requests=sites.c.requests + 1)
_HAS_PENDING = select(
    exists().where(visits.c.site_id == bindparam("site"), visits.c.state == "pending")
)  # fmt: skip


def was_read(connection: Connection, site_id: int) -> bool:
    """Whether anything of a site could be read."""
    read = exists().where(
        visits.c.site_id == site_id, visits.c.state == "settled", visits.c.outcome == "read"
    )
    return bool(connection.execute(select(read)).scalar_one())


def count_visits(connection: Connection, site_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """How many documents of each site are in which state."""
    query = select(visits.c.site_id, visits.c.state, func.count().label("many"))
    query = query.where(visits.c.site_id.in_(site_ids)).group_by(visits.c.site_id, visits.c.state)
    found: dict[int, dict[str, int]] = {number: {} for number in site_ids}
    for row in connection.execute(query):
        found[row.site_id][row.state] = row.many
    return found
