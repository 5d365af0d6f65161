"""A store with a year of articles, their versions and absences, for measuring the questions about them."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

NOW = datetime(2026, 3, 2, 7, tzinfo=UTC)
YEAR = 365 * 86400
_AT_ONCE = 5000
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
                "noted": tick(gone + 900),
                "back_after": tick(back - 600) if back else None, "back": tick(back) if back else None,
            }  # fmt: skip


def twin_rows(chances: Chances, articles: int) -> Iterator[dict[str, object]]:
    for _ in range(articles // 20):
        older, later = sorted(chances.sample(range(1, articles + 1), 2))
        yield {
            "article_id": later, "other_id": older, "how": "text", "similarity": 0.95,
            "found": tick(NOW.timestamp()),
        }  # fmt: skip
