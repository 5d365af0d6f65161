"""Visits that are held back until it is known whether what comes before them is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.acquisition.sites import plan
from archiver.acquisition.sites.model import CANONICAL, Strategy
from archiver.store.schema import visits
from archiver.store.whole_sites.sites import change_site
from archiver.store.whole_sites.visits import NOT_NEEDED

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from archiver.acquisition.sites.model import Site


def release_held(connection: Connection, site: Site, *, is_asked: bool) -> None:
    """Ask for what was held, a list before the site's own links; or for its items alone."""
    held = (visits.c.site_id == site.id) & (visits.c.state == "held")
    lists = select(visits.c.id).where(held, visits.c.action.startswith("list "))
    following = connection.execute(lists.order_by(visits.c.action).limit(1)).scalar()
    if not is_asked:
        # Menus lead to items that no list names, such as pages of a blog whose feed has posts alone.
        items = held & (visits.c.rank == plan.PAGES) & visits.c.action.not_in((plan.LINK, CANONICAL))
        connection.execute(update(visits).where(items).values(state="pending"))
        connection.execute(update(visits).where(held).values(state="skipped", outcome=NOT_NEEDED))
        return
    if following is not None:
        held = visits.c.id == following
    elif site.way == Strategy.KNOWN and _has_links(connection, held):
        # Nothing that is known leads on: which links do is learned, and what is known of pages is taken.
        change_site(connection, site.id, way=Strategy.LEARNED)
    connection.execute(update(visits).where(held).values(state="pending"))


def _has_links(connection: Connection, some: ColumnElement[bool]) -> bool:
    return (
        connection.execute(select(visits.c.id).where(some, visits.c.action == plan.LINK).limit(1)).first()
        is not None
    )
