"""The process that writes WARC, in a real crawl: its death and that of its parent, at the worst of times."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import publish, stories
from tests.crawl.running import Archived, crawl, finish, start_crawl
from tests.waiting import wait_until

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    from tests.crawl.documents import Story
    from tests.crawl.site import Answer, Request, Site

pytestmark = pytest.mark.zoo


def writer_of(process: subprocess.Popen[str]) -> int | None:
    """The number of the process that writes WARC for this run."""
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        for pid in (thread / "children").read_text().split():
            if Path(f"/proc/{pid}/comm").read_text().strip() == "writing.child":
                return int(pid)
    return None


class Running:
    """A crawl that is under way, and what happens to it when a page is asked for."""

    def __init__(self, archive: Path, site: Site) -> None:
        self.told: list[Story] = stories(12)
        self.feed = publish(site, self.told)
        self.archive = archive
        self.process: subprocess.Popen[str] | None = None
        self.writer: int | None = None
        self._site = site

    def start(self, when_asked: Callable[[], None]) -> subprocess.Popen[str]:
        """Start it; the fifth page of it is answered after this."""
        path = self.told[4].path
        usual = self._site._scripts[path][0]

        def answer(request: Request) -> Answer:
            assert self.process is not None
            self.writer = writer_of(self.process)
            when_asked()
            return usual(request) if callable(usual) else usual

        self._site.add(path, answer, usual)
        self.process = start_crawl(self.archive, [self.feed])
        return self.process

    def signal_writer(self, number: int) -> None:
        assert self.writer is not None
        os.kill(self.writer, number)

    def complete(self) -> None:
        """The next run has everything, once."""
        run = crawl(self.archive, [self.feed])
        assert run.exit_code == 0
        assert run.pending() == 0
        assert sorted(one["title"] for one in run.objects) == sorted(one.title for one in self.told)
        assert_whole(run)


@pytest.fixture
def running(archive: Path, site: Site) -> Iterator[Running]:
    running = Running(archive, site)
    yield running
    if running.writer is not None:
        with suppress(ProcessLookupError):
            os.kill(running.writer, signal.SIGKILL)


def test_a_writer_that_is_killed_ends_the_run_and_the_next_one_completes_it(running: Running) -> None:
    process = running.start(lambda: running.signal_writer(signal.SIGKILL))
    run = finish(process, running.archive)
    assert run.exit_code == 1
    assert "The process that writes WARC ended (SIGKILL). What it had written is kept" in run.stdout
    assert "Traceback" not in run.stdout + run.stderr
    assert run.report["reason"] == "archive_error"
    assert run.rows("SELECT max(tries) FROM pages")[0][0] == 0
    running.complete()


def test_a_killed_run_whose_writer_is_still_there_keeps_others_away(running: Running) -> None:
    process = running.start(lambda: running.signal_writer(signal.SIGSTOP))
    # It keeps the pipes of the run open: nobody may wait for their end.
    wait_until(lambda: running.writer is not None)
    process.kill()
    process.wait()
    second = crawl(running.archive, [running.feed])
    assert (
        f"Another run (process {process.pid}, killed or not on this machine) has left a process"
        in second.stdout
    )
    assert [path.name for path in (running.archive / "warc").glob("*.open")] != []
    running.signal_writer(signal.SIGCONT)
    running.complete()
    process.communicate()


def test_a_second_signal_ends_the_run_at_once_and_without_a_crash(running: Running) -> None:
    """Python, clearing away the event loop in the midst of its work, crashed half of the time."""

    def twice() -> None:
        assert running.process is not None
        for _ in range(2):
            running.process.send_signal(signal.SIGINT)
            time.sleep(0.5)

    process = running.start(twice)
    _, told = process.communicate()
    assert process.returncode == 1, told
    assert "Stopped by force; the next run goes on where this one was." in told
    running.complete()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_every_process_ends_the_run_in_order(running: Running, number: int) -> None:
    """As a service manager and a terminal send it."""

    def signal_all() -> None:
        running.signal_writer(number)
        assert running.process is not None
        running.process.send_signal(number)

    run = finish(running.start(signal_all), running.archive)
    assert run.exit_code == 0
    assert run.report["reason"] == "shutdown"
    assert_whole(Archived(running.archive))
    running.complete()
