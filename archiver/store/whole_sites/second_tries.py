"""What sleeps and is large is tried again when nothing else of a site is left: it may sleep by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from archiver.acquisition.sites.traps.evidence import MOST_STALE, next_again, tries_again
from archiver.acquisition.sites.traps.forms import without
from archiver.batches import batches
from archiver.store.schema import families, visits
from archiver.store.whole_sites.families import FAMILY, PARAMETER, families_named, families_of_kind
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

# Waiting addresses of a family, the newest ones, among which one is sought that may have something new.
_LOOKED_THROUGH = 200


def try_again(connection: Connection, site_id: int, requests: int) -> bool:
    """Where nothing else is left, ask for one more page of what sleeps and is large; whether there is any."""
    waiting = (visits.c.site_id == site_id) & (visits.c.state == "deferred")
    query = select(visits.c.family_id, func.count().label("many"), func.max(visits.c.id).label("last"))
    rows = connection.execute(query.where(waiting).group_by(visits.c.family_id)).all()
    known = {row.id: row for row in families_of_kind(connection, site_id, FAMILY)}
    left = tries_again(requests) - sum(row.again for row in known.values())
    large = sorted(
        (row for row in rows if row.many >= known[row.family_id].again_at), key=lambda row: -row.many
    )
    asked = 0
    for row in large:
        if asked < left:
            asked += _try(connection, known[row.family_id], row.many, row.last)
    return asked > 0


def _try(connection: Connection, family: Row[Any], many: int, last: int) -> bool:
    """Ask for one of a family; whether there is one that may have something new."""
    number = _unread(connection, family, last)
    values = {"again_at": next_again(many), "again": families.c.again + (number is not None)}
    connection.execute(update(families).where(families.c.id == family.id).values(**values))
    if number is not None:
        asked = update(visits).where(visits.c.id == number)
        # In a series it is behind what showed nothing: see `series`.
        connection.execute(asked.values(state="pending", stale=MOST_STALE - 1))
    return number is not None


def _unread(connection: Connection, family: Row[Any], last: int) -> int | None:
    """The last one that waits; where a parameter changes nothing, one that was not read without it."""
    silent = _silent(connection, family)
    if not silent:
        return last
    mine = (visits.c.family_id == family.id) & (visits.c.state == "deferred")
    query = select(visits.c.id, visits.c.url).where(mine).order_by(visits.c.id.desc()).limit(_LOOKED_THROUGH)
    keys = {same_page_key(without(row.url, silent)): row.id for row in connection.execute(query)}
    for some in batches(list(keys)):
        read = (visits.c.site_id == family.site_id) & visits.c.key.in_(some) & visits.c.digest.is_not(None)
        for key in connection.execute(select(visits.c.key).where(read)).scalars():
            del keys[key]
    return max(keys.values(), default=None)


def _silent(connection: Connection, family: Row[Any]) -> frozenset[str]:
    """The parameters of a family with which pages were those without them, each time."""
    names = [f"?{name}" for name in family.parameters.split()]
    known = families_named(connection, family.site_id, PARAMETER, names).values() if names else ()
    return frozenset(row.name for row in known if row.same and not row.differ)
