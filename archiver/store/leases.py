"""Leases of registered domains: at any time one worker asks the hosts of a domain.

What is due is looked for first, then the domains of it are leased. Between the two, another worker may have
done it, and given the domain back. So each look has a turn, and so has what is given back: a domain that was
given back after a look began is not leased for what that look has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.store.workers import timed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from archiver.store.workers import CrawlWorker

# Seconds for which rows of domains that are free are kept. A look that takes longer leases nothing.
KEPT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseTurn:
    """When a look for what is due began, and which domains were not to be had then."""

    number: int
    elsewhere: frozenset[str]


def begin_turn(connection: Connection, worker: CrawlWorker) -> LeaseTurn:
    """To be called before what is due is looked for, in a transaction of its own."""
    row = connection.execute(_TURN, {"id": worker.id}).one()
    return LeaseTurn(number=row.number, elsewhere=frozenset(row.elsewhere))


_TURN = timed(
    """SELECT nextval('lease_turns') AS number, ARRAY(
        SELECT domain FROM leases WHERE held AND worker_id <> :id
        UNION ALL SELECT domain FROM leases
        WHERE free_at > MOMENT AND NOT held AND worker_id IS DISTINCT FROM :id
    ) AS elsewhere"""
)


def lease(connection: Connection, worker: CrawlWorker, domains: Sequence[str], turn: int) -> set[str]:
    """Lease those of these domains that are free, for what was looked for in this turn."""
    values = {"id": worker.id, "domains": sorted(domains), "turn": turn}
    return set(connection.execute(_LEASE, values).scalars())


# A domain that another worker is just leasing is passed over, not waited for.
_LEASE = timed(
    """WITH free AS (
        SELECT domain FROM leases
        WHERE domain = ANY(CAST(:domains AS text[])) AND NOT held AND turn < :turn
            AND (free_at <= MOMENT OR worker_id = :id)
        FOR UPDATE SKIP LOCKED
    ), taken AS (
        UPDATE leases SET held = true, worker_id = :id, since = MOMENT FROM free
        WHERE leases.domain = free.domain RETURNING leases.domain
    ), added AS (
        INSERT INTO leases (domain, worker_id, held, since, turn, free_at)
        SELECT domain, :id, true, MOMENT, 0, 0 FROM unnest(CAST(:domains AS text[])) AS new (domain)
        WHERE NOT EXISTS (SELECT 1 FROM leases WHERE leases.domain = new.domain)
        ON CONFLICT (domain) DO NOTHING RETURNING domain
    )
    SELECT domain FROM taken UNION ALL SELECT domain FROM added"""
)


def give_back(connection: Connection, worker: CrawlWorker, delays: Mapping[str, float]) -> None:
    """Let others have these domains, each after so many seconds; everything of them is stored."""
    values = {
        "id": worker.id,
        "domains": list(delays),
        "delays": [round(seconds * 1_000_000) for seconds in delays.values()],
    }
    connection.execute(_GIVE_BACK, values)


_GIVE_BACK = timed(
    """UPDATE leases SET held = false, turn = nextval('lease_turns'), free_at = MOMENT + given.delay
    FROM unnest(CAST(:domains AS text[]), CAST(:delays AS bigint[])) AS given (domain, delay)
    WHERE leases.domain = given.domain AND worker_id = :id AND held"""
)


def forget_free(connection: Connection) -> None:
    """Delete the rows of domains that have been free for long."""
    connection.execute(_FORGET, {"kept": KEPT})


_FORGET = timed(
    """DELETE FROM leases WHERE domain IN (
        SELECT domain FROM leases WHERE NOT held AND free_at < MOMENT - :kept * 1000000 FOR UPDATE SKIP LOCKED
    )"""
)
