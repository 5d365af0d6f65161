"""Which pages of a site lead to what is not there: kept while a document waits, and where it failed.

The page by which a document was found first is the `via` of its visit; these are the further ones. Every page
of a site may link to every other one, so there are only so many for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, case, delete, func, insert, select

from archiver.acquisition.outcomes import Failure
from archiver.acquisition.sites.model import VisitState
from archiver.batches import batches
from archiver.store.schema import referrers, visits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Row

MOST = 20
_WAITS = frozenset({VisitState.PENDING, VisitState.HELD, VisitState.DEFERRED})
_FAILED = frozenset(Failure)


def note_referrer(connection: Connection, via_id: int, targets: Iterable[Row[Any]]) -> None:
    """Note that a page leads to these documents, as far as they may turn out not to be there."""
    wanted = [row.id for row in targets if row.id != via_id and _may_be_missing(row)]
    for numbers in batches(wanted):
        mine = func.max(case((referrers.c.via_id == via_id, 1), else_=0))
        query = select(referrers.c.visit_id, func.count().label("many"), mine.label("mine"))
        query = query.where(referrers.c.visit_id.in_(numbers)).group_by(referrers.c.visit_id)
        settled = {row.visit_id for row in connection.execute(query) if row.mine or row.many >= MOST}
        rows = [{"visit_id": number, "via_id": via_id} for number in numbers if number not in settled]
        if rows:
            connection.execute(insert(referrers), rows)


def _may_be_missing(row: Row[Any]) -> bool:
    return row.state in _WAITS or (row.state == VisitState.SETTLED and row.outcome in _FAILED)


def forget_referrers(connection: Connection, visit_id: int) -> None:
    """The document is there."""
    connection.execute(_FORGET, {"visit": visit_id})


# Asked with every visit.
_FORGET = delete(referrers).where(referrers.c.visit_id == bindparam("visit"))


def referrers_of(connection: Connection, visit_ids: Sequence[int]) -> dict[int, list[str]]:
    """The addresses of further pages that lead to each of these, the first first."""
    query = select(referrers.c.visit_id, visits.c.url).join(visits, visits.c.id == referrers.c.via_id)
    query = query.where(referrers.c.visit_id.in_(visit_ids)).order_by(
        referrers.c.visit_id, referrers.c.via_id
    )
    found: dict[int, list[str]] = {number: [] for number in visit_ids}
    for row in connection.execute(query):
        found[row.visit_id].append(row.url)
    return found
