"""Crawl workers that share a store: who is alive, who is not any more, and whose pages are whose.

Only PostgreSQL has several. Which worker a connection is of is kept with the connection; without one, as on
SQLite, everything is of the one run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import exists, select, text, true

from archiver.batches import batches
from archiver.errors import ArchiveError
from archiver.store.schema import page_holders, pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection, TextClause

    from archiver.archive.warc.records import Capture

# On a connection: the worker that it is of.
_WORKER = "crawl worker"
# Words of statements. By the server's clock, as the tables have times: those of workers need not agree.
_WORDS = {
    "STRANDED": """FROM pages LEFT JOIN page_holders ON page_holders.page_id = pages.id
        WHERE pages.state IN ('captured', 'rendering')
            AND (writer IS NULL OR writer NOT IN (SELECT name FROM workers WHERE IS_ALIVE))""",
    "IS_ALIVE": "ended IS NULL AND beat >= MOMENT - (patience * 1000000)::bigint",
    "MOMENT": "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
}
# Seconds for which domains of a worker that was started anew stay at rest: its last request may be of now.
_REST = 5


def timed(statement: str) -> TextClause:
    """A statement of PostgreSQL, in which a few words stand for longer ones."""
    for word, meaning in _WORDS.items():
        statement = statement.replace(word, meaning)
    return text(statement)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlWorker:
    """A worker as the store knows it."""

    id: int
    name: str  # of its files
    started: int  # a worker of the same name that began later has taken its place


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPlace:
    """Where a worker runs."""

    name: str
    host: str
    process: int
    folder: str
    patience: float  # seconds without a sign of life after which others take over
    watches: bool = False


def worker_of(connection: Connection) -> CrawlWorker | None:
    """The worker whose connection this is; None where a run has the store for itself."""
    found: CrawlWorker | None = connection.info.get(_WORKER)
    return found


def begin_worker(connection: Connection, place: WorkerPlace) -> CrawlWorker:
    """Note a worker, in the place of one of the same folder that was killed."""
    known = connection.execute(_SAME_NAME, {"name": place.name}).first()
    if known is not None and known.is_alive and (known.host, known.folder) != (place.host, place.folder):
        raise ArchiveError(
            f"A worker {place.name} is alive on {known.host}, in {known.folder}: set WRITER to another name"
            " for this folder"
        )
    if known is not None:
        _take_from(connection, known.id, known.backend, rest=_REST)
    values = {
        "name": place.name,
        "host": place.host,
        "process": place.process,
        "folder": place.folder,
        "patience": place.patience,
        "watches": place.watches,
    }
    row = connection.execute(_BEGIN, values).one()
    worker = CrawlWorker(id=row.id, name=place.name, started=row.started)
    connection.info[_WORKER] = worker
    return worker


_SAME_NAME = timed(
    "SELECT id, host, folder, backend, IS_ALIVE AS is_alive FROM workers WHERE name = :name FOR UPDATE"
)
_BEGIN = timed(
    """INSERT INTO workers (name, host, process, folder, started, beat, patience, watches, backend)
    VALUES (:name, :host, :process, :folder, MOMENT, MOMENT, :patience, :watches, pg_backend_pid())
    ON CONFLICT (name) DO UPDATE SET host = excluded.host, process = excluded.process,
        folder = excluded.folder, started = excluded.started, beat = excluded.beat,
        patience = excluded.patience, watches = excluded.watches, backend = excluded.backend,
        ended = NULL, "end" = NULL
    RETURNING id, started"""
)


def beat(connection: Connection, worker: CrawlWorker, *, watches: bool) -> bool:
    """Give a sign of life; False where others have taken this worker for dead, or another has its place."""
    values = {"id": worker.id, "started": worker.started, "watches": watches}
    return connection.execute(_BEAT, values).rowcount > 0


_BEAT = timed(
    """UPDATE workers SET beat = MOMENT, watches = :watches
    WHERE id = :id AND started = :started AND ended IS NULL"""
)


def end_silent(connection: Connection, worker: CrawlWorker) -> list[str]:
    """Have what workers held that are silent pass on; their names.

    Their connections are ended first: none of them can store anything any more, should it only have slept.
    """
    found = connection.execute(_SILENT, {"id": worker.id}).all()
    for row in found:
        _take_from(connection, row.id, row.backend)
        connection.execute(_END, {"id": row.id, "started": row.started, "end": "silent"})
    return [row.name for row in found]


_SILENT = timed(
    """SELECT id, name, started, backend FROM workers
    WHERE ended IS NULL AND id <> :id AND beat < MOMENT - (patience * 1000000)::bigint
    FOR UPDATE SKIP LOCKED"""
)
_END = timed('UPDATE workers SET ended = MOMENT, "end" = :end WHERE id = :id AND started = :started')


def _take_from(connection: Connection, worker_id: int, backend: int, *, rest: int = 0) -> None:
    connection.execute(_CUT_OFF, {"backend": backend})
    _let_go(connection, worker_id, rest=rest)


def _let_go(connection: Connection, worker_id: int, *, rest: int) -> None:
    connection.execute(_FREE, {"id": worker_id, "rest": rest})
    connection.execute(_LEAVE_WORKS, {"id": worker_id})


# The number of a process may be that of another program by now: only connections of workers are ended.
_CUT_OFF = timed(
    """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE pid = :backend AND pid <> pg_backend_pid() AND application_name = 'archiver'
        AND datname = current_database() AND usename = current_user"""
)
_FREE = timed(
    """UPDATE leases SET held = false, worker_id = NULL, turn = nextval('lease_turns'),
        free_at = MOMENT + :rest * 1000000 WHERE worker_id = :id AND held"""
)
_LEAVE_WORKS = timed("DELETE FROM worker_works WHERE worker_id = :id")


def end_worker(connection: Connection, worker: CrawlWorker) -> None:
    """Note that a worker has ended in order; whatever it held was given back before."""
    _let_go(connection, worker.id, rest=0)
    connection.execute(_END, {"id": worker.id, "started": worker.started, "end": "finished"})


def others_are_at_work(connection: Connection, worker: CrawlWorker, wanted: Sequence[str]) -> bool:
    """Whether a worker that ends by itself, or did not live to end, holds something: more may come of it.

    So it is where one of the `wanted` domains is free now, or in a moment: it is to be looked at again.
    """
    return connection.execute(_AT_WORK, {"id": worker.id, "wanted": list(wanted)}).first() is not None


_AT_WORK = timed(
    """SELECT 1 FROM leases JOIN workers ON workers.id = leases.worker_id
    WHERE leases.held AND workers.id <> :id AND NOT workers.watches
    UNION ALL SELECT 1 FROM unnest(CAST(:wanted AS text[])) AS wanted (domain)
        LEFT JOIN leases ON leases.domain = wanted.domain
        WHERE leases.domain IS NULL OR (NOT held AND free_at <= MOMENT + 60000000)
    LIMIT 1"""
)


# ── Pages that are in the files of a worker ──────────────────────────────────────────────────────────────


def is_in_own_files(connection: Connection) -> ColumnElement[bool]:
    """Of captured pages, those that the worker of this connection can read."""
    worker = worker_of(connection)
    if worker is None:
        return true()
    return exists().where(page_holders.c.page_id == pages.c.id, page_holders.c.writer == worker.name)


def hold_pages(connection: Connection, page_ids: Sequence[int]) -> None:
    """Note that the worker of this connection has captured these pages."""
    worker = worker_of(connection)
    if worker is not None and page_ids:
        connection.execute(_HOLD, {"pages": sorted(page_ids), "writer": worker.name})


_HOLD = timed(
    """INSERT INTO page_holders (page_id, writer)
    SELECT page, :writer FROM unnest(CAST(:pages AS bigint[])) AS page
    ON CONFLICT (page_id) DO UPDATE SET writer = excluded.writer
    WHERE page_holders.writer <> excluded.writer"""
)


def hold_like(connection: Connection, page_id: int, other_id: int) -> None:
    """Note that a page is in the files of the worker that captured another one."""
    if worker_of(connection) is not None:
        connection.execute(_HOLD_LIKE, {"page": page_id, "other": other_id})


_HOLD_LIKE = timed(
    """INSERT INTO page_holders (page_id, writer)
    SELECT CAST(:page AS bigint), writer FROM page_holders WHERE page_id = :other
    ON CONFLICT (page_id) DO UPDATE SET writer = excluded.writer"""
)


def stranded(connection: Connection) -> dict[str, int]:
    """How many captured pages wait for each worker that is not alive, by its name; "" where none is known."""
    rows = connection.execute(timed("SELECT writer, count(*) AS pages STRANDED GROUP BY writer"))
    return {row.writer or "": row.pages for row in rows}


def stranded_captures(connection: Connection) -> dict[int, Capture]:
    """Where each of these pages is."""
    ids = connection.execute(timed("SELECT pages.id STRANDED")).scalars().all()
    found: dict[int, Capture] = {}
    for some in batches(ids):
        query = select(pages.c.id, pages.c.capture).where(pages.c.id.in_(some))
        found |= {row.id: row.capture for row in connection.execute(query) if row.capture is not None}
    return found
