"""A long queue of a campaign: how long a grant takes and how much memory, and scoring it anew.

usage: python -m bench.campaign_queue [--candidates 2000000] [--rescored 100000] [--url URL] [--json FILE]

The first part fills a queue of so many addresses of 5,000 hosts, in a state store of its own or in that of
--url, and hands out candidates as a crawl does: the best, some by chance, and what is found on each page is
added. The second part edits the file of a campaign that is being crawled, on loopback, with so many addresses
waiting: the time until the last one is scored anew, the requests that were made meanwhile, and whether
anything was fetched twice.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from sqlalchemy import insert

from archiver.acquisition.campaigns.links import LinkEvidence
from archiver.acquisition.campaigns.model import WayThere, found_link
from archiver.acquisition.campaigns.queue import DICE, FIRST_QUOTA, band_of, score_of
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.acquisition.campaigns.words import word_ids
from archiver.running.campaign_run import CampaignRun
from archiver.store.campaigns.definitions import register_campaign
from archiver.store.campaigns.exploring import choose
from archiver.store.campaigns.granting import QueueRoom, next_candidate
from archiver.store.campaigns.queue import add_candidates, evidence_blob
from archiver.store.database import Database
from archiver.store.schema import candidates, host_yields
from bench.campaign_edit import rescored_in_flight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from sqlalchemy import Connection

    from archiver.running.campaign_run import RunningCampaign

NOW = datetime(2026, 6, 10, tzinfo=UTC)
HOSTS = 5_000
TEXT = "campaign: long\nlanguages: [en]\nkeywords: [flood, dyke]\nseeds: [http://a.example/]\n"
_WORDS = [
    "flood",
    "dyke",
    "river",
    "opera",
    "school",
    "museum",
    "garden",
    "street",
    "bicycle",
    "council",
    "theatre",
]
_AT_ONCE = 10_000
# Candidates that are under way while others are handed out.
_BUSY = 64
_LINKS = 30
# What is known of addresses, of each 10,000: each takes a tenth of a millisecond to make up.
_EVIDENCES = 200


def filled(connection: Connection, campaign_id: int, count: int, best: int = 1) -> None:
    """Put so many addresses into the queue, by hand: finding them would take a week."""
    chance = random.Random(7)
    hosts = [
        {"campaign_id": campaign_id, "host": f"h{number}.example", "head": best, "quota": FIRST_QUOTA}
        for number in range(HOSTS)
    ]
    connection.execute(insert(host_yields), hosts)
    for start in range(0, count, _AT_ONCE):
        numbers = range(start, min(count, start + _AT_ONCE))
        connection.execute(insert(candidates), list(_rows(chance, campaign_id, numbers, best)))


def _rows(chance: random.Random, campaign_id: int, numbers: range, best: int) -> Iterator[dict[str, Any]]:
    blobs = [_evidence(chance, best) for _ in range(_EVIDENCES)]
    for number in numbers:
        host = f"h{chance.randrange(HOSTS)}.example"
        rank = best + int((999 - best) * chance.random() ** 0.5)
        url = f"http://{host}/story/{number}"
        yield {
            "campaign_id": campaign_id, "key": url, "url": url, "host": host, "state": "waiting",
            "rank": rank,
            "band": band_of(score_of(rank)), "dice": chance.randrange(DICE),
            "evidence": chance.choice(blobs),
            "revision": 1, "found": NOW, "found_by": "link", "next_try": NOW,
        }  # fmt: skip


def _evidence(chance: random.Random, best: int) -> bytes:
    # What is never to be fetched is about something else, and far from the subject.
    said, hops = (_WORDS, 0) if best == 1 else (_WORDS[3:], 3)
    words = chance.choices(said, k=4)
    evidence = LinkEvidence(
        anchor=word_ids(" ".join(words), "en"),
        context=word_ids(" ".join(chance.choices(said, k=12)), "en"),
        parents=1.0,
        relevance=chance.random() if best == 1 else 0.0,
        hops=hops,
        told=" ".join(words),
    )
    return evidence_blob(evidence)


def begun(connection: Connection) -> RunningCampaign:
    read = read_campaign(TEXT.encode(), "long.yaml", Path())
    found = register_campaign(connection, read, "long.yaml", NOW)
    run = CampaignRun()
    run.begin(connection, [found.campaign.id], NOW)
    (running,) = run.campaigns.values()
    return running


def granted(database: Database, running: RunningCampaign, times: int) -> dict[str, float]:
    """Milliseconds of a grant by the clock and of processor time, of adding links, and of the next moment."""
    wall: list[float] = []
    busy: list[int] = []
    work: list[float] = []
    found: list[float] = []
    moments: list[float] = []
    chance = random.Random(11)
    for number in range(times):
        room = QueueRoom(limit=16, per_host=2, busy=frozenset(busy[-_BUSY:]))
        before = database.cpu_seconds()
        began = time.perf_counter()
        chosen = database.run(choose, running.campaign, NOW, room, running.models, running.draws, 16 * number)
        wall.append(1000 * (time.perf_counter() - began))
        work.append(1000 * (database.cpu_seconds() - before))
        busy += [one.id for one in chosen]
        links = [
            found_link(f"http://h{chance.randrange(HOSTS)}.example/new/{number}/{at}", "flood dyke", "", "en")
            for at in range(_LINKS)
        ]
        began = time.perf_counter()
        way = WayThere(relevance=0.7, page_id=chosen[0].id)
        database.run(add_candidates, running.campaign, links, NOW, score=running.models.score, way=way)
        found.append(1000 * (time.perf_counter() - began))
        began = time.perf_counter()
        database.run(next_candidate, running.campaign.id, NOW)
        moments.append(1000 * (time.perf_counter() - began))
    return {
        "grant_median_ms": statistics.median(wall),
        "grant_worst_ms": max(wall),
        "grant_cpu_ms": statistics.mean(work),
        "adding_30_links_ms": statistics.median(found),
        "next_moment_ms": statistics.median(moments),
    }


def long_queue(url: str, count: int, times: int) -> dict[str, float]:
    database = Database(url)
    running = database.run(begun)
    before = _memory()
    began = time.perf_counter()
    database.run(filled, running.campaign.id, count)
    took = time.perf_counter() - began
    after_filling = _memory()
    figures = granted(database, running, times)
    database.close()
    return {
        "candidates": count,
        "filled_s": took,
        **figures,
        "memory_before_mb": before,
        "memory_filled_mb": after_filling,
        "memory_mb": _memory(),
    }


def _memory() -> float:
    """The most that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--candidates", type=int, default=2_000_000)
    parser.add_argument("--rescored", type=int, default=100_000)
    parser.add_argument("--grants", type=int, default=200)
    parser.add_argument("--url")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(words)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        if options.candidates:
            url = options.url or f"sqlite:///{Path(folder) / 'long.sqlite'}"
            found["queue"] = long_queue(url, options.candidates, options.grants)
            for name, value in found["queue"].items():
                print(f"{name:<22} {value:12.1f}", flush=True)
        if options.rescored:
            found["edit"] = rescored_in_flight(Path(folder), options.rescored, filled)
            for name, value in found["edit"].items():
                print(f"{name:<22} {value:12.1f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
