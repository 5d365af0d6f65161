"""How fast polls are decided, and how fast the due channels are found among a million."""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import insert, update

from archiver.acquisition.channels.polling.decide import Aim, decide
from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import DAY, SeenEntries, observe, packed, unknown, unpacked
from archiver.acquisition.outcomes import Failure, Success
from archiver.store.database import Database
from archiver.store.polling.due import HostLimit, due_channels, next_due
from archiver.store.schema import channels, listings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from archiver.acquisition.channels.polling.rhythm import Floats, Rhythms

NOW = datetime(2026, 3, 2, 7, tzinfo=UTC)
SEEDS, FEW = "/seeds.txt", "/few.txt"
FULL = "www.full.example"
PER_HOST = 2
_INSERTED_AT_ONCE = 20_000
_ROUNDS = 15


# ── Decisions ────────────────────────────────────────────────────────────────────────────────────────────


def looks(count: int, generator: np.random.Generator) -> tuple[Rhythms, Floats, SeenEntries]:
    """Channels with 0.01 to 300 entries a day, polled twice, and what a third poll shows."""
    rhythms, now = unknown(count), NOW.timestamp() - generator.uniform(0, DAY, count)
    rate = 10 ** generator.uniform(-2, 2.5, count)
    passed = np.full(count, 10 * DAY)
    for _ in range(2):
        rhythms = learned(rhythms, now, shown(generator, rate, now, passed))
        passed = 10 ** generator.uniform(3.3, 5, count)
        now = now + passed
    return rhythms, now, shown(generator, rate, now, passed)


def shown(generator: np.random.Generator, rate: Floats, now: Floats, passed: Floats) -> SeenEntries:
    counts = np.minimum(generator.poisson(rate * passed / DAY), 30)
    owner = np.repeat(np.arange(len(rate)), counts)
    published = now[owner] - generator.uniform(0, 1, len(owner)) * passed[owner]
    window = np.where(np.arange(len(rate)) % 3 == 0, 10, 30)
    return SeenEntries(published=published, owner=owner, shown=window, is_gap=counts >= window)


def learned(rhythms: Rhythms, now: Floats, seen: SeenEntries) -> Rhythms:
    before = np.where(rhythms["at"] == 0, now, rhythms["at"])
    usual, expected = Forecast(rhythms, before).passed(now)
    return observe(rhythms, now, seen, expected, usual)


def decided(rhythms: Rhythms, now: Floats) -> None:
    decide(Forecast(rhythms, now), rhythms["window"].astype(np.float64), Aim(price=0.03))


def per_second(count: int, rounds: int, action: Callable[[], object]) -> float:
    """Of processor time; the median, for the first calls and a noisy moment tell nothing."""
    seconds = []
    for _ in range(rounds):
        started = time.process_time()
        action()
        seconds.append(time.process_time() - started)
    return count / statistics.median(seconds)


def show_decisions() -> None:
    generator = np.random.default_rng(1)
    print(f"{'channels at once':>16} {'decided/s':>10} {'learned/s':>10} {'read/s':>10}")
    for count in (1, 100, 1000, 2000, 5000):
        rhythms, now, seen = looks(count, generator)
        kept = [packed(rhythms, place) for place in range(count)]
        rounds = 200 if count == 1 else 25
        figures = (
            per_second(count, rounds, lambda r=rhythms, n=now: decided(r, n)),
            per_second(count, rounds, lambda r=rhythms, n=now, s=seen: learned(r, n, s)),
            per_second(count, rounds, lambda k=kept: unpacked(*k)),
        )
        print(
            f"{count:16,} "
            + " ".join(f"{one:{width},.0f}" for one, width in zip(figures, (10, 10, 10), strict=True))
        )


# ── Due channels ─────────────────────────────────────────────────────────────────────────────────────────


def rows(count: int, due_share: float) -> Iterator[dict[str, object]]:
    """Channels of 60,000 hosts, a few of which have most of them."""
    chance = random.Random(1)
    for number in range(1, count + 1):
        host = f"www.site{int(60_000 * chance.random() ** 4)}.example"
        is_due = chance.random() < due_share
        wait = -chance.random() * 3600 if is_due else chance.random() * DAY
        url = f"https://{host}/feeds/{number}.xml"
        yield {
            "id": number,
            "seed_url": url,
            "url": url,
            "host": host,
            "kind": "feed",
            **state(chance.random()),
            "labels": (),
            "added": NOW,
            "next_poll": NOW + timedelta(seconds=wait),
        }


def state(chance: float) -> dict[str, object]:
    """Two in a hundred are retired, a quarter of these for good."""
    if chance >= 0.02:
        return {"status": "active", "outcome": Success.NEW}
    return {"status": "retired", "outcome": Failure.GONE if chance < 0.005 else Failure.DNS}


def fill(connection: Connection, count: int, due_share: float) -> None:
    batch = []
    for row in rows(count, due_share):
        batch.append(row)
        if len(batch) == _INSERTED_AT_ONCE or row["id"] == count:
            connection.execute(insert(channels), batch)
            named = [{"channel_id": one["id"], "source": SEEDS} for one in batch]
            connection.execute(insert(listings), named)
            batch.clear()
    few = [{"channel_id": number, "source": FEW} for number in range(7, count, count // 10)]
    connection.execute(insert(listings), few)


def crowd(connection: Connection, count: int) -> None:
    """Have so many channels of one host wait longer than all others."""
    first = channels.c.id <= count
    connection.execute(update(channels).where(first).values(host=FULL, next_poll=NOW - timedelta(hours=2)))


def show_due(database: Database) -> None:
    for limit in (16, 128, 1000):
        for polled, told in (((), "no host full"), ((FULL,) * PER_HOST, "one host full")):
            for sources in (None, [SEEDS]):
                hosts = HostLimit(most=PER_HOST, polled=polled)
                name = f"{limit} due, {told}" + (", of a seeds file" if sources else "")
                show(
                    database,
                    name,
                    due_channels,
                    NOW,
                    limit=limit,
                    busy=(),
                    sources=sources,
                    not_since=None,
                    hosts=hosts,
                )
    few = {"limit": 128, "busy": (), "sources": [FEW], "not_since": None}
    show(database, "those of a seeds file with ten", due_channels, NOW, **few)
    show(database, "when the next is due", next_due, None)


def show(
    database: Database, name: str, function: Callable[..., object], *args: object, **named: object
) -> None:
    wall, processor = [], []
    for _ in range(_ROUNDS):
        began, started = database.cpu_seconds(), time.perf_counter()
        database.run(function, *args, **named)
        wall.append((time.perf_counter() - started) * 1e3)
        processor.append((database.cpu_seconds() - began) * 1e3)
    wall.sort()
    print(f"{name:44} {statistics.median(wall):8.1f} {wall[-2]:8.1f} {statistics.median(processor):8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--channels", type=int, default=1_000_000)
    parser.add_argument("--due", type=float, default=0.05, help="which share of them is due")
    parser.add_argument("--scratch", type=Path, default=None, help="where the store is made for a while")
    parser.add_argument("--decisions-only", action="store_true")
    options = parser.parse_args()
    show_decisions()
    if options.decisions_only:
        return
    with tempfile.TemporaryDirectory(prefix="bench-schedule-", dir=options.scratch) as folder:
        database = Database(f"sqlite:///{Path(folder) / 'state.sqlite'}")
        try:
            database.run(fill, options.channels, options.due)
            title = f"among {options.channels:,} channels, milliseconds"
            print(f"\n{title:44} {'median':>8} {'p93':>8} {'cpu':>8}")
            show_due(database)
            database.run(crowd, options.channels // 10)
            print(f"\nthe first {options.channels // 10:,} due are all of one host")
            show_due(database)
        finally:
            database.close()


if __name__ == "__main__":
    main()
