"""How fast the queries behind `history`, `changes` and `rebuild` are, over a million versions of articles."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from history_store import NOW, YEAR, Chances, fill, url_of

from archiver.archive.withheld import NOTHING_WITHHELD
from archiver.inspection.history.changes import Wanted, find_events
from archiver.inspection.history.queries import article_history, find_article, similar_articles
from archiver.store.database import Database
from archiver.store.polling.sightings import entries_at, first_seen, spans_at
from archiver.store.reading import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

_HIGHEST = 100.0  # milliseconds
_LIMIT = 200  # as `scrapy changes` has it


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
    return sum(1 for _ in find_events(connection, wanted, NOTHING_WITHHELD))


def rebuilt(connection: Connection, chances: Chances, channels: int) -> int:
    """As `scrapy rebuild` asks: which entries were listed, and which version of each was current."""
    at, channel = NOW - timedelta(seconds=chances.random() * YEAR * 0.9), chances.randint(1, channels)
    first_seen(connection, channel)
    spans = spans_at(connection, channel, at)
    return len(entries_at(connection, [span.entry_id for span in spans], at))


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
    count = sum(1 for _ in find_events(connection, wanted, NOTHING_WITHHELD))
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
