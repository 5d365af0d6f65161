"""The documents of sites that wait to be visited, and those that are noted for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select, update

from archiver.acquisition.sites import plan
from archiver.acquisition.sites.model import CANONICAL, PendingVisit, VisitReading
from archiver.acquisition.sites.traps.forms import refusal
from archiver.batches import batches
from archiver.store.schema import visits
from archiver.store.whole_sites.guarding import LinkGuard, admitted, is_guarded, learned_rows, plain_key
from archiver.store.whole_sites.labels import lead_there_as_well
from archiver.store.whole_sites.referrers import note_referrer
from archiver.urls import LONGEST_URL, host_of, request_url

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row, Select

    from archiver.acquisition.sites.model import Site, WantedVisit

# What a cheaper way has made superfluous.
NOT_NEEDED = "not_needed"


def pending_visits(
    connection: Connection,
    now: datetime | None,
    sites_of_run: Sequence[Site],
    *,
    limit: int,
    busy: Collection[int],
) -> list[PendingVisit]:
    """Documents to ask for, of each site in the order of their ranks. Without a time: all that wait."""
    found: list[PendingVisit] = []
    for site in sites_of_run:
        if now is not None and site.rest_until is not None and site.rest_until > now:
            continue
        query = select(visits).where(visits.c.site_id == site.id, visits.c.state == "pending")
        if now is not None:
            query = query.where(visits.c.next_try <= now)
        query = query.order_by(visits.c.rank, visits.c.id).limit(limit + len(busy))
        rows = connection.execute(query).all()
        # What may only be another look at something waits until all else was read.
        last = max(plan.PAGES, rows[0].rank) if rows else 0
        rows = [row for row in rows if row.id not in busy and row.rank <= last]
        found += [pending_of(row, site) for row in rows[: _room(connection, site, limit, busy)]]
    return found[:limit] if len(sites_of_run) == 1 else _in_turn(found, limit)


def _room(connection: Connection, site: Site, limit: int, busy: Collection[int]) -> int:
    """How many documents of a site may be asked for, where it has a limit of its own."""
    if site.limit is None:
        return limit
    mine = select(func.count()).where(visits.c.site_id == site.id, visits.c.id.in_(busy))
    return max(0, min(limit, site.limit - site.requests - connection.execute(mine).scalar_one()))


def _in_turn(found: list[PendingVisit], limit: int) -> list[PendingVisit]:
    """One of each site after the other."""
    places: dict[int, int] = {}
    ranked = []
    for one in found:
        places[one.site.id] = places.get(one.site.id, 0) + 1
        ranked.append((places[one.site.id], one.id, one))
    return [one for _, _, one in sorted(ranked, key=lambda three: three[:2])][:limit]


def pending_of(row: Row[Any], site: Site) -> PendingVisit:
    return PendingVisit(
        id=row.id,
        url=row.url,
        host=row.host,
        site=site,
        via=row.via,
        action=row.action,
        reading=VisitReading(row.reading),
        level=row.level,
        whole=row.whole,
        depth=row.depth,
        only=row.sought or "",
        validators=row.validators,
        capture=row.capture,
    )


def next_visit(connection: Connection, site_ids: Sequence[int]) -> datetime | None:
    query = select(visits.c.next_try).where(visits.c.state == "pending", visits.c.site_id.in_(site_ids))
    return connection.execute(query.order_by(visits.c.next_try).limit(1)).scalar()


def add_visits(
    connection: Connection,
    site_id: int,
    wanted: Iterable[WantedVisit],
    now: datetime,
    *,
    state: str = "pending",
    guard: LinkGuard | None = None,
    by: int | None = None,
) -> int:
    """Note documents that were found, by a visit where one led to them; how many of them were not known."""
    key_of = visit_key if guard is None else guard.key
    by_key = {key_of(one.url): one for one in reversed(list(wanted))}
    added = 0
    for keys in batches(list(reversed(by_key))):
        known = {row.key: row for row in connection.execute(_KNOWN, {"site": site_id, "keys": keys})}
        new = {key: _values(site_id, key, by_key[key], now, state) for key in keys if key not in known}
        rows = _guarded(connection, site_id, guard, new, by_key)
        for some in (one for one in rows if one):
            connection.execute(insert(visits), some)
        held = (
            [row for row in known.values() if _is_held(row.state, row.outcome)] if state == "pending" else []
        )
        for row in held:
            values = _values(site_id, row.key, by_key[row.key], now, state) | {"outcome": None}
            connection.execute(update(visits).where(visits.c.id == row.id).values(**values))
        added += sum(row["state"] in {state, "ranked"} for some in rows for row in some) + len(held)
        if guard is not None and guard.learner is not None:
            lead_there_as_well(connection, guard.learner.book, known.values(), by_key)
        if by is not None:
            note_referrer(connection, by, known.values())
    return added


# Asked with every visit: to put it together each time would take longer than to answer it.
_KNOWN: Select[Any] = select(
    visits.c.id, visits.c.key, visits.c.state, visits.c.outcome, visits.c.label_id
).where(visits.c.site_id == bindparam("site"), visits.c.key.in_(bindparam("keys", expanding=True)))


def _guarded(
    connection: Connection,
    site_id: int,
    guard: LinkGuard | None,
    new: Mapping[str, dict[str, Any]],
    wanted: Mapping[str, WantedVisit],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What is named by lists, and what links lead to, without what is not asked for."""
    if guard is None:
        return [row for row in new.values() if len(row["url"]) <= LONGEST_URL], []
    if guard.learner is not None:
        links = [row for key, row in new.items() if _is_ranked(wanted[key])]
        named = [
            row | {"label_id": guard.learner.label_id}
            for key, row in new.items()
            if not _is_ranked(wanted[key]) and refusal(row["url"]) is None
        ]
        return named, learned_rows(connection, site_id, guard, guard.learner, links, wanted)
    doubtful = [row for key, row in new.items() if is_guarded(wanted[key])]
    others = [row for key, row in new.items() if not is_guarded(wanted[key]) and refusal(row["url"]) is None]
    return others, admitted(connection, site_id, guard, doubtful)


def _is_ranked(wanted: WantedVisit) -> bool:
    """Whether a document waits for its label; lists and the address that a page names as its own do not."""
    return wanted.reading is VisitReading.PAGE and wanted.action != CANONICAL and wanted.rank != plan.LISTS


def _is_held(state: str, outcome: str | None) -> bool:
    """Whether something was known and never asked for, since there was a cheaper way."""
    return state == "held" or (state == "skipped" and outcome == NOT_NEEDED)


def visit_key(url: str) -> str:
    return plain_key(url)


def _values(site_id: int, key: str, wanted: WantedVisit, now: datetime, state: str) -> dict[str, Any]:
    url = request_url(wanted.url)
    return {
        "site_id": site_id,
        "key": key,
        "url": url,
        "host": host_of(url),
        "via": wanted.via,
        "action": wanted.action,
        "reading": wanted.reading,
        "level": wanted.level,
        "whole": wanted.whole,
        "sought": wanted.only or None,
        "is_further": wanted.is_further,
        "depth": wanted.depth,
        "rank": wanted.rank,
        "state": state,
        "next_try": now,
        "outcome": None,
        "family_id": None,
        "stale": 0,
        "label_id": None,
        "teaser": None,
    }
