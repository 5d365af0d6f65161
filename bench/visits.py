"""A crawl of a site that goes on with half a million visits: memory of all processes, and the due query.

    .venv/bin/python -m bench.visits --visits 500000 --pages 2000
    .venv/bin/python -m bench.visits --strategy learned

It fills a state store with visits of a made-up site, most of them settled and a third waiting, with families
and marks of text, or with labels of links and pairs of words; times the query for what is due; and crawls on
from a server in memory, while it looks at the memory of the crawl and all its processes. It prints, and
decides nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, update

from archiver.acquisition.sites.learning.labels import LinkLabel
from archiver.acquisition.sites.learning.values import WINDOW
from archiver.acquisition.sites.model import Strategy
from archiver.store.database import Database
from archiver.store.schema import families, labels, marks, pairs, visits
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from archiver.store.whole_sites.label_book import make_label
from archiver.store.whole_sites.labels import MOST_LABELS
from archiver.store.whole_sites.pairs import MOST_PAIRS
from archiver.store.whole_sites.sites import change_site, site_by_id
from archiver.store.whole_sites.visits import pending_visits

if TYPE_CHECKING:
    from sqlalchemy import Connection

_NOW = datetime(2026, 3, 1, tzinfo=UTC)
_BATCH = 10_000
_MARKS_OF_A_PAGE = 8
_NOWHERE = "http://127.0.0.1/page/story-"
_WORDS = [hashlib.sha256(str(number).encode()).hexdigest()[:7] for number in range(3000)]


class _Pages(BaseHTTPRequestHandler):
    """Any path is an article of its own, with links to five others that are known."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        number = int("".join(filter(str.isdigit, self.path)) or 0)
        picked = [_WORDS[(number * 31 + at * at) % len(_WORDS)] for at in range(150)]
        text = "".join(f"<p>{' '.join(picked[at : at + 30])}</p>" for at in range(0, 150, 30))
        links = "".join(f'<a href="/page/story-{number + at}/">{_WORDS[at]}</a> ' for at in range(1, 6))
        body = (
            f"<html><title>{number}</title><body><h1>Story {number}</h1>{text}{links}</body></html>".encode()
        )
        found = self.path != "/robots.txt"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--visits", type=int, default=500_000)
    arguments.add_argument("--pages", type=int, default=2000, help="to crawl on")
    arguments.add_argument("--strategy", choices=("blind", "learned"), default="blind")
    given = arguments.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder)
        _measure(archive, url, given.visits, given.pages, Strategy(given.strategy))
    server.shutdown()


def _measure(archive: Path, url: str, many: int, pages: int, strategy: Strategy) -> None:
    database = Database(f"sqlite:///{archive / 'state.sqlite'}")
    began = time.monotonic()
    number = _fill(database, url, many, strategy)
    size = (archive / "state.sqlite").stat().st_size / 2**20
    print(f"{many} visits filled in {time.monotonic() - began:.0f} s, state store {size:.0f} MB", flush=True)
    times = [database.run(_timed_due, number) for _ in range(30)]
    print(f"due query: median {1000 * median(times):.1f} ms, slowest {1000 * max(times):.1f} ms", flush=True)
    database.close()
    spent, most, done = _crawl(archive, url, pages)
    print(f"crawled on for {pages} pages in {spent:.0f} s ({pages / spent:.0f} a second), exit code {done}")
    print(f"memory of all processes: {most / 2**20:.0f} MB at most")


def _fill(database: Database, url: str, many: int, strategy: Strategy) -> int:
    (site,) = database.run(choose_sites, [url], SiteWish(strategy=strategy), _NOW, _NOW).sites
    kind = database.run(_family if strategy is Strategy.BLIND else _label, site.id, many)
    for start in range(0, many, _BATCH):
        rows = [_visit(url, site.id, at, many) | kind for at in range(start, min(start + _BATCH, many))]
        if strategy is Strategy.LEARNED:
            rows = [row | {"state": "ranked"} if row["state"] == "pending" else row for row in rows]
        database.run(_insert, rows, site.id)
    if strategy is Strategy.LEARNED:
        database.run(_pairs, site.id)
    database.run(_begun, site.id, strategy)
    return site.id


def _begun(connection: Connection, site_id: int, strategy: Strategy) -> None:
    change_site(connection, site_id, way=strategy, plan="filled")


def _label(connection: Connection, site_id: int, many: int) -> dict[str, int]:
    """One kind of links that pays, to which all belong; and others, as a site of that size has them."""
    paying = {"waiting": many - many * 2 // 3, "fetched": WINDOW, "paid": WINDOW, "gained": 100.0 * WINDOW}
    paying |= {"gains": (100.0,) * WINDOW, "leads": ((),) * WINDOW}
    numbers = [
        make_label(connection, site_id, LinkLabel(f"/html/body/div.part-{at}/a", "page/*"), f"{_NOWHERE}{at}")
        for at in range(MOST_LABELS // 2)
    ]
    connection.execute(update(labels).where(labels.c.id == numbers[0]).values(**paying))
    return {"label_id": numbers[0]}


def _pairs(connection: Connection, site_id: int) -> None:
    """As many pairs of words as are kept of a site."""
    connection.execute(insert(pairs), [{"site_id": site_id, "pair": 4 * at} for at in range(MOST_PAIRS)])
    change_site(connection, site_id, pairs=MOST_PAIRS)


def _family(connection: Connection, site_id: int, _many: int) -> dict[str, int]:
    values = {"site_id": site_id, "kind": "family", "name": "page/*", "state": "good", "fresh": 1000}
    made = connection.execute(insert(families).values(**values).returning(families.c.id))
    return {"family_id": int(made.scalar_one())}


def _visit(url: str, site_id: int, at: int, many: int) -> dict[str, Any]:
    address = f"{url}page/story-{at}/"
    is_settled = at < many * 2 // 3
    return {
        "site_id": site_id, "key": address, "url": address, "host": "127.0.0.1", "via": url,
        "action": "link", "reading": "page", "level": "", "is_further": False, "depth": 3, "rank": 2,
        "state": "settled" if is_settled else "pending", "next_try": _NOW,
        "outcome": "read" if is_settled else None, "is_content": is_settled,
        "visited": _NOW if is_settled else None,
        "digest": hashlib.sha256(address.encode()).hexdigest()[:24] if is_settled else None,
    }  # fmt: skip


def _insert(connection: Connection, rows: list[dict[str, Any]], site_id: int) -> None:
    connection.execute(insert(visits), rows)
    numbers = (
        int(hashlib.sha256(f"{row['key']} {at}".encode()).hexdigest()[:15], 16)
        for row in rows
        if row["state"] == "settled"
        for at in range(_MARKS_OF_A_PAGE)
    )
    known = [{"site_id": site_id, "mark": number} for number in sorted(set(numbers))]
    if known:
        connection.execute(insert(marks), known)


def _timed_due(connection: Connection, site_id: int) -> float:
    site = site_by_id(connection, site_id)
    began = time.perf_counter()
    pending_visits(connection, _NOW, [site], limit=64, busy=())
    return time.perf_counter() - began


def _crawl(archive: Path, url: str, pages: int) -> tuple[float, int, int]:
    options = {
        "ARCHIVE_DIR": archive, "ALLOW_PRIVATE_ADDRESSES": 1, "DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": 0,
        "REQUISITES": "none", "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "HOST_PAGES_PER_DAY": 0,
    }  # fmt: skip
    words = [word for name, value in options.items() for word in ("-s", f"{name}={value}")]
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "site",
        "-a",
        f"url={url}",
        "-a",
        f"limit={pages}",
        *words,
    ]
    began, most = time.monotonic(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, sum(map(_resident, _tree(process.pid))))
            time.sleep(0.5)
    return time.monotonic() - began, most, process.returncode


def _tree(parent: int) -> list[int]:
    """A process and all that it started."""
    found, numbers = [parent], [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    parents = {number: _field(number, "PPid") for number in numbers}
    for one in found:
        found += [number for number, its in parents.items() if its == one]
    return found


def _resident(number: int) -> int:
    return 1024 * _field(number, "VmRSS")


def _field(number: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)


if __name__ == "__main__":
    main()
