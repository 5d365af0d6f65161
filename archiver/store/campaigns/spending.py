"""What a campaign had spent when a run began: after a crash, the rest is counted in WARC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.store.schema import campaigns

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedSpending:
    """What was spent before a run that did not end, and when that run began."""

    requests: int
    bytes: int
    began: datetime


def begin_spending(connection: Connection, number: int, moment: datetime) -> None:
    mine = campaigns.c.id == number
    values = {
        "requests_before": campaigns.c.requests,
        "bytes_before": campaigns.c.bytes,
        "run_began": moment,
    }
    connection.execute(update(campaigns).where(mine).values(**values))


def unfinished_spending(connection: Connection, number: int) -> UnfinishedSpending | None:
    row = connection.execute(select(campaigns).where(campaigns.c.id == number)).one()
    if row.run_began is None:
        return None
    return UnfinishedSpending(requests=row.requests_before, bytes=row.bytes_before, began=row.run_began)


def end_spending(connection: Connection, number: int, requests: int, size: int) -> None:
    """The run has ended in order: what it noted is all that it spent."""
    mine = campaigns.c.id == number
    values = {"requests": requests, "bytes": size, "run_began": None}
    connection.execute(update(campaigns).where(mine).values(**values))
