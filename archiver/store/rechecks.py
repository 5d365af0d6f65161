"""Which known articles are to be looked at again now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.store.pages import ASKED, PendingPage
from archiver.store.recheck_prices import rechecks_now
from archiver.store.schema import pages

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime, timedelta

    from sqlalchemy import Connection

    from archiver.store.watching import RecheckRules

# How many are looked at to find enough that do not all belong to one host.
_LOOKED_AT = 8
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
) -> list[PendingPage]:
    """Pages whose articles are due, the longest due first, as many as rechecks have a share for."""
    if not rules.share:
        return []
    if rules.policy.interval is None:
        room = rechecks_now(connection, rules.share, now).room
        limit = min(limit, int(_FREE + (room or 0.0)) - len(busy))
    if limit <= 0:
        return []
    query = select(*ASKED).where(pages.c.state == "settled", pages.c.recheck <= now)
    rows = connection.execute(query.order_by(pages.c.recheck).limit(_LOOKED_AT * limit + len(busy)))
    found: list[PendingPage] = []
    of_host: Counter[str] = Counter()
    for row in rows:
        if row.id in busy or of_host[row.host] >= per_host:
            continue
        of_host[row.host] += 1
        found.append(PendingPage(**row._mapping, is_recheck=True))  # noqa: SLF001 - public API in spite of its name
    return found[:limit]


def all_known_pages(connection: Connection) -> list[PendingPage]:
    """Every page whose article is known, due or not."""
    query = select(*ASKED).where(pages.c.state == "settled", pages.c.article_id.is_not(None))
    rows = connection.execute(query.order_by(pages.c.id))
    return [PendingPage(**row._mapping, is_recheck=True) for row in rows]  # noqa: SLF001 - as above


def next_recheck_due(connection: Connection) -> datetime | None:
    query = select(pages.c.recheck).where(pages.c.state == "settled", pages.c.recheck.is_not(None))
    return connection.execute(query.order_by(pages.c.recheck).limit(1)).scalar()


def look_later(
    connection: Connection, page_id: int, failure: str, wait: timedelta | None, now: datetime
) -> None:
    """A page that could not be had says nothing of its article; without a wait it is left alone."""
    why = f"{failure}: could not be had" if wait else f"{failure}: could not be had, too often"
    due = now + wait if wait else None
    connection.execute(
        update(pages).where(pages.c.id == page_id).values(recheck=due, why=why, tries=pages.c.tries + 1)
    )
