"""How long pages of `scrapy browse` take on a large archive, over HTTP, and how much memory it needs.

    python bench/browse.py --articles 1000000 --folder /data/million
    python bench/browse_pages.py /data/million

Each page is asked for once, and then nine times: `first` is the time of the first, which fills caches. `cpu`
is the processor time of the server for each of the others, which a busy machine makes no longer.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from sqlalchemy import func, select

from archiver.store.reading import reading
from archiver.store.schema import articles

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = 9
_TICKS = os.sysconf("SC_CLK_TCK")
_SECONDS = 60


@contextmanager
def browsing(folder: Path) -> Iterator[tuple[int, str]]:
    """The number of the server's process, and its address."""
    words = ["scrapy", "browse", "--no-open", "--port", "0", "-s", f"ARCHIVE_DIR={folder}"]
    with subprocess.Popen([sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            address = next((word for word in line.split() if word.startswith("http://")), None)
            if address is None:
                sys.exit(f"{folder} is not shown: {line}")
            yield process.pid, address.rstrip("/")
        finally:
            process.send_signal(signal.SIGINT)


def paths(folder: Path) -> list[str]:
    with reading(f"sqlite:///{folder / 'state.sqlite'}") as state:
        middle = (state.execute(select(func.max(articles.c.id))).scalar() or 0) // 2
        url = state.execute(select(articles.c.url).where(articles.c.id >= middle).limit(1)).scalar()
    named = ("article", "history", "captures")
    return [
        "/", "/channels", "/channels?sort=entries&state=failing", "/channels/7", "/articles", "/changes",
        "/runs",
        *(f"/{one}?{urlencode({'url': url or ''})}" for one in named),
    ]  # fmt: skip


def ask(address: str) -> tuple[int, float]:
    """The status, and how many milliseconds it took."""
    began = time.perf_counter()
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
            answer.read()
            status = answer.status
    except urllib.error.HTTPError as error:
        with error:
            error.read()
        status = error.code
    return status, 1000 * (time.perf_counter() - began)


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def peak_megabytes(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def measure(process: int, base: str, path: str) -> None:
    status, first = ask(base + path)
    before = cpu_seconds(process)
    times = [ask(base + path)[1] for _ in range(ROUNDS)]
    cpu = 1000 * (cpu_seconds(process) - before) / ROUNDS
    median = statistics.median(times)
    print(f"{path[:44]:44} {status:6} {first:9.1f} {median:10.1f} {max(times):9.1f} {cpu:7.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages of a large archive.")
    parser.add_argument("folder", type=Path, help="the archive")
    folder = parser.parse_args().folder.resolve()
    with browsing(folder) as (process, base):
        head = f"{'page':44} {'status':>6} {'first ms':>9} {'median ms':>10} {'worst ms':>9} {'cpu ms':>7}"
        print(head)
        for path in paths(folder):
            measure(process, base, path)
        print(f"memory of the server: {peak_megabytes(process):.0f} MB at most")


if __name__ == "__main__":
    main()
