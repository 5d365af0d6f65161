"""How far the crawls of sites are: what was visited, what waits, what failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from archiver.acquisition.outcomes import Failure
from archiver.acquisition.sites.curve import TextSeen, text_seen
from archiver.acquisition.sites.model import VisitReading, VisitState
from archiver.acquisition.sites.plan import ENTRY
from archiver.store.schema import sites, visits
from archiver.store.whole_sites.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from archiver.acquisition.sites.model import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTally:
    """A site, and how many of its documents came to what."""

    site: Site
    why: str | None  # it is in its state
    waiting: int = 0  # to be asked for
    held: int = 0  # asked for where a cheaper way fails
    deferred: int = 0  # until more is known of others like them
    read: int = 0
    leads_on: bool = True  # to pages behind its first one, of which any could be read
    # Read or not: the codes of outcomes, and how many of each.
    ended: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def visited(self) -> int:
        return sum(self.ended.values())

    @property
    def known(self) -> int:
        return self.visited + self.waiting

    @property
    def failures(self) -> Counter[str]:
        return Counter({code: many for code, many in self.ended.items() if code in set(Failure)})


def tally_sites(connection: Connection, site_ids: Sequence[int] | None = None) -> list[SiteTally]:
    """These sites, in this order; without numbers: all, in the order in which they were added."""
    query = select(sites).order_by(sites.c.id)
    if site_ids is not None:
        query = query.where(sites.c.id.in_(site_ids))
    rows = {row.id: row for row in connection.execute(query)}
    counts = _counts(connection, site_ids)
    return [
        _tally(connection, rows[number], counts.get(number, Counter()))
        for number in (rows if site_ids is None else site_ids)
    ]


def _leads_on(connection: Connection, site_id: int) -> bool:
    read = (visits.c.state == VisitState.SETTLED) & (visits.c.outcome == "read")
    page = (visits.c.reading == VisitReading.PAGE) & (visits.c.action != ENTRY)
    query = select(visits.c.id).where(visits.c.site_id == site_id, read, page).limit(1)
    return connection.execute(query).first() is not None


# How many documents came to which state and outcome.
_Counts = Counter[tuple[str, str]]


def _counts(connection: Connection, site_ids: Sequence[int] | None) -> dict[int, _Counts]:
    query = select(visits.c.site_id, visits.c.state, visits.c.outcome, func.count().label("many"))
    if site_ids is not None:
        query = query.where(visits.c.site_id.in_(site_ids))
    found: dict[int, _Counts] = {}
    for row in connection.execute(query.group_by(visits.c.site_id, visits.c.state, visits.c.outcome)):
        found.setdefault(row.site_id, Counter())[row.state, row.outcome or ""] += row.many
    return found


def _tally(connection: Connection, row: Row[Any], counts: _Counts) -> SiteTally:
    def of(state: VisitState) -> Counter[str]:
        return Counter({outcome: many for (one, outcome), many in counts.items() if one == state})

    ended = of(VisitState.SETTLED)
    return SiteTally(
        site=site_of(row),
        why=row.why,
        leads_on=_leads_on(connection, row.id),
        waiting=sum(of(VisitState.PENDING).values()),
        held=sum(of(VisitState.HELD).values()),
        deferred=sum(of(VisitState.DEFERRED).values()),
        read=ended["read"],
        ended=ended,
        skipped=of(VisitState.SKIPPED),
    )


def count_waiting(connection: Connection, site_ids: Sequence[int]) -> int:
    """How many documents of these sites are to be asked for."""
    query = select(func.count()).where(visits.c.site_id.in_(site_ids), visits.c.state == VisitState.PENDING)
    return connection.execute(query).scalar_one()


def seen_of(connection: Connection, site_ids: Sequence[int]) -> list[TextSeen]:
    """How much text was seen of each of these sites."""
    query = select(sites.c.curve).where(sites.c.id.in_(site_ids)).order_by(sites.c.id)
    return [text_seen(curve or ()) for curve in connection.execute(query).scalars()]
