"""What a command wants to be written: left in the inbox, and taken up at once unless a run does."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from archiver.archive.lock import ArchiveLock
from archiver.clock import machine_now
from archiver.errors import ArchiveLocked
from archiver.extensions.places import state_url

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.settings import BaseSettings


def take_up(settings: BaseSettings, folder: Path) -> list[str] | None:
    """Make what waits in the inbox part of the state store; problems with it. None: a run is on."""
    from archiver.running.inbox import empty_inbox, restore_requests  # noqa: PLC0415 - no help needs it
    from archiver.store.database import Database  # noqa: PLC0415 - likewise

    try:
        with ArchiveLock(folder), closing(Database(state_url(settings))) as database:
            restore_requests(database, folder, machine_now())
            return empty_inbox(database, folder, machine_now())
    except ArchiveLocked:
        return None
