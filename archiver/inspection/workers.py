"""Crawl workers that share a store: who is alive, what each holds, and what waits to be read by each."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, inspect, select

from archiver.store.schema import leases, page_holders, pages, workers

if TYPE_CHECKING:
    from sqlalchemy import Connection


class WorkerNote(msgspec.Struct, frozen=True, kw_only=True):
    """A worker as others see it."""

    name: str
    host: str
    process: int
    folder: str
    state: str  # alive, silent, finished, dead
    started: datetime
    beat: datetime  # its last sign of life
    ended: datetime | None = None
    watches: bool = False
    domains: int = 0  # that it holds
    unread: int = 0  # pages that it captured, and has not read


class WorkerList(msgspec.Struct, frozen=True, kw_only=True):
    """All workers of a store; it is shared where several may work on it at a time."""

    is_shared: bool
    workers: list[WorkerNote] = []


def list_workers(connection: Connection, now: datetime) -> WorkerList:
    """The workers of the store, those that began last first."""
    is_shared = connection.dialect.name == "postgresql"
    if not inspect(connection).has_table("workers"):  # of an older archiver
        return WorkerList(is_shared=is_shared)
    held = select(func.count()).where(leases.c.worker_id == workers.c.id, leases.c.held).scalar_subquery()
    waiting = (
        select(func.count())
        .select_from(page_holders)
        .join(pages, pages.c.id == page_holders.c.page_id)
        .where(page_holders.c.writer == workers.c.name, pages.c.state.in_(("captured", "rendering")))
        .scalar_subquery()
    )
    query = select(workers, held.label("domains"), waiting.label("unread")).order_by(workers.c.started.desc())
    return WorkerList(is_shared=is_shared, workers=[_note(row, now) for row in connection.execute(query)])


def _note(row: object, now: datetime) -> WorkerNote:
    values = row._mapping  # type: ignore[attr-defined] # noqa: SLF001 - public API in spite of its name
    names = ("name", "host", "process", "folder", "started", "beat", "ended", "watches", "domains", "unread")
    silence = (now - values["beat"]).total_seconds()
    state = "silent" if silence > values["patience"] else "alive"
    if values["ended"] is not None:
        state = "finished" if values["end"] == "finished" else "dead"
    return WorkerNote(state=state, **{name: values[name] for name in names})


def held_domains(connection: Connection, name: str) -> list[str]:
    """The registered domains that a worker holds."""
    query = select(leases.c.domain).join(workers, workers.c.id == leases.c.worker_id)
    query = query.where(workers.c.name == name, leases.c.held).order_by(leases.c.domain)
    return list(connection.execute(query).scalars())
