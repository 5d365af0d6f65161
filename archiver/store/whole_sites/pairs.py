"""Which pairs of words a site has shown: a part of them that stays small, however large the site is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select

from archiver.acquisition.sites.learning.model import GRAIN
from archiver.batches import batches
from archiver.store.schema import pairs, sites
from archiver.store.whole_sites.sites import change_site

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

# Of a site. With more of them, half are dropped, and of what comes half is not kept.
MOST_PAIRS = 400_000


def note_pairs(connection: Connection, site_id: int, shown: Collection[int]) -> float:
    """Keep what a page shows; about how many pairs of words on it are new."""
    row = connection.execute(select(sites.c.grain, sites.c.pairs).where(sites.c.id == site_id)).one()
    wanted = sorted(number for number in set(shown) if not number % row.grain)
    new: list[int] = []
    for some in batches(wanted):
        query = select(pairs.c.pair).where(pairs.c.site_id == site_id, pairs.c.pair.in_(some))
        known = set(connection.execute(query).scalars())
        new += [number for number in some if number not in known]
    if new:
        connection.execute(insert(pairs), [{"site_id": site_id, "pair": number} for number in new])
        change_site(connection, site_id, pairs=row.pairs + len(new))
        if row.pairs + len(new) > MOST_PAIRS:
            _thin(connection, site_id, row.grain * 2)
    return float(len(new) * row.grain * GRAIN)


def _thin(connection: Connection, site_id: int, grain: int) -> None:
    mine = pairs.c.site_id == site_id
    connection.execute(delete(pairs).where(mine, pairs.c.pair % grain != 0))
    left = connection.execute(select(func.count()).select_from(pairs).where(mine)).scalar_one()
    change_site(connection, site_id, pairs=left, grain=grain)
