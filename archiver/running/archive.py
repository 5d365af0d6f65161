"""An archive, opened for a run: locked and repaired, with everything that a run writes to."""

from __future__ import annotations

import logging
import os
import resource
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from archiver.acquisition.apis import ApiRules
from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.rechecks.watching import NO_RECHECKS, RecheckRules
from archiver.acquisition.requisites import RequisiteRules
from archiver.archive.cdxj.update import update as update_index
from archiver.archive.lock import ArchiveLock, refuse_foreign
from archiver.archive.storage import need_fsspec, stored_digests
from archiver.archive.warc.manifest import REPORT_SUFFIX, complete_manifest, lost_files, manifest_of
from archiver.archive.warc.repair import repair_folder
from archiver.archive.warc.writer import WarcOptions
from archiver.archive.writers import find_writer, host_name
from archiver.articles.contributions.schema import ContributionObjects
from archiver.articles.objects.schema import ArticleKind
from archiver.articles.posts.schema import PostObjects
from archiver.clock import Clock, machine_now
from archiver.errors import ArchiveError, advice_on
from archiver.records.objects.schema import RecordObjects
from archiver.running.clock_words import doubt_in_words, horizons_of, pulled_in_words
from archiver.running.inbox import empty_inbox, restore_requests
from archiver.running.leasing import Heartbeat
from archiver.running.objects import open_objects
from archiver.running.reading.grouping import GroupRules
from archiver.running.reading.shelf import WrapperShelf
from archiver.running.report import RunReport
from archiver.running.storing import store_closed
from archiver.running.workers.pool import WorkerPool
from archiver.running.writing.messages import Begin
from archiver.running.writing.payloads import PayloadNotes
from archiver.running.writing.process import WriterProcess
from archiver.store.clockwork import check_clock, end_run
from archiver.store.content.renderings import release_rendering
from archiver.store.database import Database
from archiver.store.looks.rechecks import reach_scheduled
from archiver.store.lost import refuse_lost_captures, refuse_lost_state
from archiver.store.object_files import lines_settled
from archiver.store.quotas import NO_QUOTAS, Quotas
from archiver.store.withheld import refresh_addresses
from archiver.store.workers import WorkerPlace, hold_pages, stranded, stranded_captures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import Any

    from sqlalchemy import Connection

    from archiver.acquisition.channels.polls import PollRules
    from archiver.archive.inbox import InboxRequest
    from archiver.archive.objects.kinds import ObjectKind
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.rendering.model import RenderRules

logger = logging.getLogger(__name__)

P = ParamSpec("P")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """The archive behind a replay."""

    state_url: str
    objects_folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveConfig:
    """What the operator set, as plain values."""

    folder: Path
    warc_folder: Path
    index_folder: Path
    state_url: str
    polls: PollRules
    pages: PagePolicy = PagePolicy()
    rechecks: RecheckRules = NO_RECHECKS
    requisites: RequisiteRules = RequisiteRules()
    quotas: Quotas = NO_QUOTAS
    clock: Clock = Clock()
    profile: str = "default"
    # The name of this archive folder in the names of its files; None: what it has, or the host's.
    writer: str | None = None
    object_kinds: tuple[ObjectKind[Any], ...] = (
        ArticleKind(),
        ContributionObjects(),
        PostObjects(),
        RecordObjects(),
    )
    # More of the channels than this are not dropped by seeds files unless a person says so.
    drop_share: float = 0.2
    method: str = "article"
    extraction: bool = True
    outlinks: bool = False
    comments: bool = False  # whether what readers write about articles is kept as objects
    search: bool = False  # whether the search index is fed
    # Of one article, at most; 1: further pages are not fetched.
    article_pages: int = 20
    workers: int = 1
    worker_seconds: float = 60.0
    worker_memory_mb: int = 1024
    # Seconds without a sign of life after which other crawl workers on the same store take over.
    worker_timeout: float = 60.0
    warc: WarcOptions = WarcOptions()
    groups: GroupRules = GroupRules()
    # Files and folders that tell of the software behind sites.
    knowledge: tuple[str, ...] = ()
    # Of the files of field wrappers; None: fields are not read.
    field_wrappers: Path | None = None
    # What is done with proved rules for a field that fails: off, propose, auto.
    field_repair: str = "propose"
    # How pages are rendered that are empty without their scripts; None: they are not.
    render: RenderRules | None = None
    site_adapt: bool = True  # whether actions that fail on a site are learned anew
    apis: ApiRules = ApiRules()

    storage_url: str = ""  # where closed WARC files are kept; empty: in the folder
    # What new files and folders do not grant; None: as the system has it.
    umask: int | None = None
    # The archive that is played again, where this run is a replay.
    replayed: Replayed | None = None

    @property
    def objects_folder(self) -> Path:
        return self.folder / "objects"


class Archive:
    """The stores of one run."""

    def __init__(self, config: ArchiveConfig) -> None:
        self.config = config
        self.clock = config.clock
        self.report = RunReport(started=machine_now(), profile=config.profile)
        refuse_foreign(config.folder)
        if config.storage_url:
            need_fsspec(config.storage_url)  # before anything is fetched
        refuse_lost_captures(config.folder)
        if config.umask is not None:
            os.umask(config.umask)  # for this process and those that it starts; what is there stays as it is
        _make_folder(config.folder)
        # First of all: a second run must not mend what the first is writing.
        self._lock = ExitStack()
        lock = self._lock.enter_context(ArchiveLock(config.warc_folder.parent))
        self._writer = find_writer(config.warc_folder.parent, config.writer)
        self.report.writer = self._writer.name
        for repair in repair_folder(config.warc_folder, self._writer):
            self.report.note(
                f"{repair.file}: left open by a crash, {repair.records} records kept,"
                f" {repair.torn_bytes} bytes of a torn one set aside"
            )
        complete_manifest(config.warc_folder, writer=self._writer)
        self._tell_lost(lost_files(config.warc_folder, self._writer, stored_digests(config.warc_folder)))
        complete_manifest(config.folder / "runs", REPORT_SUFFIX, self._writer)
        refuse_lost_state(config.state_url, config.folder)
        self.database = Database(config.state_url)
        self.heartbeat = self._begin_worker()
        self.objects, problems = open_objects(config, self._writer, self.database)
        for problem in problems:
            logger.error(problem)
            self.report.error(problem)
        self._adopt()
        self._run = self._check_clock()
        self._open_inbox()
        self._reach_scheduled()
        if config.render is None:
            self.database.run(release_rendering)
        self._payloads = PayloadNotes(self.database)
        self.writer = WriterProcess(
            Begin(
                folder=str(config.warc_folder),
                options=replace(config.warc, writer=self._writer.name),
                state_url=config.state_url,
            ),
            on_new_payloads=self._payloads.add,
            lock=lock.fileno(),
        )
        self.wrappers = WrapperShelf(
            config.field_wrappers, self.database, self.report, is_replay=config.replayed is not None
        )
        self.workers = WorkerPool(
            config.workers, seconds=config.worker_seconds, memory_mb=config.worker_memory_mb
        )

    def _begin_worker(self) -> Heartbeat | None:
        """Where several workers can share the store, be one of them."""
        config = self.config
        if not self.database.is_shared or config.replayed is not None:
            return None
        place = WorkerPlace(
            name=self._writer.name,
            host=host_name(),
            process=os.getpid(),
            folder=str(config.folder.resolve()),
            patience=config.worker_timeout,
        )
        return Heartbeat(config.state_url, self.database, place)

    def _adopt(self) -> None:
        """Read what workers captured that are not alive, where their files are in this folder, too."""
        if self.heartbeat is None:
            return
        found = self.database.run(stranded_captures)
        here = {one.file for one in found.values() if (self.config.warc_folder / one.file).exists()}
        self.database.run(hold_pages, [page for page, one in found.items() if one.file in here])

    def _tell_workers(self, heartbeat: Heartbeat) -> None:
        """Say which workers were found dead, and which captured pages no worker is there for."""
        for name in heartbeat.ended:
            self.report.note(
                f"The worker {name} gave no sign of life: what it had under way passed on to others. Start it"
                " again in its archive folder, which reads the pages that it had captured"
            )
        for name, pages in self.database.run(stranded).items():
            whose = f"by the worker {name}, which is not at work" if name else "by a worker that is not known"
            self.report.note(
                f"{pages} pages were captured {whose}, and are not read: a run in its archive folder reads"
                " them, or one in a folder that has its WARC files"
            )

    def _tell_lost(self, names: Sequence[str]) -> None:
        """Say which files are missing: each run does, until they are back."""
        if names:
            count = "is" if len(names) == 1 else f"and {len(names) - 1} more WARC files are"
            manifest = manifest_of(self.config.warc_folder, names[0]).name
            told = (
                f"{self.config.warc_folder / names[0]} {count} missing or empty: restore from a backup what"
                f" {manifest} names, or take out its line. `scrapy verify` tells which objects depend on it"
            )
            logger.error(told)
            self.report.error(told)

    def _check_clock(self) -> int:
        """Tell where a clock was ahead, and have what that put off be due; the number of this run."""
        run, doubted, pulled = self.database.run(
            check_clock,
            horizons_of(self.config),
            now=self.clock.now(),
            moment=self.report.started,
        )
        for told in (*map(doubt_in_words, doubted), *pulled_in_words(pulled)):
            logger.warning(told)
            self.report.note(told)
        return run

    def _open_inbox(self) -> None:
        """Take up what readers left before this run."""
        restore_requests(self.database, self.config.folder, machine_now())
        self.taken_up = self.empty_inbox()

    def empty_inbox(self) -> list[InboxRequest]:
        """Take up what readers have left meanwhile, such as an order to withhold a page."""
        done: list[InboxRequest] = []
        for problem in empty_inbox(self.database, self.config.folder, machine_now(), done.extend):
            logger.error(problem)
            self.report.error(problem)
        return done

    def _reach_scheduled(self) -> None:
        """A RECHECK_INTERVAL that was changed holds from now on."""
        if not self.config.rechecks.share or self.config.replayed is not None:
            return
        found = self.database.run(reach_scheduled, self.config.rechecks.policy, self.clock.now())
        if found:
            logger.info("RECHECK_INTERVAL has changed: %d articles are scheduled by it now", found)

    async def write(
        self,
        work: Callable[Concatenate[Connection, ObjectWriter, P], Result],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Result:
        """Call `work(connection, objects, …)` in a transaction: what it stages is on disk before it ends."""

        def settled(connection: Connection) -> Result:
            with lines_settled(connection, self.objects):
                return work(connection, self.objects, *args, **kwargs)

        return await self.database.run_async(settled)

    def close(self) -> None:
        """End the threads and processes. The one that writes WARC was closed before: its file is whole."""
        self.workers.close()
        self._index()
        try:
            self._end_in_store()
        finally:
            self._let_go()

    def _end_in_store(self) -> None:
        store_closed(self.config, self._writer, self.database, self.report)
        self._payloads.flush()
        self.empty_inbox()
        self.database.run(refresh_addresses)
        self.database.later(end_run, self._run, machine_now())
        if self.heartbeat is not None:
            self._tell_workers(self.heartbeat)

    def _let_go(self) -> None:
        """Close everything, also where the store cannot be reached any more."""
        if self.heartbeat is not None:
            self.heartbeat.close()
        self.objects.close()
        self.report.cpu_seconds |= {
            "warc": self.writer.cpu_seconds,
            "store": self.database.cpu_seconds(),
            "workers": _children_cpu_seconds() - self.writer.cpu_seconds,
        }
        self.database.close()
        self.report.warc_files = list(self.writer.files)
        self.report.warc_bytes = self.writer.bytes_written
        self.report.object_files = [*self.objects.files, *self.report.object_files]
        self._lock.close()

    def _index(self) -> None:
        """Index what was written, also by a run that did not live to do it."""
        before = time.thread_time()
        folders = self.config.warc_folder, self.config.index_folder
        for problem in update_index(*folders, self._writer).problems:
            logger.error(problem)
            self.report.error(problem)
        self.report.cpu_seconds["index"] = time.thread_time() - before


def _children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(
            f"ARCHIVE_DIR={folder} cannot be made: {error.strerror}{advice_on(error)}"
        ) from error
