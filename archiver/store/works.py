"""Works that one worker does alone: the crawl of a site, a campaign, the questions to a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.errors import ArchiveError
from archiver.store.workers import timed, worker_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


def take_works(connection: Connection, works: Sequence[str]) -> dict[str, str]:
    """Have these for the worker of this connection until it ends; those that others have, and who these are.

    Where a run has the store for itself there are no others.
    """
    worker = worker_of(connection)
    if worker is None or not works:
        return {}
    values = {"id": worker.id, "works": sorted(set(works))}
    taken = set(connection.execute(_TAKE, values).scalars())
    rows = connection.execute(_HOLDERS, values)
    return {
        row.work: f"{row.name} on {row.host} (process {row.process})" for row in rows if row.work not in taken
    }


_TAKE = timed(
    """INSERT INTO worker_works (work, worker_id)
    SELECT work, :id FROM unnest(CAST(:works AS text[])) AS wanted (work)
    ON CONFLICT (work) DO UPDATE SET worker_id = excluded.worker_id
    WHERE worker_works.worker_id = :id
        OR worker_works.worker_id NOT IN (SELECT id FROM workers WHERE IS_ALIVE)
    RETURNING work"""
)
_HOLDERS = timed(
    """SELECT work, name, host, process FROM worker_works JOIN workers ON workers.id = worker_works.worker_id
    WHERE work = ANY(CAST(:works AS text[])) AND worker_id <> :id"""
)


def need_works(connection: Connection, works: Sequence[str]) -> None:
    """The same; ArchiveError where another worker has one of them."""
    for work, holder in sorted(take_works(connection, works).items()):
        raise ArchiveError(
            f"The {work} is under way already, in the worker {holder}: one worker at a time does it. Let that"
            " one end, or stop it there, and run again"
        )
