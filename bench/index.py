"""How long the index takes to build, to merge and to search, at the size of years of crawling.

    python bench/index.py --lines 10000000

The lines are the same in every run: pages captured once or twice, and feeds captured in every WARC. They are
written as a crawl writes them, a file per WARC, merged after every eighth.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from archiver.archive.cdxj.files import index_files, write_lines
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.lines import http_fields, line_for
from archiver.archive.cdxj.records import index_lines
from archiver.archive.cdxj.tiers import FAN_IN, merge_tiers
from archiver.archive.warc.records import Exchange
from archiver.archive.warc.writer import WarcWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

START = datetime(2026, 1, 1, tzinfo=UTC)
HOSTS = 5003
LINE_BYTES = 320
HEAD = b"HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: text/html; charset=utf-8\r\nETag: x\r\n\r\n"
SENT = b"GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: bench\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Plan:
    """What each WARC holds: new pages, some pages of the eighth WARC before, and every feed."""

    warcs: int
    new: int
    again: int
    feeds: int

    @classmethod
    def of(cls, lines: int, warcs: int) -> Plan:
        each = lines // warcs
        return cls(warcs, new=each * 60 // 100, again=each * 35 // 100, feeds=each * 5 // 100)

    def addresses(self, warc: int) -> Iterator[tuple[int, str]]:
        """The host number and path of each capture in a WARC."""
        first, before = warc * self.new, max(0, warc - FAN_IN) * self.new
        for page in [*range(first, first + self.new), *range(before, before + self.again)]:
            yield page % HOSTS, f"/2026/news/story-{page * 7919 % 99999989:08d}"
        for feed in range(self.feeds):
            yield feed % HOSTS, f"/feeds/{feed:06d}.xml"

    def lines(self, warc: int) -> Iterator[str]:
        # Not through line_for: sort keys of ten million URLs would take minutes that are not measured here.
        stamp = f"{START + timedelta(minutes=5 * warc):%Y%m%d%H%M%S}"
        for number, (host, path) in enumerate(self.addresses(warc)):
            yield (
                f'example,site{host})/{path[1:]} {stamp} {{"url": "https://www.site{host}.example{path}", '
                f'"mime": "text/html", "status": "200", "digest": "sha1:{number:032d}", '
                f'"length": "{20000 + number}", "offset": "{number * 20000}", "filename": "{name_of(warc)}"}}'
            )


def name_of(warc: int) -> str:
    return f"archiver-{20260101000000000 + warc}-00001-bench.warc.gz"


def url_of(host: int, path: str) -> str:
    return f"https://www.site{host}.example{path}"


def check_lines(plan: Plan) -> None:
    """The lines made here are those that the archiver makes."""
    host, path = next(iter(plan.addresses(0)))
    made = line_for(
        url=url_of(host, path),
        date=START,
        status="200",
        mime="text/html",
        digest=f"sha1:{0:032d}",
        length=20000,
        offset=0,
        filename=name_of(0),
    )
    if made != next(plan.lines(0)):
        raise SystemExit(f"the bench makes other lines than the archiver:\n{made}\n{next(plan.lines(0))}")


def build(plan: Plan, folder: Path) -> None:
    writing = merging = 0.0
    for warc in range(plan.warcs):
        lines = list(plan.lines(warc))
        started = time.perf_counter()
        write_lines(folder, name_of(warc), lines)
        written = time.perf_counter()
        merge_tiers(folder)
        writing += written - started
        merging += time.perf_counter() - written
    files = index_files(folder)
    size = sum(file.path.stat().st_size for file in files)
    tiers = ", ".join(f"{tier}: {count}" for tier, count in sorted(Counter(f.tier for f in files).items()))
    print(f"built: {plan.warcs} WARCs, {size / 1e9:.2f} GB in {len(files)} files (tier {tiers})")
    print(f"writing: {writing:.1f} s, merging: {merging:.1f} s")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


def forget(folder: Path) -> None:
    """Have the system forget what it read of these files, as far as it lets us."""
    for file in index_files(folder):
        handle = os.open(file.path, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def remember(folder: Path) -> None:
    """Have the system read the files, so that look-ups wait for no disk."""
    for file in index_files(folder):
        with file.path.open("rb") as content:
            while content.read(1 << 20):
                pass


def show(name: str, seconds: list[float]) -> None:
    seconds.sort()
    p99 = seconds[min(len(seconds) - 1, len(seconds) * 99 // 100)]
    print(f"{name:34} {statistics.median(seconds) * 1e3:9.3f} {p99 * 1e3:9.3f} {seconds[-1] * 1e3:9.3f}")


def timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def search(plan: Plan, folder: Path, rounds: int) -> None:
    random = Random(1)
    pages = [
        url_of(p % HOSTS, f"/2026/news/story-{p * 7919 % 99999989:08d}")
        for p in pages_of(plan, random, rounds)
    ]
    feeds = [url_of(f % HOSTS, f"/feeds/{f:06d}.xml") for f in random.choices(range(plan.feeds), k=rounds)]
    absent = [url_of(random.randrange(HOSTS), f"/2026/nothing-{number}") for number in range(rounds)]
    moments = [START + timedelta(minutes=5 * random.uniform(0, plan.warcs)) for _ in range(rounds)]
    print(f"\n{'look-up, milliseconds':34} {'median':>9} {'p99':>9} {'slowest':>9}")
    cold(folder, pages[: rounds // 20])
    remember(folder)
    index = Index(folder)
    for url in pages:
        if not 1 <= len(index.captures(url)) <= 2 + FAN_IN:
            raise SystemExit(f"{url} was captured, yet the index has {index.captures(url)}")
    show("warm: captures of a page", [timed(partial(index.captures, url)) for url in pages])
    show("warm: captures of an unknown page", [timed(partial(index.captures, url)) for url in absent])
    nearest = zip(feeds, moments, strict=True)
    show("warm: a feed nearest to a time", [timed(partial(index.nearest, *pair)) for pair in nearest])
    some = feeds[: rounds // 20]
    show(
        f"warm: all {plan.warcs} captures of a feed",
        [timed(partial(index.captures, url)) for url in some],
    )
    print(f"memory of its own after that: {own_memory() / 1e3:.0f} MB")


def pages_of(plan: Plan, random: Random, count: int) -> list[int]:
    return [random.randrange(plan.new * plan.warcs) for _ in range(count)]


def cold(folder: Path, urls: list[str]) -> None:
    opening, looking = [], []
    for url in urls:
        forget(folder)
        started = time.perf_counter()
        index = Index(folder)
        opening.append(time.perf_counter() - started)
        looking.append(timed(partial(index.captures, url)))
        del index  # pages that are mapped cannot be forgotten
    show("opening the index", opening)
    show("cold: captures of a page", looking)


def own_memory() -> int:
    """Kilobytes that are not pages of files."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def read_warc(folder: Path, pages: int) -> None:
    """How fast lines come from a WARC, and from what the writer knows."""
    body = " ".join(str(number * 7919) for number in range(3000)).encode()
    writer = WarcWriter(folder, prefix="bench", info={}, max_bytes=1 << 40, level=6, fsync=False)
    for number in range(pages):
        url = f"https://www.site{number % 50}.example/2026/news/story-{number}"
        writer.write([Exchange(url=url, started=START, sent=SENT, received=HEAD + body[number:])])
    writer.close()
    path = folder / writer.files[0]
    started = time.process_time()
    count = sum(1 for _ in index_lines(path))
    seconds = time.process_time() - started
    print(f"reading a WARC back: {2 * count / seconds:.0f} records, {count / seconds:.0f} lines a CPU second")
    started = time.process_time()
    for number in range(pages):
        fields = http_fields(HEAD)
        url = f"https://www.site{number % 50}.example/2026/news/story-{number}"
        line_for(
            url=url, date=START, length=1, offset=2, filename="x", status=fields.status, mime=fields.mime
        )
    print(f"making a line while writing: {(time.process_time() - started) / pages * 1e6:.0f} µs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--warcs", type=int, default=1000, help="over how many WARCs the lines are spread")
    parser.add_argument("--rounds", type=int, default=2000, help="look-ups of each kind")
    parser.add_argument("--scratch", type=Path, default=None, help="where the files are made for a while")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-index-", dir=options.scratch) as scratch:
        # Twice: the last merge has its inputs beside its result.
        needed, free = 2 * options.lines * LINE_BYTES, shutil.disk_usage(scratch).free
        if free < needed:
            raise SystemExit(
                f"{scratch} has {free / 1e9:.1f} GB free, {needed / 1e9:.1f} are needed: --scratch"
            )
        plan = Plan.of(options.lines, options.warcs)
        check_lines(plan)
        read_warc(Path(scratch) / "warc", 2000)
        build(plan, Path(scratch) / "index")
        search(plan, Path(scratch) / "index", options.rounds)


if __name__ == "__main__":
    main()
