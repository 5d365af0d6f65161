"""Parameters of addresses that say nothing: pages are the same whatever their value."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from archiver.acquisition.sites.traps.evidence import FamilyState, is_mute
from archiver.acquisition.sites.traps.forms import SkipReason, difference, is_random, value_of
from archiver.batches import batches
from archiver.store.schema import families, visits
from archiver.store.whole_sites.families import FORM, MUTE, PARAMETER, count_skipped, family_of, record_of
from archiver.store.whole_sites.marks import same_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.store.whole_sites.guarding import LinkGuard

_SWEPT = 20_000  # rows that are in memory at a time
_WAITING = frozenset({"pending", "deferred", "ranked"})
_VISITED = visits.c.visited.is_not(None)


def weigh_difference(
    connection: Connection, site_id: int, guard: LinkGuard, row: Row[Any], digest: str
) -> LinkGuard:
    """A page that is the same as another: what their addresses differ in may say nothing."""
    other = same_page(connection, site_id, row.id, digest)
    names = difference(row.url, other) if other else None
    if not names or len(names) > 2:
        return guard
    for name in names:
        family = family_of(connection, site_id, PARAMETER, name)
        # Once for each page: one that answers for all of them tells nothing.
        if family.last == digest or family.state == MUTE:
            continue
        record = replace(record_of(family), same=family.same + 1)
        values: dict[str, Any] = {"same": record.same, "last": digest}
        if is_mute(record, random=is_random(value_of(row.url, name))):
            values["state"] = MUTE
            guard = replace(guard, mute=guard.mute | {name})
        connection.execute(update(families).where(families.c.id == family.id).values(**values))
        if "state" in values:
            _sweep(connection, site_id, guard, name)
    return guard


def note_differing(connection: Connection, site_id: int, url: str, last: str, bare: Iterable[str]) -> None:
    """A page with new text: what its address differs in from that of another does say something.

    `bare` are the parameters without which its address was read as well.
    """
    names = (difference(url, last) if last else None) or frozenset()
    for name in {f"?{name}" for name in bare} | (names if len(names) == 1 else frozenset()):
        family = family_of(connection, site_id, PARAMETER, name)
        values = {"differ": families.c.differ + 1}
        connection.execute(update(families).where(families.c.id == family.id).values(**values))


def _sweep(connection: Connection, site_id: int, guard: LinkGuard, name: str) -> None:
    """Take out of what waits whatever is the same as something else, now that a parameter says nothing."""
    part = f"{name[1:]}=" if name.startswith("?") else "/"
    mine = (visits.c.site_id == site_id) & visits.c.url.contains(part, autoescape=True)
    taken: set[str] = set()
    # What was visited comes first, and keeps its place.
    for rows in chain(_batches(connection, mine & _VISITED), _batches(connection, mine & ~_VISITED)):
        same: list[int] = []
        for row in rows:
            key = guard.key(row.url)
            if key in taken or (key != row.key and _is_taken(connection, site_id, key)):
                same += [row.id] if row.state in _WAITING else []
            elif key != row.key:
                connection.execute(update(visits).where(visits.c.id == row.id).values(key=key))
            taken.add(key)
        _skip_same(connection, site_id, same)


def _batches(
    connection: Connection, chosen: ColumnElement[bool]
) -> Iterator[Sequence[Row[Any, Any, Any, Any]]]:
    """All of them, so many at a time: each link of each page may have a session of its own."""
    query = select(visits.c.id, visits.c.key, visits.c.url, visits.c.state).where(chosen)
    query = query.order_by(visits.c.id).limit(_SWEPT)
    last = 0
    while rows := connection.execute(query.where(visits.c.id > last)).all():
        yield rows
        last = rows[-1].id


def _is_taken(connection: Connection, site_id: int, key: str) -> bool:
    query = select(visits.c.id).where(visits.c.site_id == site_id, visits.c.key == key)
    return connection.execute(query).first() is not None


def _skip_same(connection: Connection, site_id: int, numbers: Iterable[int]) -> None:
    family = family_of(connection, site_id, FORM, SkipReason.SAME, state=FamilyState.ASLEEP)
    for some in batches(list(numbers)):
        urls = connection.execute(select(visits.c.url).where(visits.c.id.in_(some))).scalars().all()
        count_skipped(connection, family.id, urls)
        values = {"state": "skipped", "outcome": SkipReason.SAME, "family_id": family.id}
        connection.execute(update(visits).where(visits.c.id.in_(some)).values(**values))
