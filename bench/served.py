"""What a page costs that a learned wrapper serves, on pages that it was not learned from; beside trafilatura.

    .venv/bin/python bench/served.py --data SETS [--json FILE]

Each channel with enough pages is read in part, as a worker reads it: what that teaches serves the others, one
task a page, from the order to the reply. Pages that are studied all the same are counted, and not timed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

import msgspec
import trafilatura
from extraction_sets import channels, read_set, set_files, set_name

from archiver.archive.warc.records import Exchange
from archiver.archive.warc.writer import WarcOptions, WarcWriter
from archiver.articles.methods.extraction import parse_page
from archiver.articles.methods.registry import DEFAULT, method_of
from archiver.articles.model import NoArticle
from archiver.documents.pages.model import Announcement
from archiver.documents.pages.text import text_of
from archiver.running.workers.child import _reply
from archiver.running.workers.messages import Order, order_of
from archiver.running.workers.page_tasks import PagesRead, PageToRead, ReadPages
from archiver.running.workers.pages import raw_page, read_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from extraction_sets import Page

    from archiver.articles.model import Wrapper

LEAST_PAGES, LEAST_LEARNED, MOST_SERVED = 5, 3, 3
ROUNDS = 3
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
_ORDERS = msgspec.json.Decoder(Order)
_STARTED = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of processor time that a page took, each the least of some rounds."""

    worker: float  # all that a worker does: record, article, metadata, requisites, fingerprint, reply
    text: float  # from bytes to the article's text alone
    trafilatura: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRow:
    set: str
    asked: int  # pages of channels that have a wrapper
    served: int
    worker_ms: float
    worker_median_ms: float
    text_ms: float
    trafilatura_ms: float

    def line(self) -> str:
        shown = (self.worker_ms, self.worker_median_ms, self.text_ms, self.trafilatura_ms)
        times = f"{self.trafilatura_ms / self.worker_ms:8.2f}{self.trafilatura_ms / self.text_ms:8.2f}"
        return f"{self.set:16}{self.asked:6}{self.served:8}" + "".join(f"{one:9.2f}" for one in shown) + times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="sets, or folders of sets")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    names = ("worker", "median", "text", "trafil.", "×", "× text")
    print(f"{'ms a page':16}{'pages':>6}{'served':>8}" + "".join(f"{name:>9}" for name in names))
    rows = []
    for path in set_files(given.data):
        with tempfile.TemporaryDirectory() as folder:
            row = measured(set_name(path), list(read_set(path)), Path(folder))
        if row is not None:
            rows.append(row)
            print(row.line(), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def measured(name: str, pages: Sequence[Page], folder: Path) -> ServedRow | None:
    sites = [site for site in channels(pages) if len(site) >= LEAST_PAGES]
    found = [one for site in sites for one in _of_channel(site, folder)]
    times = [one for one in found if one is not None]
    if not times:
        return None
    return ServedRow(
        set=name,
        asked=len(found),
        served=len(times),
        worker_ms=fmean(one.worker for one in times),
        worker_median_ms=median(one.worker for one in times),
        text_ms=fmean(one.text for one in times),
        trafilatura_ms=fmean(one.trafilatura for one in times),
    )


def _of_channel(site: Sequence[Page], folder: Path) -> Iterator[Times | None]:
    """The times of pages that were not learned from; None for one that its wrapper does not serve."""
    kept = _kept(site, folder)
    count = max(LEAST_LEARNED, len(site) // 2)
    learned = read_pages(_task(folder, kept[:count])).learned
    for page, place in list(zip(site, kept, strict=True))[count : count + MOST_SERVED] if learned else ():
        yield _timed(page, _task(folder, [place], learned))


def _kept(site: Sequence[Page], folder: Path) -> list[PageToRead]:
    """The pages in WARC."""
    writer = WarcWriter(folder, WarcOptions(prefix="served"))
    captures = writer.write([_exchange(page) for page in site])
    writer.close()
    return [
        PageToRead(
            id=capture.record_id,
            url=page.url,
            file=capture.file,
            offset=capture.offset,
            announcement=Announcement(title=page.title or None, summary=page.description or None),
            is_followed=True,
        )
        for page, capture in zip(site, captures, strict=True)
        if capture is not None
    ]


def _exchange(page: Page) -> Exchange:
    received = _HEAD + page.html.encode("utf-8", "replace")
    return Exchange(url=page.url, received=received, started=_STARTED, sent=b"")


def _task(folder: Path, pages: Sequence[PageToRead], memory: Sequence[Wrapper] = ()) -> ReadPages:
    """As a crawl with default settings has them read."""
    return ReadPages(
        folder=str(folder),
        method=DEFAULT,
        pages=tuple(pages),
        memory=tuple(memory),
        requisites="look",
        most_requisites=100,
    )


def _timed(page: Page, task: ReadPages) -> Times | None:
    order = order_of(task)
    answer = msgspec.json.decode(_reply(_ORDERS.decode(order)).result, type=PagesRead)
    article = answer.pages[0].article
    if article is None or article.wrapper is None or answer.learned:
        return None
    return Times(
        worker=_least(lambda: msgspec.json.encode(_reply(_ORDERS.decode(order)))),
        text=_least(lambda: _text(task)),
        trafilatura=_least(lambda: trafilatura.extract(page.html, url=page.url, include_comments=False)),
    )


def _text(task: ReadPages) -> str:
    parsed = parse_page(raw_page(task.folder, task.pages[0], task.pages[0].announcement))
    if isinstance(parsed, NoArticle):
        return ""
    found = method_of(task.method).find_known([parsed], task.memory)
    chosen = found.selections[0] if found else None
    return text_of(chosen.node, chosen.dropped.__contains__) if chosen else ""


def _least(work: Callable[[], object]) -> float:
    """In turns with the others, the least of some rounds: others use the machine as well."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(1000 * (time.process_time() - began))
    return min(times)


if __name__ == "__main__":
    main()
