"""Faults of the machine: a document is blamed only by a worker that can read other documents."""

from __future__ import annotations

import mmap
import os
import resource
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.documents.pages.model import Announcement
from archiver.errors import ExtractionError, ReadingFault, RecordError, WorkersBroken
from archiver.running.workers import child
from archiver.running.workers.child import _may_have_its_memory
from archiver.running.workers.messages import Order, Trouble, order_of
from archiver.running.workers.page_tasks import PageToRead, ReadPages
from archiver.running.workers.tasks import ProveYourself
from tests.workers.pooling import feed_task, running, title_of

if TYPE_CHECKING:
    from archiver.running.workers.pool import WorkerPool

HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
WORDS = "Several words that make an article of a page, and that its feed announced before. " * 8


def page_task(folder: Path) -> ReadPages:
    page = feed_task(folder, head=HTML, body=f"<html><body><article><p>{WORDS}</article>".encode())
    said = Announcement(title="Title", summary=WORDS[:80])
    wanted = PageToRead(id="<a>", url=page.url, file=page.file, offset=page.offset, announcement=said)
    return ReadPages(folder=page.folder, method="article", pages=(wanted,))


@pytest.fixture
def in_front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules stand in front of the real ones, in the workers."""
    folder = tmp_path / "in-front"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


@pytest.mark.parametrize(
    ("package", "code", "told"),
    [
        # What trafilatura needs and a package index may leave out.
        ("lxml_html_clean", "raise ImportError", "ImportError: lxml.html.clean"),
        pytest.param(
            "trafilatura", "raise MemoryError('no room')", "MemoryError: no room", marks=pytest.mark.zoo
        ),
        pytest.param("trafilatura", "import os; os.abort()", "SIGABRT", marks=pytest.mark.zoo),
        # Not what a machine lacks, but what breaks every document alike.
        pytest.param(
            "trafilatura", "raise LookupError('broken')", "LookupError: broken", marks=pytest.mark.zoo
        ),
    ],
)
def test_a_machine_that_reads_nothing_is_not_the_documents_fault(
    tmp_path: Path, in_front: Path, package: str, code: str, told: str
) -> None:
    (in_front / f"{package}.py").write_text(code)

    async def work(pool: WorkerPool) -> None:
        with pytest.raises(WorkersBroken, match=f"No document can be read here: .*{told}.*nothing is lost"):
            await pool.run(page_task(tmp_path))

    running(work)


def test_a_worker_that_dies_of_its_imports_says_which(tmp_path: Path, in_front: Path) -> None:
    (in_front / "feedparser.py").write_text("raise ImportError('feedparser is broken')")

    async def work(pool: WorkerPool) -> None:
        with pytest.raises(WorkersBroken, match=r"started: ImportError: feedparser is broken\. Install"):
            await pool.run(feed_task(tmp_path))

    running(work)


@pytest.mark.zoo
def test_a_package_that_fails_once_costs_nothing(tmp_path: Path, in_front: Path) -> None:
    (in_front / "trafilatura.py").write_text(
        "import os, pathlib, sys\n"
        "mark = pathlib.Path(__file__).with_name('mark')\n"
        "if not mark.exists():\n"
        "    mark.touch()\n"
        "    raise OSError(24, 'Too many open files')\n"
        "sys.path.remove(os.path.dirname(__file__))\n"
        "del sys.modules['trafilatura']\n"
        "import trafilatura\n"
    )

    async def work(pool: WorkerPool) -> None:
        (read,) = (await pool.run(page_task(tmp_path))).pages
        assert read.article is not None

    running(work)
    assert (in_front / "mark").exists()


def test_a_record_that_may_not_be_opened_is_not_the_documents_fault(tmp_path: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        feed = feed_task(tmp_path)
        (tmp_path / "folder.warc.gz").mkdir()
        with pytest.raises(ReadingFault, match="IsADirectoryError"):
            await pool.run(msgspec.structs.replace(feed, file="folder.warc.gz"))
        assert title_of(await pool.run(feed)) == "Feed"

    running(work)


def test_a_document_that_breaks_a_worker_that_can_read_is_at_fault(tmp_path: Path, in_front: Path) -> None:
    (in_front / "sitecustomize.py").write_text(
        "from archiver.documents.feeds import parse\n"
        "real = parse.parse_feed\n"
        "def parse_feed(body, **options):\n"
        "    if b'Deadly' in body:\n"
        "        raise LookupError('deadly')\n"
        "    return real(body, **options)\n"
        "parse.parse_feed = parse_feed\n"
    )

    async def work(pool: WorkerPool) -> None:
        for _ in range(2):
            with pytest.raises(ExtractionError, match="LookupError: deadly"):
                await pool.run(feed_task(tmp_path, "Deadly"))
        assert title_of(await pool.run(feed_task(tmp_path))) == "Feed"

    running(work)


@pytest.mark.parametrize(
    ("error", "may_have_memory", "trouble"),
    [
        (ImportError("no such module"), True, Trouble.MACHINE),
        (OSError(24, "Too many open files"), True, Trouble.MACHINE),
        (MemoryError(), False, Trouble.MACHINE),
        (MemoryError(), True, Trouble.MEMORY),
        (RecordError("no record"), True, Trouble.RECORD),
        (LookupError("odd"), True, Trouble.ERROR),
    ],
    ids=repr,
)
def test_what_a_machine_lacks_is_told_from_what_a_document_does(
    monkeypatch: pytest.MonkeyPatch, error: Exception, trouble: Trouble, *, may_have_memory: bool
) -> None:
    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr(ProveYourself, "perform", fail)
    monkeypatch.setattr(child, "_may_have_its_memory", lambda: may_have_memory)
    order = msgspec.json.decode(order_of(ProveYourself(method=None)), type=Order)
    assert child._reply(order).trouble is trouble


def test_memory_that_the_machine_does_not_give_is_told_from_a_limit_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
    monkeypatch.setattr(resource, "getrlimit", lambda _: (used + (1 << 30), used + (1 << 30)))
    assert _may_have_its_memory()
    # More than any machine has: as one that has none left, it refuses although the limit is far away.
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1 << 60, 1 << 60))
    assert not _may_have_its_memory()


def test_descriptors_beyond_a_thousand_are_no_hindrance(tmp_path: Path) -> None:
    """A crawl has many connections: select() would know none of the later ones."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("so many files may not be opened here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]

    async def work(pool: WorkerPool) -> None:
        assert title_of(await pool.run(feed_task(tmp_path))) == "Feed"

    try:
        running(work)
    finally:
        for one in opened:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
