"""What an archive costs: processor time of a poll and of a page, bytes of a page, memory of each process.

Real pages (sets as bench/extraction.py takes them) are served on loopback, each site with a feed. They are
crawled; then all feeds are polled again and answer 304; then a run finds nothing due.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from extraction_sets import channels, read_set, set_files
from measure import _family, _memory
from options import whole_number
from spark import _SCRAPY, _SUBREAPER, _children

if TYPE_CHECKING:
    from collections.abc import Sequence

    from extraction_sets import Page

_DAY = 86_400
_SETTINGS = {
    "ALLOW_PRIVATE_ADDRESSES": "1",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "0",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "16",
    "REQUISITES": "none",
    "RECHECK_SHARE": "0",
    "POLL_INTERVAL": "1h",
    "CONTACT": "mailto:bench@example.org",
}
_PARTS = ("warc", "index", "objects", "state.sqlite", "search.sqlite")


class Server(threading.Thread):
    """The pages of each site at /SITE/N, and its feed at /SITE/feed."""

    def __init__(self, sites: Sequence[Sequence[Page]]) -> None:
        super().__init__(daemon=True)
        answers = {}
        for number, site in enumerate(sites):
            answers[f"/{number}/feed"] = (_feed(number, site), "application/rss+xml")
            for place, page in enumerate(site):
                body = page.html.encode("utf-8", "replace")
                answers[f"/{number}/{place}.html"] = (body, "text/html; charset=utf-8")
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answers))
        self.port = self._server.server_port

    def run(self) -> None:
        self._server.serve_forever()


def _feed(number: int, site: Sequence[Page]) -> bytes:
    items = "".join(
        f"<item><title>{escape(page.title or 'Untitled')}</title><link>/{number}/{place}.html</link>"
        f"<description>{escape(page.description)}</description><guid>{number}-{place}</guid></item>"
        for place, page in enumerate(site)
    )
    text = f"<rss version='2.0'><channel><title>{number}</title><link>/</link>{items}</channel></rss>"
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text).encode("utf-8", "replace")


def _handler(answers: dict[str, tuple[bytes, str]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body, kind = answers.get(self.path, (b"", "text/plain"))
            known = self.headers.get("If-None-Match") == '"1"'
            self.send_response(304 if known else 200 if body else 404)
            self.send_header("ETag", '"1"')
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(0 if known else len(body)))
            self.end_headers()
            if not known:
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


def crawled(archive: Path, seeds: Path, offset: int) -> tuple[float, float, dict[str, float]]:
    """Seconds and processor seconds of a crawl, and the largest memory of each kind of process, in MB."""
    words = [f"{name}={value}" for name, value in _SETTINGS.items()]
    words += [f"ARCHIVE_DIR={archive}", f"CLOCK_OFFSET={offset}"]
    command = [
        _SCRAPY,
        "crawl",
        "feeds",
        "-a",
        f"seeds={seeds}",
        *(x for word in words for x in ("-s", word)),
    ]
    before, begun, memory = _children(), time.monotonic(), defaultdict(float)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            for pid in _alive(process.pid):
                memory[_kind(pid)] = max(memory[_kind(pid)], _peak(pid))
            time.sleep(0.2)
    wall = time.monotonic() - begun
    if process.returncode:
        raise SystemExit(f"the crawl ended with {process.returncode}")
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return wall, _children() - before, memory


def _alive(pid: int) -> list[int]:
    try:
        return list(_family(pid))
    except OSError:
        return []


def _kind(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return "other"
    if "running.workers.child" in words:
        return "worker"
    return "writer" if "running.writing.child" in words else "main"


def _peak(pid: int) -> float:
    try:
        return _memory(pid)[1]
    except OSError:
        return 0.0


def size_of(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path] if path.exists() else []
    return sum(one.stat().st_size for one in files if one.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, help="sets of pages, or folders of them")
    parser.add_argument("--pages", type=whole_number, default=1000)
    asked = parser.parse_args()
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    found = [page for path in set_files(asked.sets) for page in read_set(path)]
    sites = channels(islice(found[:: max(1, len(found) // asked.pages)], asked.pages))
    pages, polls = sum(map(len, sites)), len(sites)
    server = Server(sites)
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        archive, seeds = Path(folder) / "archive", Path(folder) / "seeds.txt"
        seeds.write_text("".join(f"http://127.0.0.1:{server.port}/{n}/feed\n" for n in range(polls)))
        wall, first, memory = crawled(archive, seeds, 0)
        sizes = {name: size_of(archive / name) for name in _PARTS}
        _, second, _ = crawled(archive, seeds, _DAY)
        _, nothing, _ = crawled(archive, seeds, _DAY)
    html = sum(len(page.html.encode("utf-8", "replace")) for site in sites for page in site)
    poll = (second - nothing) / polls
    print(f"{pages} pages of {html / pages / 1000:.1f} KB, {polls} feeds; {wall:.0f} s")
    print(f"a run with nothing to do: {nothing:.2f} s of CPU")
    print(f"a poll that is answered 304: {1000 * poll:.1f} ms of CPU")
    print(f"a page, fetched, kept and read: {1000 * (first - nothing - polls * poll) / pages:.1f} ms of CPU")
    for name, size in sizes.items():
        print(f"{name}: {size / pages / 1000:.2f} KB a page")
    for kind, most in sorted(memory.items()):
        print(f"memory of {kind}: {most:.0f} MB at most")


if __name__ == "__main__":
    main()
