"""Hosts that ask for long delays: when each was asked last, so that the next run leaves it in peace too."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from archiver.acquisition.hosts import Rest
from archiver.store.batches import batches
from archiver.store.schema import host_rests

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

# More are forgotten, those first that were asked longest ago.
_MOST_HOSTS = 10_000


def note_rest(connection: Connection, host: str, delay: float, moment: datetime) -> None:
    """A host has just answered, and wants so many seconds until it is asked again."""
    connection.execute(delete(host_rests).where(host_rests.c.host == host))
    connection.execute(insert(host_rests).values(host=host, asked=moment, delay=delay))


def resting_hosts(connection: Connection, moment: datetime) -> dict[str, Rest]:
    """The hosts that are not to be asked yet; the others are forgotten."""
    rows = connection.execute(select(host_rests).order_by(host_rests.c.asked.desc())).all()
    rests = {row.host: Rest(delay=row.delay, left=_left(row.asked, row.delay, moment)) for row in rows}
    found = {host: rest for host, rest in list(rests.items())[:_MOST_HOSTS] if rest.left > 0}
    for some in batches([host for host in rests if host not in found]):
        connection.execute(delete(host_rests).where(host_rests.c.host.in_(some)))
    return found


def _left(asked: datetime, delay: float, moment: datetime) -> float:
    """Seconds until it may be asked: never more than it wants, also where a clock was ahead."""
    return min(delay, (asked + timedelta(seconds=delay) - moment).total_seconds())
