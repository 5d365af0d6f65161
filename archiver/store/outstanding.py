"""What is still to be done: pages to fetch and to read, channels to poll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.store.content.pages import count_captured
from archiver.store.content.renderings import count_to_render
from archiver.store.polling.due import count_due, count_failing, next_due
from archiver.store.schema import pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Outstanding:
    pages: int = 0  # to fetch now
    retries: int = 0  # to fetch later: they failed before
    unread: int = 0  # in WARC, not read yet
    channels: int = 0  # to poll now
    next_poll: datetime | None = None
    failing: int = 0  # of the channels that this run polled


def outstanding(
    connection: Connection,
    now: datetime,
    sources: Sequence[str] | None,
    *,
    began: datetime | None = None,
    polls_again: bool = True,
) -> Outstanding:
    """What there is to do at a time, for the channels of some seeds files; all pages count.

    With `began`, what fails since then is counted too; unless the run `polls_again`, what was polled since
    then is not polled again, however soon it is due.
    """
    not_since = None if polls_again else began
    pending = select(func.count()).where(pages.c.state == "pending")
    return Outstanding(
        pages=connection.execute(pending.where(pages.c.next_try <= now)).scalar_one(),
        retries=connection.execute(pending.where(pages.c.next_try > now)).scalar_one(),
        unread=count_captured(connection) + count_to_render(connection),
        channels=count_due(connection, now, sources, not_since=not_since),
        next_poll=next_due(connection, sources),
        failing=count_failing(connection, began) if began else 0,
    )
