"""Handing out the candidates of a campaign: the best of the best hosts that may be asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select, update

from archiver.acquisition.campaigns.model import PendingCandidate
from archiver.acquisition.campaigns.queue import FIRST, WORST, band_of, rank_of, score_of
from archiver.batches import batches
from archiver.store.campaigns.queue import LEAST_MOVE, evidence_of
from archiver.store.leaving_out import none_of
from archiver.store.schema import candidates, host_yields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.store.campaigns.queue import Score

# Hosts that are looked at for one grant; candidates of each, and of all together where hosts are few.
_MOST_HOSTS = 20
_HEADS, _ALL_HEADS = 4, 32


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRoom:
    """How many candidates may be handed out, and of which hosts."""

    limit: int
    per_host: int
    full: frozenset[str] = frozenset()
    busy: frozenset[int] = frozenset()
    at_host: Mapping[str, int] = field(default_factory=dict)

    def without(self, taken: Iterable[int]) -> QueueRoom:
        return replace(self, busy=self.busy.union(taken))


# Made once: to make a statement takes longer than to look up a host.
_BEST = (
    select(candidates)
    .where(
        candidates.c.campaign_id == bindparam("campaign"),
        candidates.c.state == "waiting",
        candidates.c.host == bindparam("at"),
        candidates.c.next_try <= bindparam("now"),
    )
    .order_by(candidates.c.rank, candidates.c.id)
    .limit(bindparam("most"))
)
_RANK = (
    update(candidates)
    .where(candidates.c.id == bindparam("row"))
    .values(rank=bindparam("to"), band=bindparam("into"))
)
_HEAD = (
    update(host_yields)
    .where(host_yields.c.campaign_id == bindparam("campaign"), host_yields.c.host == bindparam("at"))
    .values(head=bindparam("to"))
)


def grant(
    connection: Connection,
    campaign: Campaign,
    now: datetime,
    room: QueueRoom,
    score: Score,
) -> list[PendingCandidate]:
    """The best candidates of the best hosts that may be asked now."""
    found: list[tuple[int, Row[Any]]] = []
    mine = host_yields.c.campaign_id == campaign.id
    # What a host may give at first can be more than the file allows of any.
    table, most = host_yields.c, campaign.definition.scope.per_host
    open_ = (table.head < WORST) & (table.fetched < table.quota) & (table.fetched < most)
    query = select(table.host, table.head, table.quota, table.fetched).where(
        mine, open_, none_of(connection, table.host, room.full)
    )
    hosts = connection.execute(query.order_by(host_yields.c.head).limit(_MOST_HOSTS)).all()
    busy, by_host = _by_host(connection, room.busy), {}
    for host, head, quota, fetched in hosts:
        heads = max(_HEADS, _ALL_HEADS // len(hosts))
        rows = _best_of(connection, campaign, host, now, busy.get(host, ()), score, heads)
        free = room.per_host - room.at_host.get(host, 0)
        # Those under way count, too, so that the limit of the file is never exceeded.
        left = min(quota - fetched, most - fetched - len(busy.get(host, ())))
        found += rows[: max(0, min(free, left))]
        by_host[host, head] = rows
    _correct_ranks(connection, campaign.id, by_host)
    found.sort(key=lambda one: (one[0], one[1].id))
    return [
        pending_of(row, campaign, "seed" if rank == FIRST else "best") for rank, row in found[: room.limit]
    ]


def _by_host(connection: Connection, numbers: Collection[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for some in batches(list(numbers)):
        query = select(candidates.c.host, candidates.c.id).where(candidates.c.id.in_(some))
        for row in connection.execute(query):
            found.setdefault(row.host, []).append(row.id)
    return found


def _best_of(
    connection: Connection,
    campaign: Campaign,
    host: str,
    now: datetime,
    busy: Collection[int],
    score: Score,
    heads: int,
) -> list[tuple[int, Row[Any]]]:
    """The best of a host, by what is known now."""
    asked = {"campaign": campaign.id, "at": host, "now": now, "most": heads + len(busy)}
    rows = [row for row in connection.execute(_BEST, asked) if row.id not in busy][:heads]
    found = [
        (row.rank if row.rank == FIRST else rank_of(score(evidence_of(row.evidence))), row) for row in rows
    ]
    return sorted(found, key=lambda one: (one[0], one[1].id))


def _correct_ranks(
    connection: Connection,
    campaign_id: int,
    by_host: Mapping[tuple[str, int], Sequence[tuple[int, Row[Any]]]],
) -> None:
    """Keep what was found out, by host and its head; the best of one may have been fetched meanwhile."""
    ranks = [
        {"row": row.id, "to": rank, "into": band_of(score_of(rank))}
        for rows in by_host.values()
        for rank, row in rows
        if abs(rank - row.rank) >= LEAST_MOVE
    ]
    heads = []
    for (host, known), rows in by_host.items():
        head = rows[0][0] if rows else WORST
        if head != known and head > FIRST:
            heads.append({"campaign": campaign_id, "at": host, "to": head})
    if ranks:
        connection.execute(_RANK, ranks)
    if heads:
        connection.execute(_HEAD, heads)


def pending_of(row: Row[Any], campaign: Campaign, chosen_by: str) -> PendingCandidate:
    return PendingCandidate(
        id=row.id,
        url=row.url,
        host=row.host,
        campaign_id=campaign.id,
        campaign=campaign.name,
        chosen_by=chosen_by,
    )


def next_candidate(connection: Connection, campaign_id: int, now: datetime) -> datetime | None:
    """When a candidate may be asked for; of a long queue, one that may be is found without looking at all."""
    waiting = (candidates.c.campaign_id == campaign_id) & (candidates.c.state == "waiting")
    due = select(candidates.c.next_try).where(waiting, candidates.c.next_try <= now).limit(1)
    found: datetime | None = connection.execute(due).scalar()
    if found is not None:
        return found
    return connection.execute(select(func.min(candidates.c.next_try)).where(waiting)).scalar()
