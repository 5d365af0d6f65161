"""Campaigns on blogs of one software, with the order of the knowledge base and without it.

usage: python -m bench.campaign_software [--seeds 1-6] [--requests 240]

Each web has 12 blogs, whose posts are about a flood or not; every page leads to lists by tag, month and
author, to buttons and to a page to log in as well. The queue and the store are the real ones, without a
network. Printed are relevant pages for each 100 requests.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from archiver.acquisition.sites.knowledge.loading import load_knowledge
from tests.crawl.known_web.blogs import BlogWeb
from tests.crawl.known_web.offline import OfflineCampaign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase

_HOSTS = 12


def harvest(seed: int, requests: int, knowledge: KnowledgeBase | None) -> float:
    """Relevant pages for each 100 requests."""
    web = BlogWeb(seed, [f"http://h{at}.example" for at in range(_HOSTS)])
    with tempfile.TemporaryDirectory() as folder:
        played = OfflineCampaign(web, Path(folder), requests, knowledge=knowledge)
        played.play()
        played.database.close()
    return 100 * len({web.page_at(url) for url in played.asked} & web.relevant) / len(played.asked)


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="1-6")
    parser.add_argument("--requests", type=int, default=240)
    options = parser.parse_args(words)
    first, _, last = options.seeds.partition("-")
    known = load_knowledge(("builtin",))
    rows = []
    for seed in range(int(first), int(last or first) + 1):
        rows.append((harvest(seed, options.requests, None), harvest(seed, options.requests, known)))
        print(f"web {seed}: without {rows[-1][0]:.1f}, with the knowledge base {rows[-1][1]:.1f}", flush=True)
    without, with_it = (sum(side) / len(rows) for side in zip(*rows, strict=True))
    print(f"mean of {len(rows)}: without {without:.1f}, with it {with_it:.1f} ({with_it / without:.2f} x)")


if __name__ == "__main__":
    main(sys.argv[1:])
