"""A package from outside adds a task: deadline, replacement of the worker and blame are as with ours."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from archiver.errors import ExtractionError, WorkersBroken
from archiver.running.workers import DocumentTask
from archiver.running.workers.messages import Order, order_of, task_of
from tests.workers.pooling import feed_task, pid_of, running, title_of

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.running.workers.pool import WorkerPool

PACKAGE = '''
"""Words counted in a document of the archive."""

import os
import time

import msgspec

from archiver.running.workers import DocumentTask


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    words: int = 0
    worker: int = 0
    problem: str = ""


class CountWords(DocumentTask[Counted], frozen=True, kw_only=True):
    least: int = 1

    def perform(self):
        words = [word for word in self.stored().content.split() if len(word) >= self.least]
        while b"endless" in words:
            pass
        if b"riddle" in words:
            raise LookupError("a riddle")
        return Counted(words=len(words), worker=os.getpid())
'''


@pytest.fixture
def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package; workers find it where the crawl does."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "counting.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path / "package")
    monkeypatch.delitem(sys.modules, "counting", raising=False)
    return import_module("counting")


def count(counting: Any, folder: Path, body: bytes, **other: int) -> Any:
    feed = feed_task(folder, body=body)
    return counting.CountWords(url=feed.url, folder=feed.folder, file=feed.file, offset=feed.offset, **other)


def test_it_is_done_in_a_worker_beside_our_own(tmp_path: Path, counting: Any) -> None:
    async def work(pool: WorkerPool) -> None:
        found = await pool.run(count(counting, tmp_path, b"two long words here", least=4))
        assert found == counting.Counted(words=3, worker=pid_of(pool))
        assert title_of(await pool.run(feed_task(tmp_path))) == "Feed"

    running(work)


def test_one_that_takes_too_long_ends_its_worker_and_the_next_has_another(
    tmp_path: Path, counting: Any
) -> None:
    async def work(pool: WorkerPool) -> None:
        first = await pool.run(count(counting, tmp_path, b"words"))
        with pytest.raises(ExtractionError, match="took longer than 1 s"):
            await pool.run(count(counting, tmp_path, b"endless words"))
        second = await pool.run(count(counting, tmp_path, b"words"))
        assert second.words == 1
        assert second.worker != first.worker

    running(work, seconds=1)


@pytest.mark.zoo
def test_its_time_does_not_count_before_its_module_is_imported(tmp_path: Path, counting: Any) -> None:
    slow = f"import time\ntime.sleep(2.5)\n{PACKAGE}"
    (tmp_path / "package" / "counting.py").write_text(slow)

    async def work(pool: WorkerPool) -> None:
        assert (await pool.run(count(counting, tmp_path, b"words"))).words == 1

    running(work, seconds=2)


def test_what_it_raises_is_the_fault_of_its_document(tmp_path: Path, counting: Any) -> None:
    async def work(pool: WorkerPool) -> None:
        task = count(counting, tmp_path, b"a riddle")
        with pytest.raises(ExtractionError, match="LookupError: a riddle") as raised:
            await pool.run(task)
        assert task.unread(str(raised.value)) == counting.Counted(problem="LookupError: a riddle")
        assert (await pool.run(count(counting, tmp_path, b"words"))).words == 1

    running(work)


def test_a_module_that_workers_cannot_import_is_not_the_documents_fault(
    tmp_path: Path, counting: Any
) -> None:
    (tmp_path / "package" / "counting.py").write_text("raise LookupError('half installed')")

    async def work(pool: WorkerPool) -> None:
        with pytest.raises(WorkersBroken, match="No worker can import counting: LookupError: half installed"):
            await pool.run(count(counting, tmp_path, b"words"))
        assert title_of(await pool.run(feed_task(tmp_path))) == "Feed"

    running(work)


def test_an_order_that_names_something_else_is_refused(tmp_path: Path) -> None:
    order = msgspec.json.decode(order_of(feed_task(tmp_path)), type=Order)
    assert isinstance(task_of(order), DocumentTask)
    for other in ("os:system", "archiver.running.workers.tasks:FeedRead"):
        with pytest.raises(TypeError, match="is not a task"):
            task_of(msgspec.structs.replace(order, task=other))
