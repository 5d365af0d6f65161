"""Requisites: what pages need to be shown, fetched once for all pages that need it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from archiver.acquisition.requisites import HOME, KINDS
from archiver.acquisition.targets import PendingRequisite
from archiver.store.leaving_out import none_of
from archiver.store.quotas import Use, count
from archiver.store.schema import requisites
from archiver.urls import LONGEST_URL, host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime, timedelta

    from sqlalchemy import Connection

    from archiver.acquisition.targets import WantedRequisite

# A row is of one of these kinds, whatever a WARC file says.
_KINDS = frozenset({HOME, *KINDS["page"]})
# How many are looked at to find enough that do not all belong to one host.
_LOOKED_AT = 8


def want(
    connection: Connection,
    wanted: Iterable[WantedRequisite],
    *,
    now: datetime,
    max_age: timedelta,
    most_alike: int | None = None,
) -> int:
    """Ask for what was never fetched, or not for long; how many that were.

    Of styles whose addresses differ in their queries alone, no more than `most_alike` are asked for.
    """
    by_url = {one.url: one for one in wanted if len(one.url) <= LONGEST_URL}
    if not by_url:
        return 0
    known = {
        row.url: row
        for row in connection.execute(
            select(requisites.c.url, requisites.c.state, requisites.c.fetched).where(
                requisites.c.url.in_(by_url)
            )
        )
    }
    unknown = [one for url, one in by_url.items() if url not in known]
    if most_alike is not None:
        unknown = _few_alike(connection, unknown, now - max_age, most_alike)
    new = [_values(one, now) for one in unknown]
    if new:
        connection.execute(insert(requisites), new)
    old = [url for url, row in known.items() if row.state == "settled" and now - row.fetched >= max_age]
    if old:
        again = update(requisites).where(requisites.c.url.in_(old))
        connection.execute(again.values(state="pending", next_try=now, tries=0))
    return len(new) + len(old)


def _few_alike(
    connection: Connection, wanted: Sequence[WantedRequisite], since: datetime, most: int
) -> list[WantedRequisite]:
    """Without those of an address that has another query on every page: what it gives is known by now."""
    counts: dict[str, int] = {}
    found: list[WantedRequisite] = []
    for one in wanted:
        place, mark, _ = one.url.partition("?")
        if one.kind != "style" or not mark:
            found.append(one)
            continue
        if place not in counts:
            counts[place] = _count_alike(connection, place, since, most)
        counts[place] += 1
        if counts[place] <= most:
            found.append(one)
    return found


def _count_alike(connection: Connection, place: str, since: datetime, most: int) -> int:
    # The range for the index, the beginning for databases that sort otherwise; "@" comes after "?".
    url = requisites.c.url
    alike = (url > f"{place}?") & (url < f"{place}@") & (func.substr(url, 1, len(place) + 1) == f"{place}?")
    alike &= requisites.c.kind == "style"
    recent = requisites.c.fetched.is_(None) | (requisites.c.fetched >= since)
    some = select(requisites.c.id).where(alike, recent).limit(most).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one()


def _values(wanted: WantedRequisite, now: datetime) -> dict[str, object]:
    return {
        "url": wanted.url,
        "host": host_of(wanted.url),
        "kind": wanted.kind,
        "via": wanted.via,
        "depth": wanted.depth,
        "state": "pending",
        "next_try": now,
        "tries": 0,
    }


def restore_requisite(connection: Connection, wanted: WantedRequisite, fetched: datetime) -> None:
    """Note that the archive has a requisite, which is not fetched again before it is old."""
    if wanted.kind not in _KINDS or len(wanted.url) > LONGEST_URL:
        return
    values = {**_values(wanted, fetched), "state": "settled", "outcome": "stored", "fetched": fetched}
    connection.execute(delete(requisites).where(requisites.c.url == wanted.url))
    connection.execute(insert(requisites).values(values))


def pending_requisites(
    connection: Connection,
    now: datetime | None,
    kinds: Sequence[str],
    *,
    limit: int,
    per_host: int,
    busy: Collection[int],
    without: Collection[str] = (),
) -> list[PendingRequisite]:
    """What to fetch, of these kinds, the longest waiting first, no host taking all places.

    Each kind gets half of the places that those before it leave, in all and at a host: a site whose styles
    have another address on every page does not keep out all images. With no `now`, due or not.
    """
    waiting = [_waiting(connection, now, kind, _LOOKED_AT * limit + len(busy), without) for kind in kinds]
    found: dict[int, PendingRequisite] = {}
    places = Counter(one.host for rows in waiting for one in rows if one.id in busy)
    for part in (2, 1):
        for rows in waiting:
            most, before = _share_of(limit, len(found), part), places.copy()
            for one in rows:
                is_free = places[one.host] < _share_of(per_host, before[one.host], part)
                if is_free and len(found) < most and one.id not in busy and one.id not in found:
                    found[one.id] = one
                    places[one.host] += 1
    return list(found.values())


def _share_of(places: int, taken: int, part: int) -> int:
    """How many may be taken where those that are left are for so many, rounded up."""
    return taken + -((taken - places) // part)


def _waiting(
    connection: Connection, now: datetime | None, kind: str, limit: int, without: Collection[str]
) -> list[PendingRequisite]:
    query = _PENDING.where(requisites.c.kind == kind, none_of(connection, requisites.c.host, without))
    if now is not None:
        query = query.where(requisites.c.next_try <= now)
    rows = connection.execute(query.limit(limit))
    return [PendingRequisite(**row._mapping) for row in rows]  # noqa: SLF001 - public API in spite of its name


_PENDING = (
    select(
        requisites.c.id,
        requisites.c.url,
        requisites.c.host,
        requisites.c.kind,
        requisites.c.via,
        requisites.c.depth,
    )
    .where(requisites.c.state == "pending")
    .order_by(requisites.c.next_try, requisites.c.id)
)


def count_due_requisites(connection: Connection, now: datetime, kinds: Sequence[str]) -> int:
    """How many of these kinds could be fetched now."""
    due = (requisites.c.state == "pending") & (requisites.c.next_try <= now) & requisites.c.kind.in_(kinds)
    return connection.execute(select(func.count()).select_from(requisites).where(due)).scalar_one()


def requisite_tries(connection: Connection, requisite_id: int) -> int:
    query = select(requisites.c.tries).where(requisites.c.id == requisite_id)
    return int(connection.execute(query).scalar_one())


def try_requisite_again(connection: Connection, requisite_id: int, wait: timedelta, now: datetime) -> None:
    count_requisite(connection, requisite_id, 0, now, pages=0)
    connection.execute(
        update(requisites)
        .where(requisites.c.id == requisite_id)
        .values(tries=requisites.c.tries + 1, next_try=now + wait)
    )


def count_requisite(
    connection: Connection, requisite_id: int, size: int, now: datetime, *, pages: int = 1
) -> None:
    """For its host, as channels share what their pages need; and for the share of all requests."""
    query = select(requisites.c.host, requisites.c.kind).where(requisites.c.id == requisite_id)
    row = connection.execute(query).one()
    use = Use(host=row.host, pages=pages, size=size, is_requisite=row.kind != HOME)
    count(connection, [use], now)


def settle_requisite(
    connection: Connection,
    requisite_id: int,
    outcome: str,
    named: Sequence[WantedRequisite] = (),
    *,
    now: datetime,
    max_age: timedelta,
    most_alike: int | None = None,
    size: int = 0,
) -> int:
    """Note how a requisite ended, and ask for what it names itself; how many that were."""
    connection.execute(
        update(requisites)
        .where(requisites.c.id == requisite_id)
        .values(state="settled", outcome=outcome, fetched=now)
    )
    count_requisite(connection, requisite_id, size, now)
    return want(connection, named, now=now, max_age=max_age, most_alike=most_alike)
