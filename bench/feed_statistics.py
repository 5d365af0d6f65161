"""How long `scrapy statistics` takes over a large archive, and whether its memory stays flat.

    python bench/feed_statistics.py --channels 1000 --entries 300

The state store is made in a temporary folder, the same in every run; each entry carries 3 kB of content.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import insert

from archiver.documents.feeds.model import FeedDate, FeedEntry, FeedHints
from archiver.store.database import Database
from archiver.store.schema import channels, entries

if TYPE_CHECKING:
    from sqlalchemy import Connection

NOW = datetime(2026, 11, 1, tzinfo=UTC)
CONTENT = "<p>" + "lorem ipsum dolor " * 170 + "</p>"
LABELS = ("art", "biology", "blogs", "environment", "medicine", "science", "universe")
ROOT = Path(__file__).resolve().parents[1]


def fill(connection: Connection, feeds: int, count: int) -> None:
    chance = Random(1)
    for number in range(1, feeds + 1):
        url = f"http://host{number}.example/feed"
        row = {
            "seed_url": url,
            "url": url,
            "kind": "feed",
            "status": "active",
            "added": NOW,
            "next_poll": NOW,
        }
        row |= {"labels": (chance.choice(LABELS),), "format": "rss20", "hints": FeedHints(shown=10)}
        connection.execute(insert(channels).values(id=number, **row))
        connection.execute(insert(entries), entry_rows(number, count, chance))


def entry_rows(channel: int, count: int, chance: Random) -> list[dict[str, object]]:
    """Entries at random moments, from a few minutes to a few weeks apart on average."""
    mean, moment, rows = 10 ** chance.uniform(2.5, 6.3), NOW, []
    for number in range(count):
        moment -= timedelta(seconds=chance.expovariate(1 / mean))
        entry = FeedEntry(id=str(number), content=CONTENT, published=FeedDate(text="then", utc=moment))
        row = {"channel_id": channel, "key": str(number), "entry": entry, "digest": "d", "first_seen": NOW}
        rows.append(row | {"pending": False})
    return rows


def measured(folder: Path) -> tuple[float, float]:
    """Seconds and peak memory in MB of the whole command."""
    started = time.perf_counter()
    words = ["-m", "scrapy", "statistics", "-s", f"ARCHIVE_DIR={folder}", "--html", str(folder / "page.html")]
    process = subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"scrapy statistics ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - started, usage.ru_maxrss / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--channels", type=int, default=1000)
    parser.add_argument("--entries", type=int, default=300, help="of each channel")
    asked = parser.parse_args()
    print(f"{'channels':>8}  {'entries':>9}  {'store MB':>8}  {'seconds':>7}  {'peak MB':>7}")
    for feeds in (max(1, asked.channels // 10), asked.channels):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "warc").mkdir()
            database = Database(f"sqlite:///{folder / 'state.sqlite'}")
            database.run(fill, feeds, asked.entries)
            database.close()
            size = (folder / "state.sqlite").stat().st_size / 1e6
            seconds, peak = measured(folder)
            print(f"{feeds:>8}  {feeds * asked.entries:>9,}  {size:>8.0f}  {seconds:>7.1f}  {peak:>7.0f}")


if __name__ == "__main__":
    main()
