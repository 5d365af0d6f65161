"""Several crawl workers on one PostgreSQL store: what is lost, what a poll costs, how much faster it is.

    .venv/bin/python -m bench.workers kill --channels 5000 --hosts 500 --workers 4
    .venv/bin/python -m bench.workers cost
    .venv/bin/python -m bench.workers throughput --workers 1,2,4
    .venv/bin/python -m bench.workers claim --channels 10000000

Each prints one JSON object. The server is one of its own, without fsync, as in the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from archiver.acquisition.items import ChannelPoll
from archiver.running.leasing import Leasing
from archiver.running.sources import Room
from archiver.store.database import Database
from archiver.store.polling.due import HostLimit, due_channels
from archiver.store.polling.polls import store_poll
from archiver.store.workers import WorkerPlace, begin_worker, end_worker
from bench.options import numbers, whole_number
from tests.crawl.running import write_seeds
from tests.crawl.sharing import PAGES_EVERY, ManyHosts, Workers, count_store
from tests.store.postgresql import server
from tests.store.samples import NOW, RULES, capture, entry, feed_of

_WARM = 32  # polls before those that are measured
_TICKS = os.sysconf("SC_CLK_TCK")
_CHANNELS_SQL = """INSERT INTO channels (id, seed_url, url, host, kind, status, labels, added, next_poll, why)
    SELECT n, u, u, h, 'feed', 'active', '[]', 0, %(now)s - (n %% 1000000) * 1000000, 'never polled'
    FROM (SELECT n, 'd' || n %% %(hosts)s || '.org' AS h, 'http://d' || n %% %(hosts)s || '.org/' || n AS u
        FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n) AS rows"""


def main() -> None:
    given = _arguments()
    with server() as address:
        found = {"kill": _kill, "cost": _cost, "throughput": _throughput, "claim": _claim}[given.part](
            address, given
        )
    print(json.dumps({"part": given.part} | found, indent=1))


def _url(address: str) -> str:
    folder = address.split(maxsplit=1)[0].removeprefix("host=")
    return f"postgresql+psycopg://postgres@/postgres?host={folder}"


def _emptied(address: str) -> None:
    with psycopg.connect(f"{address} dbname=postgres", autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def _workers(folder: Path, address: str, web: ManyHosts, **settings: object) -> Workers:
    return Workers(
        folder=folder,
        store=_url(address),
        seeds=write_seeds(folder / "archive", web.seeds()),
        settings={
            "POLL_INTERVAL": "20h",
            "DOWNLOAD_DELAY_JITTER": 0,
            "RUN_HOST_TIME": 3600,
            "WARC_FSYNC": False,
            **settings,
        },
    )


# ── Workers that are killed ──────────────────────────────────────────────────────────────────────────────


def _kill(address: str, given: argparse.Namespace) -> dict[str, Any]:
    web, chosen = ManyHosts(given.channels, given.hosts, latency=0.01), random.Random(given.seed)
    names = [f"w{number}" for number in range(max(given.workers))]
    began = time.monotonic()
    with web.serving(), tempfile.TemporaryDirectory() as folder:
        workers = _workers(
            Path(folder), address, web, WORKER_TIMEOUT=10, DOWNLOAD_DELAY=given.delay,
            CONCURRENT_REQUESTS=given.requests, CONCURRENT_REQUESTS_PER_DOMAIN=1,
        )  # fmt: skip
        for day in range(given.days):
            web.day, before = day, len(web.polls())
            workers.start(names, day)
            if day < given.kills:
                goal = before + chosen.randint(given.channels // 10, given.channels * 8 // 10)
                while len(web.polls()) < goal:
                    time.sleep(0.05)
                workers.kill(chosen.choice(names))
            workers.wait(3600)
    store, polls = count_store(address), web.polls()
    early = web.early(given.delay)
    return {
        "channels": given.channels,
        "hosts": given.hosts,
        "workers": len(names),
        "days": given.days,
        "killed": workers.killed,
        "problems": workers.problems,
        "store": {
            "channels_by_polls": store.polls,
            "entries": store.entries,
            "entries_expected": given.days * len(range(0, given.channels, PAGES_EVERY)),
            "versions": store.versions,
            "pending": store.pending,
            "unread": store.unread,
            "domains_held": store.held,
        },
        "server": {
            "channels_asked_each_day": len(polls),
            "asked_again_in_a_day": sum(polls.values()) - len(polls),
            "under_way_at_kills_at_most": 2 * given.requests * len(workers.killed),
            "most_at_once_of_a_host": max(web.most_at_once.values()),
            "early_between_workers": sum(one.agent != other.agent for one, other in early),
            "early_within_a_worker": sum(one.agent == other.agent for one, other in early),
            "pairs_of_workers": len({(one.host, one.agent) for one in web.asked}),
        },
        "seconds": round(time.monotonic() - began, 1),
    }


# ── What claim and settlement of a poll cost ─────────────────────────────────────────────────────────────


class _Due:
    """Channels, as their source has them."""

    def due(self, connection: Any, room: Room) -> Any:
        return due_channels(
            connection, room.now, limit=room.limit, busy=room.busy, sources=None, not_since=None,
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


async def _polls(url: str, name: str, count: int, rate: float) -> dict[str, float]:
    database, leasing, worker = _begun(url, name)
    walls: list[float] = []
    cpu, warm = time.process_time(), 0
    due = time.monotonic()
    done = 0
    while done < count + _WARM:
        if done >= _WARM and not warm:
            # Statements are compiled, and the server's caches filled: that is not of these polls.
            cpu, warm, walls = time.process_time(), done, []
        began = time.perf_counter()
        targets = await _claimed(leasing, 8, NOW)
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
    used = time.process_time() - cpu
    database.run(end_worker, worker)
    database.close()
    return {
        "polls": done - warm,
        "cpu": used,
        "wall": sum(walls),
        "median": statistics.median(walls),
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


def _cost(address: str, given: argparse.Namespace) -> dict[str, Any]:
    rows = []
    for workers in given.workers:
        _emptied(address)
        Database(_url(address)).close()
        _generate(address, 20_000, hosts=5000)
        before = _server_cpu(address)
        results: Any = multiprocessing.Queue()
        players = [
            multiprocessing.Process(
                target=_play, args=(_url(address), f"w{one}", given.polls, given.rate, results)
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


# ── How much faster several are ──────────────────────────────────────────────────────────────────────────


def _throughput(address: str, given: argparse.Namespace) -> dict[str, Any]:
    rates: dict[int, float] = {}
    for count in given.workers:
        _emptied(address)
        web = ManyHosts(given.channels, given.channels, latency=0.1)
        with web.serving(), tempfile.TemporaryDirectory() as folder:
            workers = _workers(
                Path(folder), address, web, DOWNLOAD_DELAY=0, CONCURRENT_REQUESTS=4, ROBOTSTXT_OBEY=False
            )
            workers.start([f"w{one}" for one in range(count)])
            workers.wait(1800)
        rates[count] = _steady_rate(web)
    base = rates[given.workers[0]]
    return {
        "channels": given.channels,
        "requests_a_second": {count: round(rate, 2) for count, rate in rates.items()},
        "ratios": {count: round(rate / base, 3) for count, rate in rates.items()},
    }


def _steady_rate(web: ManyHosts) -> float:
    """Requests a second while all workers are at work, from the last beginning to the first end."""
    times: dict[str, list[float]] = {}
    for one in web.asked:
        times.setdefault(one.agent, []).append(one.ended)
    begin, end = max(min(some) for some in times.values()), min(max(some) for some in times.values())
    return sum(begin <= one.ended <= end for one in web.asked) / (end - begin)


# ── A large store ────────────────────────────────────────────────────────────────────────────────────────


def _generate(address: str, channels: int, *, hosts: int) -> None:
    now = int(NOW.timestamp() * 1_000_000)
    with psycopg.connect(f"{address} dbname=postgres", autocommit=True) as connection:
        for first in range(1, channels + 1, 1_000_000):
            last = min(channels, first + 999_999)
            connection.execute(_CHANNELS_SQL, {"now": now, "hosts": hosts, "first": first, "last": last})
        connection.execute("ANALYZE channels")


def _claim(address: str, given: argparse.Namespace) -> dict[str, Any]:
    Database(_url(address)).close()
    began = time.monotonic()
    _generate(address, given.channels, hosts=given.channels // 10)
    generated = time.monotonic() - began
    return {"channels": given.channels, "generated_seconds": round(generated, 1)} | asyncio.run(
        _claims(address, given)
    )


async def _claims(address: str, given: argparse.Namespace) -> dict[str, Any]:
    """Claims of one worker while three others have their head of the queue."""
    begun = [_begun(_url(address), f"w{one}") for one in range(4)]
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


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", choices=("kill", "cost", "throughput", "claim"))
    parser.add_argument("--workers", type=numbers, default=[1, 4])
    parser.add_argument("--channels", type=whole_number, default=5000)
    parser.add_argument("--hosts", type=whole_number, default=500)
    parser.add_argument("--days", type=whole_number, default=3)
    parser.add_argument("--kills", type=int, default=2, help="one on each of the first days")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds between two requests to a host")
    parser.add_argument(
        "--requests", type=whole_number, default=16, help="CONCURRENT_REQUESTS of each worker"
    )
    parser.add_argument("--polls", type=whole_number, default=400, help="of each worker")
    parser.add_argument("--rate", type=float, default=15.0, help="polls a second of each worker")
    parser.add_argument("--claims", type=whole_number, default=200)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
