"""Campaigns on webs with known relevance, traps and copies: budget, traps, and the estimate of the rest.

usage: python -m bench.campaign_estimate [--seeds 101-140] [--requests 240] [--json FILE] [--offline]

Each run is a real crawl of some 18 hosts on loopback, whose pages and relevance are made up from a seed. It
holds the requests that the servers counted against the budget and against WARC, counts those that were spent
in traps, and compares the estimate of `scrapy campaign status` with how many relevant pages wait in truth.
With --json, runs that the file has are not made again. With --offline, the same queue and store without a
network: quicker, and without budget and WARC.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from msgspec import to_builtins

from archiver.archive.warc.exchanges import kept_exchanges
from archiver.clock import machine_now
from archiver.inspection.campaigns.reading import read_status
from archiver.store.database import open_reader
from tests.crawl.known_web.offline import OfflineCampaign
from tests.crawl.known_web.pages import KnownWeb, campaign_text
from tests.crawl.known_web.serving import ServedWeb
from tests.crawl.known_web.traps import TRAPS
from tests.crawl.running import Archived, start_crawl

if TYPE_CHECKING:
    from collections.abc import Sequence

_WAITING = "SELECT url FROM candidates WHERE state = 'waiting' AND tries = 0"
_HOSTS = 12
_SECONDS = 600


def real_run(seed: int, requests: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place, ServedWeb(seed, hosts=_HOSTS) as web:
        folder = Path(place)
        file, archive = folder / "flood.yaml", folder / "archive"
        file.write_text(campaign_text(web.known, requests))
        settings: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"}
        process = start_crawl(archive, spider="campaign", arguments={"file": str(file)}, **settings)
        process.communicate(timeout=_SECONDS)
        run = Archived(archive)
        with closing(open_reader(f"sqlite:///{archive / 'state.sqlite'}")) as state:
            status = to_builtins(read_status(state, "flood", machine_now()))
        kept = [one for path in sorted((archive / "warc").glob("*.warc.gz")) for one in kept_exchanges(path)]
        waiting = [row["url"] for row in run.rows(_WAITING)]
        asked = web.asked
        pages = [url for url in asked if not url.endswith("/robots.txt")]
        return {
            "seed": seed,
            "exit_code": process.returncode,
            "budget": requests,
            "asked": len(asked),
            "in_warc": len(kept),
            "noted": status["requests"],
            "twice": len(pages) - len(set(pages)),
            **_figures(web.known, asked, waiting, status),
        }


def offline_run(seed: int, requests: int) -> dict[str, Any]:
    web = KnownWeb(seed, [f"http://h{at}.example" for at in range(_HOSTS + len(TRAPS))])
    with tempfile.TemporaryDirectory() as folder:
        played = OfflineCampaign(web, Path(folder), requests)
        played.play()
        waiting = played.waiting()
        status = played.database.run(read_status, "flood", machine_now())
        told = to_builtins(status)
        played.database.close()
    return {"seed": seed, "asked": len(played.asked), **_figures(web, played.asked, waiting, told)}


def _figures(web: KnownWeb, asked: list[str], waiting: list[str], status: dict[str, Any]) -> dict[str, Any]:
    truth, low, high = web.missed(asked, waiting), status["unfetched_low"], status["unfetched_high"]
    return {
        "relevant": len({web.page_at(url) for url in asked} & web.relevant),
        "of": len(web.relevant),
        "in_traps": len(web.wasted(asked)),
        "truth": truth,
        "estimate": round(status["unfetched"], 1),
        "low": round(low, 1),
        "high": round(high, 1),
        "drawn": status["drawn"],
        "holds": low <= truth <= high,
    }


def tell(rows: Sequence[dict[str, Any]]) -> None:
    count = len(rows)
    print(f"{count} runs")
    if "budget" in rows[0]:
        exact = sum(row["asked"] == row["budget"] == row["in_warc"] == row["noted"] for row in rows)
        print(f"budget kept to the request, at the servers, in WARC and in the store: {exact} of {count}")
        print(f"pages asked for twice: {sum(row['twice'] for row in rows)}")
    shares = [row["in_traps"] / row["asked"] for row in rows]
    print(f"requests in traps: {sum(shares) / count:.1%}, worst run {max(shares):.1%}")
    ratios = [row["high"] / max(0.1, row["low"]) for row in rows]
    print(f"truth within the interval: {sum(row['holds'] for row in rows)} of {count}")
    print(f"upper / lower end: {sum(ratios) / count:.2f}, worst {max(ratios):.2f}")
    bias = sum(row["estimate"] for row in rows) / sum(row["truth"] for row in rows)
    print(f"estimate / truth: {bias:.2f}")


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="101-140")
    parser.add_argument("--requests", type=int, default=240)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--offline", action="store_true")
    options = parser.parse_args(words)
    first, _, last = options.seeds.partition("-")
    rows = json.loads(options.json.read_text()) if options.json and options.json.exists() else []
    known = {row["seed"] for row in rows}
    for seed in range(int(first), int(last or first) + 1):
        if seed in known:
            continue
        began = time.monotonic()
        rows.append((offline_run if options.offline else real_run)(seed, options.requests))
        print(json.dumps(rows[-1]), f"{time.monotonic() - began:.0f} s", flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
    tell(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
