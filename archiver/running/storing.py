"""The end of a run: closed WARC files go to the storage, where there is one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.archive.storage import move_closed
from archiver.archive.writers import is_imported

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.archive.writers import Writer
    from archiver.running.archive import ArchiveConfig
    from archiver.running.report import RunReport

logger = logging.getLogger(__name__)


def store_closed(config: ArchiveConfig, writer: Writer, report: RunReport) -> None:
    """Move what is closed to the storage; what could not be moved stays, and is told."""
    if not config.storage_url or config.replayed is not None:
        return
    moved = move_closed(config.warc_folder, config.storage_url, is_mine(writer))
    for problem in (one.problem for one in moved if one.problem):
        logger.error(problem)
        report.error(problem)


def is_mine(writer: Writer) -> Callable[[str], bool]:
    """Which files a folder moves to its storage: its own, and those that were imported into it."""
    return lambda name: writer.owns(name) or is_imported(name)
