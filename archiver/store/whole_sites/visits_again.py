"""Documents of a site that are read once more from the archive, by what was learned since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.acquisition.sites import plan
from archiver.acquisition.sites.model import SITES, SiteState, VisitFetch
from archiver.store.content.leads import scope_of
from archiver.store.schema import leads, pages, visits
from archiver.store.whole_sites.guarding import guard_of
from archiver.store.whole_sites.sites import change_site, site_by_id
from archiver.store.whole_sites.visited import write_contributed
from archiver.store.whole_sites.visits import add_visits, pending_of
from archiver.submissions import request_key

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.sites.model import Site, VisitRead
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.documents.pages.model import Announcement


def store_again(
    connection: Connection,
    objects: ObjectWriter,
    visit_id: int,
    read: VisitRead,
    *,
    recorded: datetime,
    now: datetime,
) -> int:
    """Keep what a document says beyond what was read of it before; how many documents it newly leads to."""
    row = connection.execute(select(visits).where(visits.c.id == visit_id)).one()
    if row.state != "settled" or row.capture is None or read.problem:
        return 0
    site = site_by_id(connection, row.site_id)
    visit = pending_of(row, site)
    fetch = VisitFetch(visit=visit, url=row.capture.url or row.url, read=read, capture=row.capture)
    connection.execute(update(visits).where(visits.c.id == visit_id).values(empty=read.empty))
    _say(connection, site, fetch.url, read.level, read.said)
    write_contributed(connection, objects, fetch, recorded)
    if visit.action == plan.ENTRY:
        return 0  # what it leads to was weighed against cheaper ways
    step = plan.after_visit(site, visit, fetch.url, read)
    found = add_visits(
        connection, site.id, step.wanted, now, guard=guard_of(connection, site.id), by=visit_id
    )
    if found and site.state is SiteState.DONE:
        change_site(connection, site.id, state=SiteState.OPEN, ended=None)
    return found


def _say(connection: Connection, site: Site, url: str, level: str, said: Announcement) -> None:
    """Tell those who read the page for its article, unless they have."""
    scope = scope_of(connection, SITES, f"{site.url} {level}".rstrip())
    waiting = select(pages.c.id).where(pages.c.key == request_key(url, ""), pages.c.state == "captured")
    mine = (leads.c.scope_id == scope) & leads.c.page_id.in_(waiting.scalar_subquery())
    connection.execute(update(leads).where(mine, leads.c.pending).values(said=said))
