"""How fast the queries behind `history`, `changes` and `rebuild` are, over a million versions of articles."""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections import deque
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archiver.store.changes import Wanted, find_events
from archiver.store.database import Database
from archiver.store.history import article_history, find_article, similar_articles
from archiver.store.reading import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sqlalchemy import Connection

NOW = datetime(2026, 3, 2, 7, tzinfo=UTC)
YEAR = 365 * 86400
_AT_ONCE = 5000
_HIGHEST = 100.0  # milliseconds
_LIMIT = 200  # as `scrapy changes` has it
# Of ten articles one was gone once, and half of these came back.
_ABSENT, _BACK = 0.1, 0.5
_KINDS = ("text", "text", "text", "text,title", "title", "links", "text,links", "images", None)


class Chances:
    """When things happen: an article appears any time in a year, and is edited ever more rarely after."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)

    def born(self) -> float:
        return NOW.timestamp() - self._random.random() * YEAR

    def captures(self, born: float, count: int) -> list[float]:
        age = NOW.timestamp() - born
        waits = (10 ** self._random.uniform(2.5, 6.4) for _ in range(count - 1))
        # What would be in the future was some time before.
        return [born, *sorted(born + (wait if wait < age else age * self.random()) for wait in waits)]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._random, name)


def tick(seconds: float) -> int:
    """As the store keeps moments."""
    return int(seconds * 1e6)


def url_of(number: int) -> str:
    return f"https://www.site{number % 997}.example/2026/news/story-{number * 7919 % 99999989:08d}"


def capture(number: int, version: int, at: float) -> str:
    moment = datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
    return json.dumps(
        {
            "url": url_of(number),
            "file": f"archive-{number % 5000:08d}.warc.gz",
            "offset": 31 * number + version,
            "record_id": f"<urn:uuid:{number:08x}-{version:04x}-4000-8000-{number * 77:012x}>",
            "date": moment,
            "digest": f"sha1:{number:032d}",
            "revisit": None,
        }
    )


def digest(number: int, version: int) -> str:
    return f"t2:{number * 1_000_003 + version:064x}"


# ── The store ────────────────────────────────────────────────────────────────────────────────────────────


def fill(path: Path, sizes: argparse.Namespace) -> None:
    chances = Chances()
    born = [chances.born() for _ in range(sizes.articles)]
    connection = sqlite3.connect(path)
    with connection:
        put(connection, "channels", channel_rows(sizes.channels))
        put(connection, "articles", article_rows(born, sizes.versions))
        put(connection, "pages", page_rows(born))
        put(connection, "entries", entry_rows(born, sizes.channels))
        put(connection, "versions", version_rows(chances, born, sizes))
        put(connection, "sightings", sighting_rows(chances, born, sizes.channels))
        put(connection, "absences", absence_rows(chances, born))
        put(connection, "twins", twin_rows(chances, sizes.articles))
    connection.close()


def put(connection: sqlite3.Connection, table: str, rows: Iterable[dict[str, object]]) -> None:
    """Insert rows as they come; what they leave out has its default."""
    pending: list[tuple[object, ...]] = []
    statement = ""
    for row in rows:
        if not statement:
            names = ", ".join(f'"{name}"' for name in row)
            statement = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})"
        pending.append(tuple(row.values()))
        if len(pending) == _AT_ONCE:
            connection.executemany(statement, pending)
            pending.clear()
    if pending:
        connection.executemany(statement, pending)


def channel_rows(count: int) -> Iterator[dict[str, object]]:
    for number in range(1, count + 1):
        url = f"https://www.site{number}.example/feed.xml"
        yield {
            "id": number, "seed_url": url, "url": url, "host": f"www.site{number}.example", "kind": "feed",
            "title": f"Channel {number}", "status": "active", "labels": "[]",
            "added": tick(NOW.timestamp() - YEAR), "next_poll": tick(NOW.timestamp()),
            "last_success": tick(NOW.timestamp()),
        }  # fmt: skip


def article_rows(born: Sequence[float], versions: int) -> Iterator[dict[str, object]]:
    for number, moment in enumerate(born, 1):
        yield {
            "id": number, "key": url_of(number), "url": url_of(number), "first_seen": tick(moment),
            "last_captured": tick(NOW.timestamp()), "version": versions, "sketch": json.dumps([number] * 64),
            "canonical": None,
        }  # fmt: skip


def page_rows(born: Sequence[float]) -> Iterator[dict[str, object]]:
    for number, moment in enumerate(born, 1):
        key = f"https://links.example/{number}"
        yield {
            "id": number, "key": key, "url": key, "host": "links.example", "state": "settled",
            "next_try": tick(moment), "capture": capture(number, 1, moment), "article_id": number,
            "captured": tick(moment), "looks": 20, "edits": 9, "recheck": tick(NOW.timestamp() + number),
            "why": "most edits of this channel come within two days",
        }  # fmt: skip


def entry_rows(born: Sequence[float], channels: int) -> Iterator[dict[str, object]]:
    for number, moment in enumerate(born, 1):
        entry = {
            "id": f"story-{number}", "link": f"https://links.example/{number}", "title": f"Story {number}",
            "summary": "Words that a feed has of an article. " * 8,
        }  # fmt: skip
        yield {
            "id": number, "channel_id": number % channels + 1, "key": entry["id"],
            "link_key": entry["link"], "page_id": number, "entry": json.dumps(entry),
            "digest": digest(number, 0), "first_seen": tick(moment),
            "feed_capture": capture(number, 0, moment), "pending": 0, "outcome": "stored",
            "settled": tick(moment),
        }  # fmt: skip


def version_rows(
    chances: Chances, born: Sequence[float], sizes: argparse.Namespace
) -> Iterator[dict[str, object]]:
    """In the order in which a crawl would have written them."""
    seen = [
        (at, number, version)
        for number, moment in enumerate(born, 1)
        for version, at in enumerate(chances.captures(moment, sizes.versions), 1)
    ]
    seen.sort()
    for place, (at, number, version) in enumerate(seen):
        whole = digest(number, version)
        yield {
            "article_id": number, "version": version, "captured": tick(at), "digest": whole,
            "title_digest": whole, "text_digest": whole, "links_digest": whole, "images_digest": whole,
            "method": "article", "capture": capture(number, version, at),
            "object_file": f"articles-{datetime.fromtimestamp(at, UTC):%Y-%m-%d}.jsonl",
            "object_offset": 4000 * place, "extractor": "article/1", "wrapper": None,
            "title": f"What happened in place {number}, told in a title of usual length",
            "kinds": "new" if version == 1 else chances.choice(_KINDS),
            "similarity": chances.random(), "added": int(chances.expovariate(0.03)),
            "removed": int(chances.expovariate(0.05)), "unchanged_until": tick(at - 3600),
            "channel_id": number % sizes.channels + 1, "published": tick(at), "modified": tick(at),
        }  # fmt: skip


def sighting_rows(chances: Chances, born: Sequence[float], channels: int) -> Iterator[dict[str, object]]:
    """Feeds list their last 30 entries."""
    listed: list[deque[tuple[float, int]]] = [deque() for _ in range(channels)]
    rows: dict[int, dict[str, object]] = {}
    for moment, number in sorted((moment, number) for number, moment in enumerate(born, 1)):
        channel = number % channels
        listed[channel].append((moment, number))
        rows[number] = {
            "entry_id": number, "channel_id": channel + 1, "place": chances.randrange(5),
            "not_before": tick(moment - 1800), "seen": tick(moment), "left_after": None, "left": None,
        }  # fmt: skip
        if len(listed[channel]) > 30:
            _, gone = listed[channel].popleft()
            rows[gone] |= {"left_after": tick(moment - 1800), "left": tick(moment)}
            yield rows.pop(gone)
    yield from rows.values()


def absence_rows(chances: Chances, born: Sequence[float]) -> Iterator[dict[str, object]]:
    for number, moment in enumerate(born, 1):
        if chances.random() < _ABSENT:
            gone = min(moment + 10 ** chances.uniform(4, 7), NOW.timestamp() - 7200)
            back = gone + 3600 if chances.random() < _BACK else None
            yield {
                "article_id": number, "gone": tick(gone), "after": tick(gone - 3600), "how": "not_found",
                "back_after": tick(back - 600) if back else None, "back": tick(back) if back else None,
            }  # fmt: skip


def twin_rows(chances: Chances, articles: int) -> Iterator[dict[str, object]]:
    for _ in range(articles // 20):
        older, later = sorted(chances.sample(range(1, articles + 1), 2))
        yield {
            "article_id": later, "other_id": older, "how": "text", "similarity": 0.95,
            "found": tick(NOW.timestamp()),
        }  # fmt: skip


# ── The questions ────────────────────────────────────────────────────────────────────────────────────────


def history(connection: Connection, chances: Chances, articles: int, *, by_link: bool) -> int:
    number = chances.randint(1, articles)
    found = find_article(connection, f"https://links.example/{number}" if by_link else url_of(number))
    if found != number:
        raise SystemExit(f"{url_of(number)} is article {number}, and {found} was found")
    return len(article_history(connection, number).versions)


def unknown(connection: Connection, chances: Chances) -> int:
    return len(similar_articles(connection, url_of(chances.randint(1, 10**6)) + "-moved"))


def changes(connection: Connection, chances: Chances, channels: int, /, **chosen: Any) -> int:
    """Over so many days, up to a moment of the last month that is another each time."""
    until = NOW - timedelta(seconds=chances.random() * 30 * 86400)
    days = chosen.pop("days", None)
    since = until - timedelta(days=days) if days else None
    if chosen.pop("one_channel", False):
        chosen["channels"] = (chances.randint(1, channels),)
    wanted = Wanted(since=since, until=until, **({"limit": _LIMIT} | chosen))
    return sum(1 for _ in find_events(connection, wanted))


def rebuilt(connection: Connection, chances: Chances, channels: int) -> int:
    """As `scrapy rebuild` asks: which entries were listed, and which version of each was current."""
    sightings: Any = importlib.import_module("archiver.store.sightings")
    at, channel = NOW - timedelta(seconds=chances.random() * YEAR * 0.9), chances.randint(1, channels)
    sightings.first_seen(connection, channel)
    spans = sightings.spans_at(connection, channel, at)
    return len(sightings.entries_at(connection, [span.entry_id for span in spans], at))


def questions(connection: Connection, sizes: argparse.Namespace) -> Iterator[tuple[str, Callable[[], int]]]:
    chances = Chances(2)
    for name, by_link in (("by its address", False), ("by an entry's link", True)):
        yield f"history {name}", partial(history, connection, chances, sizes.articles, by_link=by_link)
    yield "history of an unknown address", partial(unknown, connection, chances)
    ask = partial(changes, connection, chances, sizes.channels)
    for name, days in (("a day", 1), ("a week", 7)):
        yield f"changes --since {name}", partial(ask, days=days)
        yield f"changes --since {name}, one channel", partial(ask, days=days, one_channel=True)
        yield f"changes --since {name}, 50 words", partial(ask, days=days, min_words=50)
        yield f"changes --since {name}, kind title", partial(ask, days=days, kinds=("title",))
        yield f"changes --since {name}, kind gone", partial(ask, days=days, kinds=("gone",))
    yield "changes, the newest of all", ask
    yield "changes, the newest of one channel", partial(ask, one_channel=True)
    yield "changes, the newest gone or back", partial(ask, kinds=("gone", "back"))
    if importlib.util.find_spec("archiver.store.sightings"):
        yield "rebuild --at TIME", partial(rebuilt, connection, chances, sizes.channels)


def show(name: str, action: Callable[[], int], rounds: int) -> bool:
    """A line of the table; whether it was quick enough, but for what a busy machine adds now and then."""
    wall, processor, rows = [], [], 0
    for _ in range(rounds):
        started, began = time.perf_counter(), time.process_time()
        rows = max(rows, action())
        wall.append((time.perf_counter() - started) * 1e3)
        processor.append((time.process_time() - began) * 1e3)
    figures = (statistics.median(wall), max(wall), statistics.median(processor), max(processor))
    mark = "" if max(wall) < _HIGHEST else "  not always" if figures[0] < _HIGHEST else "  too slow"
    print(f"{name:38} {rows:5,} {' '.join(f'{one:9.1f}' for one in figures)}{mark}")
    return figures[0] < _HIGHEST


def show_all(connection: Connection) -> None:
    """Who asks for everything gets it piece by piece: what counts is how many a second come."""
    wanted = Wanted(since=NOW - timedelta(days=14), until=NOW - timedelta(days=7))
    started, processor = time.perf_counter(), time.process_time()
    count = sum(1 for _ in find_events(connection, wanted))
    seconds, processor = time.perf_counter() - started, time.process_time() - processor
    print(
        f"\nchanges of a week, --limit 0: {count:,} in {seconds:.1f} s, {count / processor:,.0f} a CPU second"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--versions", type=int, default=10, help="of each article")
    parser.add_argument("--channels", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=50, help="how often each question is asked")
    parser.add_argument("--scratch", type=Path, default=None, help="where the store is made for a while")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-history-", dir=options.scratch) as folder:
        path = Path(folder) / "state.sqlite"
        Database(f"sqlite:///{path}").close()
        started = time.perf_counter()
        fill(path, options)
        size = sum(one.stat().st_size for one in Path(folder).iterdir())
        print(
            f"{options.articles:,} articles with {options.versions} versions, {options.channels} channels:"
            f" {size / 1e6:,.0f} MB, made in {time.perf_counter() - started:.0f} s\n"
        )
        print(f"{'milliseconds':38} {'rows':>5} {'median':>9} {'worst':>9} {'cpu':>9} {'cpu worst':>9}")
        with reading(f"sqlite:///{path}") as connection:
            quick = [show(name, action, options.rounds) for name, action in questions(connection, options)]
            show_all(connection)
        if not all(quick):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
