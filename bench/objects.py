"""Whether another checkout of this project makes the same objects: of the sample web, and of real pages.

Both are run as their users do, each with the environment in its own `.venv`: five days of the sample web, and
one crawl of pages of the sets that bench/extraction.py takes, served on loopback with a feed for each site.
Objects are compared field by field. What tells when and where a run was made is left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from extraction_sets import SetError, channels, read_set, set_files
from options import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from extraction_sets import Page

ROOT = Path(__file__).resolve().parent.parent
# Of the run, not of the article: when it was made, from which records, with which neighbours.
OF_THE_RUN = frozenset({
    "first_seen", "captured", "unchanged_until", "times", "warc", "siblings", "wrapper", "schema", "pages",
})  # fmt: skip
SETTINGS = {
    "ALLOW_PRIVATE_ADDRESSES": "True",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "MAX_PAGES_PER_CHANNEL": "0",
    "CONTACT": "https://sample.invalid/",
}
Objects = dict[tuple[str, int], dict[str, Any]]


class _Sites(BaseHTTPRequestHandler):
    """Real pages, and feeds that announce them."""

    def __init__(self, answers: dict[str, tuple[str, bytes]], *args: Any) -> None:
        self._answers = answers
        super().__init__(*args)

    def do_GET(self) -> None:
        kind, body = self._answers.get(self.path, ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def pages_of(paths: Sequence[Path], most: int) -> list[list[Page]]:
    """Sites with several pages, about as many pages as wanted, of each set alike."""
    files = set_files(paths)
    found: list[list[Page]] = []
    for path in files:
        sites = (list(islice(site, 12)) for site in channels(read_set(path)))
        room = most // len(files)
        for site in sites:
            if room <= 0:
                break
            if len(site) > 1:
                found.append(site[:room])
                room -= len(site)
    return found


def answers_of(sites: Sequence[Sequence[Page]], origin: str) -> Iterator[tuple[str, tuple[str, bytes]]]:
    for number, site in enumerate(sites):
        items = []
        for place, page in enumerate(site):
            path = f"/{number}/{place}.html"
            yield path, ("text/html; charset=utf-8", page.html.encode("utf-8", "replace"))
            said = f"<title>{escape(page.title)}</title><description>{escape(page.description)}</description>"
            items.append(f"<item><link>{origin}{path}</link>{said}</item>")
        feed = f"<rss version='2.0'><channel><title>{number}</title>{''.join(items)}</channel></rss>"
        yield f"/{number}.xml", ("application/rss+xml", feed.encode())


def crawl_pages(checkout: Path, origin: str, feeds: int, folder: Path) -> Objects:
    seeds = folder / "seeds.txt"
    seeds.write_text("".join(f"{origin}/{number}.xml\n" for number in range(feeds)))
    settings = SETTINGS | {"ARCHIVE_DIR": str(folder / "archive")}
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    _run(checkout, "-m", "scrapy", "crawl", "feeds", "-a", f"seeds={seeds}", *options)
    return read_objects(folder / "archive")


def crawl_sample(checkout: Path, days: int, folder: Path) -> Objects:
    """Days of the sample web, in a copy: an archive that is there stays as it is."""
    copy = folder / "checkout"
    shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(".*", "archive*", "tests", "bench"))
    for _ in range(days):
        _run(checkout, "-m", "sample.rehearsal", folder=copy)
    return read_objects(copy / "archive-sample")


def _run(checkout: Path, *words: str, folder: Path | None = None) -> None:
    command = [str(checkout / ".venv/bin/python"), *words]
    done = subprocess.run(command, cwd=folder or checkout, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")


def read_objects(archive: Path) -> Objects:
    found: Objects = {}
    for path in sorted(archive.glob("objects/articles-*.jsonl")):
        for line in path.read_bytes().splitlines():
            value = json.loads(line)
            found[value["url"], value["version"]] = value
    return found


def compare(name: str, before: Objects, now: Objects) -> bool:
    """Print what differs, by field; True where nothing does but fields that one of them has not."""
    differing: Counter[str] = Counter()
    examples: dict[str, str] = {}
    fields = [{field for one in objects.values() for field in one} for objects in (before, now)]
    for key in sorted(before.keys() & now.keys()):
        for field in before[key].keys() & now[key].keys() - OF_THE_RUN:
            old, new = before[key][field], now[key][field]
            if old != new:
                differing[field] += 1
                examples.setdefault(
                    field, f"{key[0]} version {key[1]}:\n      {old!r:.300}\n      {new!r:.300}"
                )
    equal = len(before.keys() & now.keys())
    print(f"{name}: {len(before)} objects there, {len(now)} here, {equal} of the same article and version")
    print(f"  new fields: {', '.join(sorted(fields[1] - fields[0])) or 'none'}")
    for told, keys in (("only there", before.keys() - now.keys()), ("only here", now.keys() - before.keys())):
        for url, version in sorted(keys)[:10]:
            print(f"  {told}: {url} version {version}")
    for field, count in differing.most_common():
        print(f"  {field} differs in {count}, as in {examples[field]}")
    return before.keys() == now.keys() and not differing


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("other", type=Path, help="another checkout, with its environment in .venv")
    parser.add_argument("--data", nargs="+", type=Path, default=[], help="sets, or folders of sets")
    parser.add_argument("--pages", type=whole_number, default=200, help="so many of the sets' pages")
    parser.add_argument("--days", type=whole_number, default=5, help="of the sample web")
    args = parser.parse_args()
    checkouts = [args.other.resolve(), ROOT]
    try:
        sites = pages_of(args.data, args.pages) if args.data else []
    except SetError as error:
        parser.error(str(error))
    with tempfile.TemporaryDirectory() as scratch:
        folders = [[Path(scratch, kind, str(number)) for number in range(2)] for kind in ("sample", "pages")]
        for folder in (one for some in folders for one in some):
            folder.mkdir(parents=True)
        pairs = zip(checkouts, folders[0], strict=True)
        is_same = compare("Sample web", *(crawl_sample(one, args.days, to) for one, to in pairs))
        if sites:
            is_same &= compare("Real pages", *_crawled(checkouts, sites, folders[1]))
    return 0 if is_same else 1


def _crawled(
    checkouts: Sequence[Path], sites: Sequence[Sequence[Page]], folders: Sequence[Path]
) -> list[Objects]:
    answers: dict[str, tuple[str, bytes]] = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Sites, answers)) as server:
        origin = f"http://127.0.0.1:{server.server_address[1]}"
        answers.update(answers_of(sites, origin))
        Thread(target=server.serve_forever, daemon=True).start()
        found = [crawl_pages(one, origin, len(sites), to) for one, to in zip(checkouts, folders, strict=True)]
        server.shutdown()
    return found


if __name__ == "__main__":
    sys.exit(main())
