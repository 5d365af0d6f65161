"""The inbox of an archive, emptied by what may write: a run between two transactions, or a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.inbox import set_aside, set_down, taken, waiting
from archiver.store.inbox import KINDS, take_up
from archiver.store.withheld import refresh_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.inbox import InboxRequest
    from archiver.store.database import Database


def empty_inbox(
    database: Database,
    archive: Path,
    now: datetime,
    taken_up: Callable[[Sequence[InboxRequest]], None] = lambda _: None,
) -> list[str]:
    """Take up what waits; what an operator must know of it. The archive's lock is held by the caller.

    Done and noted in one transaction; the files go afterwards: a crash in between has nothing done twice.
    `taken_up` is called with what is part of the state store then.
    """
    left = waiting(archive)
    if not left.requests and not left.unreadable:
        return []
    found = database.run(take_up, left.requests, now)
    set_down(archive, found.done)
    taken_up(found.done)
    refused = {f"{request.id}.json": why for request, why in found.refused}
    refused |= dict.fromkeys(left.unreadable, "it is not a request")
    set_aside(archive, refused)
    return [f"{archive / 'inbox' / name} is set aside: {why}" for name, why in refused.items()]


def restore_requests(database: Database, archive: Path, now: datetime) -> None:
    """Do again what a state store that is new, or from a backup, does not know; then see what that means."""
    for name, kind in KINDS.items():
        if kind.is_lasting and (requests := taken(archive, name)):
            database.run(take_up, requests, now)
    database.run(refresh_addresses)
