"""An archive, opened for a run: repaired, locked by whoever runs, with everything that a run writes to."""

from __future__ import annotations

import logging
import resource
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.clock import Clock, machine_now
from archiver.errors import ArchiveError
from archiver.lock import ArchiveLock
from archiver.objects.writer import ObjectWriter
from archiver.pages import PagePolicy
from archiver.report import RunReport
from archiver.store.articles import object_lengths
from archiver.store.channels import list_channels
from archiver.store.database import Database
from archiver.warc.repair import repair_folder
from archiver.warc.thread import WriterThread
from archiver.warc.writer import WarcWriter
from archiver.workers.pool import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from archiver.store.polls import PollRules

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveConfig:
    """What the operator set, as plain values."""

    folder: Path
    state_url: str
    polls: PollRules
    pages: PagePolicy = PagePolicy()
    clock: Clock = Clock()
    profile: str = "default"
    method: str = "sigfeed-guarded"
    workers: int = 1
    worker_seconds: float = 60.0
    worker_memory_mb: int = 1024
    warc_prefix: str = "archiver"
    warc_info: Mapping[str, str] = field(default_factory=dict)
    warc_max_bytes: int = 1 << 30
    warc_level: int = 6
    warc_fsync: bool = True

    @property
    def warc_folder(self) -> Path:
        return self.folder / "warc"

    @property
    def objects_folder(self) -> Path:
        return self.folder / "objects"


class Archive:
    """The stores of one run."""

    def __init__(self, config: ArchiveConfig) -> None:
        self.config = config
        self.clock = config.clock
        self.report = RunReport(started=machine_now(), profile=config.profile)
        _make_folder(config.folder)
        # First of all: whoever comes second must not mend what the first is writing.
        self._lock = ExitStack()
        self._lock.enter_context(ArchiveLock(config.folder))
        for repair in repair_folder(config.warc_folder):
            self.report.note(
                f"{repair.file}: left open by a crash, {repair.records} records kept,"
                f" {repair.torn_bytes} bytes of a torn one set aside"
            )
        self.database = Database(config.state_url)
        self.objects = ObjectWriter(config.objects_folder)
        self._check_state()
        for problem in self.objects.recover(self.database.run(object_lengths)):
            logger.error(problem)
            self.report.error(problem)
        self.writer = WriterThread(_warc_writer(config))
        self.workers = WorkerPool(
            config.workers, seconds=config.worker_seconds, memory_mb=config.worker_memory_mb
        )

    def _check_state(self) -> None:
        """Objects without any state behind them: they belong to another store, and would all be cut."""
        if self.objects.has_lines() and not self.database.run(list_channels):
            raise ArchiveError(
                f"{self.config.objects_folder} has objects, but the state store is empty:"
                " check ARCHIVE_DIR and STATE_URL, or bring the store back from a backup."
            )

    def close(self) -> None:
        """Give the WARC its final name and end the threads and processes."""
        self.workers.close()
        self.writer.close()
        self.objects.close()
        self.report.cpu_seconds |= {
            "warc": self.writer.cpu_seconds,
            "store": self.database.cpu_seconds(),
            "workers": _children_cpu_seconds(),
        }
        self.database.close()
        self.report.warc_files = list(self.writer.writer.files)
        self.report.warc_bytes = self.writer.writer.bytes_written
        self.report.object_files = list(self.objects.files)
        self._lock.close()


def _children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"ARCHIVE_DIR={folder} cannot be made: {error.strerror}") from error


def _warc_writer(config: ArchiveConfig) -> WarcWriter:
    return WarcWriter(
        config.warc_folder,
        prefix=config.warc_prefix,
        info=config.warc_info,
        max_bytes=config.warc_max_bytes,
        level=config.warc_level,
        fsync=config.warc_fsync,
    )
