"""How long searches take in an archive of a million articles.

    python bench/browse.py --articles 50000
    python bench/browse.py --articles 1000000 --folder /data/million

Makes the archive and its search index, unless the folder has one, and prints sizes, times and memory. Times
are those of the function that commands and the web application call, the index opened anew for each, warm.
`cpu` is processor time, which a busy machine makes no longer.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archiver.display.tables import size_in_words
from archiver.display.terminal import ProgressLine
from archiver.search.building import build
from archiver.search.model import SearchRequest
from archiver.search.opening import open_index
from archiver.search.searching import search
from archiver.store.reading import reading
from bench.browse_archive import END, Generator, Prose, Sizes, sizes_of
from bench.options import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = 9
CHANNELS = 1000


@dataclass(frozen=True, slots=True)
class Question:
    name: str
    request: SearchRequest


def questions() -> Iterator[Question]:
    prose = Prose()
    rare, middling, common = prose.words[40_000], prose.words[1000], prose.words[2]
    for name, word in (
        ("rare", rare),
        ("middling", middling),
        ("common", common),
        ("in all", prose.words[0]),
    ):
        yield Question(f"{name} word, newest", SearchRequest(words=word))
        yield Question(f"{name} word, ranked", SearchRequest(words=word, ranked=True))
    both: dict[str, Any] = {"words": f"{common} {middling}"}
    yield Question("two words, newest", SearchRequest(**both))
    yield Question("two words, ranked", SearchRequest(**both, ranked=True))
    yield Question("phrase of common words", SearchRequest(words=f'"{common} {prose.words[0]}"'))
    yield Question("beginning", SearchRequest(words=f"{rare[:4]}*"))
    yield Question("common, without a common one", SearchRequest(words=f"{common} -{prose.words[3]}"))
    filters: dict[str, dict[str, Any]] = {
        "one channel": {"channel": ("7",)},
        "label": {"label": ("islands",)},
        "author": {"author": "Author 17"},
        "category": {"category": "Category 3"},
        "language": {"language": "en"},
        "a month": {"since": END - timedelta(days=400), "until": END - timedelta(days=370)},
        "edited": {"change": "edited"},
        "gone": {"change": "gone"},
        "confidence": {"confidence": 0.98},
    }
    for name, values in filters.items():
        yield Question(f"common word, {name}", SearchRequest(words=common, **values))
    yield Question(
        "common word, one channel, ranked", SearchRequest(words=common, channel=("7",), ranked=True)
    )
    yield Question("no words, newest", SearchRequest())
    yield Question("no words, one channel", SearchRequest(channel=("7",)))
    one, two = prose.characters[5], prose.characters[9]
    yield Question("Chinese, one character", SearchRequest(words=one))
    yield Question("Chinese, two characters", SearchRequest(words=one + two))
    yield Question("Chinese, four, ranked", SearchRequest(words=one + two + one + two, ranked=True))


def ask(folder: Path, request: SearchRequest) -> int:
    with reading(f"sqlite:///{folder / 'state.sqlite'}") as state, open_index(folder, state) as index:
        return search(index, state, folder / "objects", request).total


def measure(folder: Path) -> float:
    """Print a line for each question; the longest median, in milliseconds."""
    print(f"\n{'question':36} {'found':>8} {'median ms':>10} {'worst ms':>9} {'cpu ms':>7}")
    slowest = 0.0
    for question in questions():
        total = ask(folder, question.request)
        times, cpu = [], time.process_time()
        for _ in range(ROUNDS):
            began = time.perf_counter()
            ask(folder, question.request)
            times.append(1000 * (time.perf_counter() - began))
        each = 1000 * (time.process_time() - cpu) / ROUNDS
        median = statistics.median(times)
        slowest = max(slowest, median)
        print(f"{question.name:36} {total:8} {median:10.1f} {max(times):9.1f} {each:7.1f}", flush=True)
    return slowest


def make(folder: Path, articles: int) -> None:
    began, cpu = time.monotonic(), time.process_time()
    with ProgressLine(sys.stderr, in_words="{:,}".format) as progress:
        Generator(folder, Sizes(articles=articles, channels=CHANNELS)).write(progress.show)
    print(f"archive made in {time.monotonic() - began:.0f} s, {time.process_time() - cpu:.0f} s of processor")


def make_index(folder: Path) -> None:
    began, cpu = time.monotonic(), time.process_time()
    with ProgressLine(sys.stderr) as progress, reading(f"sqlite:///{folder / 'state.sqlite'}") as state:
        feeder = build(folder, state, progress.show)
    taken = f"{time.monotonic() - began:.0f} s, {time.process_time() - cpu:.0f} s of processor"
    print(f"search index of {feeder.fed:,} versions built in {taken}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Searches in an archive of many articles.")
    parser.add_argument("--articles", type=whole_number, default=50_000)
    parser.add_argument("--folder", type=Path, help="where the archive is, or is made and kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-browse-") as temporary:
        folder = options.folder or Path(temporary) / "archive"
        if not (folder / "state.sqlite").exists():
            make(folder, options.articles)
        if not (folder / "search.sqlite").exists():
            make_index(folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        told = [f"{name} {size_in_words(size)}" for name, size in sizes_of(folder)]
        total = sum(size for _, size in sizes_of(folder))
        print(f"on disk: {', '.join(told)}; together {size_in_words(total)}")
        slowest = measure(folder)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"\nslowest median {slowest:.0f} ms;"
            f" memory {after / 1024:.0f} MB at most, {before / 1024:.0f} MB before"
        )


if __name__ == "__main__":
    main()
