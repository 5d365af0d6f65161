"""Memory: however much is coming in at once, the crawl and the process that writes WARC stay small."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.running import finish, read_records, start_crawl
from tests.crawl.test_writer_process import writer_of
from tests.zoo.bodies import MB, PIECE, HoldsLargeBody, LargeBody

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawl.running import CrawlRun, Record
    from tests.zoo.base import HostileSite

HOSTS = 64
MOST = 600 * MB
SECONDS = 200


class Watch:
    """Looks at the crawl and at the process that writes WARC while they run."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.peak = 0
        self._process = process
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while self._process.returncode is None:
            with contextlib.suppress(OSError):
                writer = writer_of(self._process)
                self.peak = max(self.peak, resident(self._process.pid) + (resident(writer) if writer else 0))
            time.sleep(0.05)

    def end(self) -> int:
        self._thread.join()
        return self.peak


def resident(pid: int) -> int:
    """What a process has in memory, in bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss:"))


def watched(archive: Path, sites: list[HostileSite], **settings: object) -> tuple[CrawlRun, int]:
    process = start_crawl(archive, [site.url("/feed.xml") for site in sites], FAILING_SHARE=1, **settings)
    watch = Watch(process)
    # Half a gigabyte has to be compressed: that takes longer than any other crawl of the tests.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(SECONDS)
    run = finish(process, archive)
    return run, watch.end()


def feeds(run: CrawlRun) -> Iterator[Record]:
    """One after the other: all of them would fill the memory of the test."""
    for path in run.warcs:
        for record in read_records(path):
            if record.type in {"response", "revisit"} and (record.url or "").endswith("/feed.xml"):
                yield record


@pytest.mark.zoo
def test_many_large_bodies_that_never_end_do_not_fill_the_memory(archive: Path) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(HoldsLargeBody(f"127.0.7.{number}")) for number in range(1, HOSTS + 1)]
        run, peak = watched(archive, list(sites), DOWNLOAD_TIMEOUT=20)
    assert run.exit_code == 0
    assert peak < MOST, f"{peak / MB:.0f} MB"
    assert {row["outcome"] for row in run.channels().values()} == {"timeout"}
    kept = 0
    for record in feeds(run):
        kept += 1
        assert record.headers["WARC-Truncated"] == "time"
        assert len(record.payload) > MB // 2
        assert (PIECE * 64).startswith(record.payload)
    assert kept == HOSTS


@pytest.mark.zoo
def test_large_bodies_wait_for_each_other_and_all_arrive_whole(archive: Path) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(LargeBody(f"127.0.7.{number}")) for number in range(1, 9)]
        run, peak = watched(archive, list(sites), BODIES_IN_FLIGHT_MB=100)
    assert run.exit_code == 0
    assert peak < MOST, f"{peak / MB:.0f} MB"
    assert {row["outcome"] for row in run.channels().values()} == {"not_a_feed"}
    types = []
    for record in feeds(run):
        types.append(record.type)
        assert record.payload == (b"" if record.type == "revisit" else PIECE * 64)
    # What all of them have in common is kept once.
    assert types == ["response", *["revisit"] * (len(sites) - 1)]
    assert_whole(run)
