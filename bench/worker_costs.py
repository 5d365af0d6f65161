"""What several workers cost the store that they share: claims and settlements, few channels and millions."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import time
from collections import Counter
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import event

from archiver.acquisition.items import ChannelPoll
from archiver.running.leasing import Leasing
from archiver.running.sources import Room
from archiver.store.database import Database
from archiver.store.polling.due import HostLimit, due_channels
from archiver.store.polling.polls import store_poll
from archiver.store.workers import WorkerPlace, begin_worker, end_worker
from tests.store.samples import NOW, RULES, capture, entry, feed_of

if TYPE_CHECKING:
    import argparse

_WARM = 32  # polls before those that are measured
_TICKS = os.sysconf("SC_CLK_TCK")
_SEEDS = "seeds.txt"
_CHANNELS_SQL = """INSERT INTO channels (id, seed_url, url, host, kind, status, labels, added, next_poll, why)
    SELECT n, u, u, h, 'feed', 'active', '[]', 0, %(now)s - (n %% 1000000) * 1000000, 'never polled'
    FROM (SELECT n, 'd' || n %% %(hosts)s || '.org' AS h, 'http://d' || n %% %(hosts)s || '.org/' || n AS u
        FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n) AS rows"""
_INDEXES_SQL = """SELECT indexname, indexdef FROM pg_indexes
    WHERE tablename IN ('channels', 'listings') AND indexdef NOT LIKE 'CREATE UNIQUE%'"""
_LISTINGS_SQL = """INSERT INTO listings (channel_id, source)
    SELECT n, %(source)s FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n"""


def url_of(address: str) -> str:
    folder = address.split(maxsplit=1)[0].removeprefix("host=")
    return f"postgresql+psycopg://postgres@/postgres?host={folder}"


def emptied(address: str) -> None:
    with psycopg.connect(f"{address} dbname=postgres", autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


# ── What claim and settlement of a poll cost ─────────────────────────────────────────────────────────────


class _Due:
    """Channels, as their source has them."""

    def due(self, connection: Any, room: Room) -> Any:
        return due_channels(
            connection, room.now, limit=room.limit, busy=room.busy, sources=[_SEEDS], not_since=None,
            hosts=HostLimit(most=room.per_host, without=room.elsewhere), moment=room.now,
        )  # fmt: skip


def _begun(url: str, name: str) -> tuple[Database, Leasing, Any]:
    database = Database(url)
    place = WorkerPlace(name=name, host="here", process=os.getpid(), folder=name, patience=600.0)
    worker = database.run(begin_worker, place)
    leasing = Leasing(database, worker, most=64)
    leasing.delay_of = lambda host: 0.0  # noqa: ARG005 - none
    return database, leasing, worker


async def _claimed(leasing: Leasing, limit: int, now: Any) -> Any:
    room = Room(now=now, moment=now, limit=limit, per_host=2)
    return (await leasing.take(_Due(), room)).mine  # type: ignore[arg-type] # as far as it is used


class _Counted:
    """What a worker asks of the server; a transaction that is rolled back is tried again."""

    def __init__(self, database: Database) -> None:
        self.counts = Counter[str]()
        engine = database._engine  # noqa: SLF001 - to be listened to
        for name, what in _EVENTS.items():
            event.listen(engine, name, partial(self._count, what))

    def _count(self, what: str, *_: object) -> None:
        self.counts[what] += 1


_COUNTED = ("claims", "statements", "transactions", "tried_again")
_EVENTS = {"after_cursor_execute": "statements", "commit": "transactions", "rollback": "tried_again"}


async def _polls(url: str, name: str, count: int, rate: float) -> dict[str, float]:
    database, leasing, worker = _begun(url, name)
    made = _Counted(database)
    walls: list[float] = []
    cpu, warm = time.process_time(), 0
    due = time.monotonic()
    done = 0
    while done < count + _WARM:
        if done >= _WARM and not warm:
            # Statements are compiled, and the server's caches filled: that is not of these polls.
            cpu, warm, walls = time.process_time(), done, []
            made.counts.clear()
        began = time.perf_counter()
        targets = await _claimed(leasing, 8, NOW)
        made.counts["claims"] += 1
        claim = time.perf_counter() - began
        for target in targets:
            began = time.perf_counter()
            found = feed_of(entry(f"{target.id}a", link=f"http://{target.host}/{target.id}"))
            poll = ChannelPoll(channel_id=target.id, feed=found, url=target.url, capture=capture(9))
            await database.run_async(store_poll, poll, rules=RULES, recorded=NOW, now=NOW)
            walls.append(time.perf_counter() - began + claim / len(targets))
        done += len(targets)
        began = time.perf_counter()
        await leasing.give_back((), at_rest=True)
        if targets:
            walls[-1] += time.perf_counter() - began
        due += (len(targets) or 1) / rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    used, counts = time.process_time() - cpu, dict(made.counts)
    database.run(end_worker, worker)
    database.close()
    return {
        "polls": done - warm,
        "cpu": used,
        "wall": sum(walls),
        "median": statistics.median(walls),
        **counts,
    }


def _play(url: str, name: str, count: int, rate: float, results: Any) -> None:
    results.put(asyncio.run(_polls(url, name, count, rate)))


def _server_cpu(address: str) -> float:
    """Seconds that all processes of the database server have used, those that ended included."""
    with psycopg.connect(f"{address} dbname=postgres") as connection:
        (first,) = connection.execute("SELECT pg_backend_pid()").fetchone()  # type: ignore[misc] # one row
    parent = int(Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()[1])
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        mine = int(path.parent.name) == parent
        if mine or int(fields[1]) == parent:
            total += sum(map(int, fields[11:15] if mine else fields[11:13]))
    return total / _TICKS


def measure_cost(address: str, given: argparse.Namespace) -> dict[str, Any]:
    rows = []
    for workers in given.workers:
        emptied(address)
        Database(url_of(address)).close()
        _generate(address, 20_000, hosts=5000)
        before = _server_cpu(address)
        results: Any = multiprocessing.Queue()
        players = [
            multiprocessing.Process(
                target=_play, args=(url_of(address), f"w{one}", given.polls, given.rate, results)
            )
            for one in range(workers)
        ]
        for player in players:
            player.start()
        found = [results.get() for _ in players]
        for player in players:
            player.join()
        polls = sum(one["polls"] for one in found)
        cpu = sum(one["cpu"] for one in found)
        rows.append(
            {
                "workers": workers,
                "polls": polls,
                "client_cpu_ms": 1000 * cpu / polls,
                "server_cpu_ms": 1000 * (_server_cpu(address) - before) / (polls + workers * _WARM),
                "wall_ms": 1000 * sum(one["wall"] for one in found) / polls,
                "median_wall_ms": 1000 * statistics.median(one["median"] for one in found),
                **{f"{what}_a_poll": sum(one.get(what, 0) for one in found) / polls for what in _COUNTED},
            }
        )
    first, last = rows[0], rows[-1]
    cpus = [one["client_cpu_ms"] + one["server_cpu_ms"] for one in (first, last)]
    return {
        "rows": rows,
        "cpu_ratio": cpus[1] / cpus[0],
        "wall_ratio": last["wall_ms"] / first["wall_ms"],
        "median_wall_ratio": last["median_wall_ms"] / first["median_wall_ms"],
    }


# ── A large store ────────────────────────────────────────────────────────────────────────────────────────


def _generate(address: str, channels: int, *, hosts: int) -> None:
    now = int(NOW.timestamp() * 1_000_000)
    with psycopg.connect(f"{address} dbname=postgres", autocommit=True) as connection:
        # Without checks of foreign keys, and indexes made at the end: else it takes half an hour.
        connection.execute("SET session_replication_role = replica")
        indexes = connection.execute(_INDEXES_SQL).fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        for first in range(1, channels + 1, 1_000_000):
            last = min(channels, first + 999_999)
            connection.execute(_CHANNELS_SQL, {"now": now, "hosts": hosts, "first": first, "last": last})
            connection.execute(_LISTINGS_SQL, {"source": _SEEDS, "first": first, "last": last})
        for _, definition in indexes:
            connection.execute(definition)
        connection.execute("VACUUM ANALYZE channels, listings")


def measure_claims(address: str, given: argparse.Namespace) -> dict[str, Any]:
    Database(url_of(address)).close()
    with psycopg.connect(f"{address} dbname=postgres") as connection:
        known = connection.execute("SELECT count(*) FROM channels").fetchone()
    began = time.monotonic()
    if known != (given.channels,):
        emptied(address)
        Database(url_of(address)).close()
        _generate(address, given.channels, hosts=given.channels // 10)
    generated = time.monotonic() - began
    return {"channels": given.channels, "generated_seconds": round(generated, 1)} | asyncio.run(
        _claims(address, given)
    )


async def _claims(address: str, given: argparse.Namespace) -> dict[str, Any]:
    """Claims of one worker while three others have their head of the queue."""
    begun = [_begun(url_of(address), f"w{one}") for one in range(4)]
    for _, leasing, _ in begun[1:]:
        await _claimed(leasing, 64, NOW)
    database, leasing, _ = begun[0]
    walls, cpus, counts = [], [], Counter[int]()
    for number in range(given.claims):
        now = NOW + timedelta(seconds=number)
        cpu, began = time.process_time(), time.perf_counter()
        targets = await _claimed(leasing, 16, now)
        walls.append(time.perf_counter() - began)
        cpus.append(time.process_time() - cpu)
        counts[len(targets)] += 1
        for target in targets[:4]:
            poll = ChannelPoll(channel_id=target.id, feed=feed_of(), url=target.url, capture=capture(9))
            await database.run_async(store_poll, poll, rules=RULES, recorded=now, now=now)
        await leasing.give_back((), at_rest=True)
    for database, *_ in begun:
        database.close()
    walls.sort()
    return {
        "claims": len(walls),
        "channels_of_a_claim": dict(counts),
        "median_ms": 1000 * statistics.median(walls),
        "p95_ms": 1000 * walls[int(len(walls) * 0.95)],
        "longest_ms": 1000 * walls[-1],
        "cpu_ms": 1000 * statistics.mean(cpus),
    }
