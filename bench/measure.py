"""Measuring one program while it fetches from the bench site: time, processor, memory, pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import ProxyHandler, build_opener

if TYPE_CHECKING:
    from collections.abc import Iterator

# Loopback is never asked through a proxy, neither by us nor by what we measure.
_open = build_opener(ProxyHandler({})).open
_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
_INTERVAL = 0.2
_MB = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One program, run once. Memory in MB, times in seconds."""

    exit_code: int
    last_words: str
    pages: int
    page_requests: int
    wall: float
    # From the first page asked for to the last one answered, as the server saw it.
    download: float
    cpu: float
    server_cpu: float
    rss_at_1000: float
    rss_end: float
    rss_peak: float
    # The program and all its children.
    rss_tree: float


class BenchSite:
    """The site in a process of its own."""

    def __init__(self, base: str) -> None:
        self.base = base

    def get(self, path: str) -> str:
        with _open(self.base + path, timeout=60) as response:
            return str(response.read().decode())

    def stats(self, path: str = "/_stats") -> dict[str, float]:
        return dict(json.loads(self.get(path)))


@contextmanager
def running_site(pages: int) -> Iterator[BenchSite]:
    command = [sys.executable, str(Path(__file__).with_name("site.py")), "--pages", str(pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            word, _, base = (server.stdout.readline() if server.stdout else "").strip().partition(" ")
            if word != "ready":
                raise SystemExit("the bench site did not start; its message is above")
            yield BenchSite(base)
        finally:
            server.terminate()


class Sampler(threading.Thread):
    """Looks at the memory of a process, and at how far it is, until told to stop."""

    def __init__(self, pid: int, site: BenchSite) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._site = site
        self._done = threading.Event()
        self.at_1000 = self.end = self.peak = self.tree = 0.0

    def run(self) -> None:
        while not self._done.wait(_INTERVAL):
            with suppress(OSError):  # the process, or one of its children, has just ended
                self._sample()

    def _sample(self) -> None:
        now, peak = _memory(self._pid)
        if not now:  # ended, and not yet waited for
            return
        self.end, self.peak = now, max(peak, self.peak)
        self.tree = max(self.tree, sum(_memory(pid)[0] for pid in _family(self._pid)))
        if not self.at_1000 and self._site.stats()["pages"] >= 1000:
            self.at_1000 = now

    def stop(self) -> None:
        self._done.set()
        self.join()


def _memory(pid: int) -> tuple[float, float]:
    """Resident memory of a process, now and at its peak."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS", "VmHWM")))
    now, peak = (int(fields.get(name, "0 kB").split()[0]) * 1024 / _MB for name in ("VmRSS", "VmHWM"))
    return now, peak


def _family(pid: int) -> Iterator[int]:
    yield pid
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from _family(int(child))


def measure(command: list[str], site: BenchSite, *, cwd: Path, log: Path) -> Run:
    site.stats("/_reset")
    begun = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=cwd, env=_ENVIRONMENT)
    sampler = Sampler(process.pid, site)
    sampler.start()
    # wait4 gives the processor time of the process and of every child that it waited for.
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    sampler.stop()
    served = site.stats("/_reset")
    lines = log.read_text(errors="replace").strip().splitlines()
    return Run(
        exit_code=process.returncode,
        last_words=lines[-1][:150] if lines else "",
        pages=int(served["pages"]),
        page_requests=int(served["page_requests"]),
        wall=wall,
        download=served["seconds"],
        cpu=usage.ru_utime + usage.ru_stime,
        server_cpu=served["server_cpu"],
        # A program that ends right after its thousandth page is gone before the next sample.
        rss_at_1000=sampler.at_1000 or (sampler.end if served["pages"] >= 1000 else 0.0),
        rss_end=sampler.end,
        rss_peak=sampler.peak,
        rss_tree=sampler.tree,
    )
