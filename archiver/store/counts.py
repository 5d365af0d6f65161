"""Counts that every poll adds to: each worker has its own rows, and the sums are what counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

from archiver.store.workers import worker_of

if TYPE_CHECKING:
    from sqlalchemy import Connection


def add_counts(connection: Connection, **counts: int) -> bool:
    """Add to this worker's counts; False where a run has the store, and its counts, for itself."""
    worker = worker_of(connection)
    if worker is None:
        return False
    rows = [{"id": worker.id, "name": name, "more": count} for name, count in sorted(counts.items()) if count]
    if rows:
        connection.execute(_ADD, rows)
    return True


_ADD = text(
    """INSERT INTO worker_counts (worker_id, name, count) VALUES (:id, :name, :more)
    ON CONFLICT (worker_id, name) DO UPDATE SET count = worker_counts.count + excluded.count"""
)


def total_counts(connection: Connection, *names: str) -> dict[str, int]:
    """What all workers have counted by these names."""
    found = dict.fromkeys(names, 0)
    if connection.dialect.name == "postgresql":
        rows = connection.execute(_TOTAL, {"names": list(names)})
        found |= {row.name: int(row.total) for row in rows}
    return found


_TOTAL = text(
    """SELECT name, sum(count) AS total FROM worker_counts
    WHERE name = ANY(CAST(:names AS text[])) GROUP BY name"""
)


def clear_counts(connection: Connection, *names: str) -> None:
    """Begin anew with these names: the sums were used."""
    if connection.dialect.name == "postgresql":
        connection.execute(_CLEAR, {"names": list(names)})


_CLEAR = text("DELETE FROM worker_counts WHERE name = ANY(CAST(:names AS text[]))")
