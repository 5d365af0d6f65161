"""Several crawl workers on one PostgreSQL store: what is lost, what a poll costs, how much faster it is.

    .venv/bin/python -m bench.workers kill --channels 5000 --hosts 500 --workers 4
    .venv/bin/python -m bench.workers cost
    .venv/bin/python -m bench.workers throughput --workers 1,2,4
    .venv/bin/python -m bench.workers claim --channels 10000000

Each prints one JSON object. The server is one of its own, without fsync, as in the tests, or that of
`--server`, of which `claim` goes on with the channels that it finds, where they are as many as it wants.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.options import numbers, whole_number
from bench.worker_costs import emptied, measure_claims, measure_cost, url_of
from tests.crawl.running import write_seeds
from tests.crawl.sharing import PAGES_EVERY, ManyHosts, Workers, count_store
from tests.store.postgresql import server


def main() -> None:
    given = _arguments()
    parts = {"kill": _kill, "cost": measure_cost, "throughput": _throughput, "claim": measure_claims}
    with nullcontext(given.server) if given.server else server() as address:
        found = parts[given.part](address, given)
    print(json.dumps({"part": given.part} | found, indent=1))


def _workers(folder: Path, address: str, web: ManyHosts, **settings: object) -> Workers:
    return Workers(
        folder=folder,
        store=url_of(address),
        seeds=write_seeds(folder / "archive", web.seeds()),
        settings={
            "POLL_INTERVAL": "20h",
            "RANDOMIZE_DOWNLOAD_DELAY": False,
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


# ── How much faster several are ──────────────────────────────────────────────────────────────────────────


def _throughput(address: str, given: argparse.Namespace) -> dict[str, Any]:
    rates: dict[int, float] = {}
    for count in given.workers:
        emptied(address)
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
    parser.add_argument("--server", help='emptied: "host=/folder/of/socket user=postgres"')
    return parser.parse_args()


if __name__ == "__main__":
    main()
