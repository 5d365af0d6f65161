"""Focused crawls replayed on a web with known topics: harvest@R and recall@2R of ours and of others.

usage: python -m bench.campaigns --data FOLDER [--json FILE] [--svg FILE] [--least 60] [--most 100000]

For each topic and draw, three seed pages are fetched and are the only examples; keywords are its name.
harvest@R is the share of relevant pages among the first R that are fetched, R being how many there are;
recall@2R their share that is among the first 2R. The best that any order can reach is printed beside. The
weights of ours were chosen on topics of fewer than 60 pages; those of 60 or more are shown.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.focused.curve import write_curve
from bench.focused.ours import Ours, OursWithoutLearning
from bench.focused.peers import PEERS
from bench.focused.web import Web

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bench.focused.web import WebTopic


class Played(NamedTuple):
    harvest: float
    recall: float
    curve: list[float]  # the share of relevant pages at each hundredth of 2R
    seconds: float
    pages: int


def play(policy: Any, web: Web, topic: WebTopic, seeds: list[int]) -> Played:
    began = time.process_time()
    crawl = policy(web, topic, seeds)
    for seed in seeds:
        crawl.fetched(seed)
    size, found, order = topic.size, 0, []
    while len(order) < 2 * size and (number := crawl.next()) is not None:
        crawl.fetched(number)
        found += number in topic.pages
        order.append(found)
    order += [found] * (2 * size - len(order))
    curve = [order[max(0, 2 * size * place // 100 - 1)] / size for place in range(1, 101)]
    seconds = time.process_time() - began
    return Played(order[size - 1] / size, order[-1] / size, curve, seconds, len(order))


def best(web: Web, topic: WebTopic, seeds: list[int]) -> tuple[float, float]:
    """What an order reaches that knows everything, at most: relevant pages that can be reached at all."""
    known, waiting = set(seeds), list(seeds)
    while waiting:
        for to in web.targets(waiting.pop()):
            if to not in known:
                known.add(to)
                waiting.append(to)
    share = len(topic.pages & known - set(seeds)) / topic.size
    return share, share


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--least", type=int, default=60)
    parser.add_argument("--most", type=int, default=100_000)
    options = parser.parse_args(words)
    web = Web(options.data)
    topics = [topic for topic in web.topics if options.least <= len(topic.pages) <= options.most]
    policies = [*PEERS, OursWithoutLearning, Ours]
    results: dict[str, dict[str, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for policy in policies:
        for topic in topics:
            for draw in topic.draws:
                results[policy.name][topic.name].append(play(policy, web, topic, draw))
        print(table_row(policy.name, results[policy.name]), flush=True)
    tell(web, topics, results)
    rows = []
    for name, found in results.items():
        harvest, recall = means(found)
        rows.append({"policy": name, "harvest": harvest, "recall": recall})
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.svg:
        curves = {name: mean_curve(found) for name, found in results.items()}
        write_curve(options.svg, curves)


def means(found: dict[str, list[Played]]) -> tuple[float, float]:
    """Over draws, then over topics."""
    each = [topic_mean(runs) for runs in found.values()]
    return sum(one[0] for one in each) / len(each), sum(one[1] for one in each) / len(each)


def topic_mean(runs: list[Played]) -> tuple[float, float]:
    return sum(run.harvest for run in runs) / len(runs), sum(run.recall for run in runs) / len(runs)


def mean_curve(found: dict[str, list[Played]]) -> list[float]:
    runs = [run for some in found.values() for run in some]
    return [sum(run.curve[place] for run in runs) / len(runs) for place in range(100)]


def table_row(name: str, found: dict[str, list[Played]]) -> str:
    harvest, recall = means(found)
    runs = [run for some in found.values() for run in some]
    cost = 1000 * sum(run.seconds for run in runs) / max(1, sum(run.pages for run in runs))
    return f"{name:<20} harvest@R {harvest:.3f}  recall@2R {recall:.3f}  {cost:6.1f} ms a page"


def tell(web: Web, topics: Sequence[WebTopic], results: dict[str, dict[str, list[Played]]]) -> None:
    """The best that is possible, the ratios, and on how many topics another one is ahead."""
    limits = [best(web, topic, draw) for topic in topics for draw in topic.draws]
    share = sum(one[0] for one in limits) / len(limits)
    print(f"{'(any order)':<20} harvest@R {share:.3f}  recall@2R {share:.3f}")
    peers = {name: found for name, found in results.items() if not name.startswith("ours")}
    ours = results[Ours.name]
    for place, what in enumerate(("harvest@R", "recall@2R")):
        name = max(peers, key=lambda one: means(peers[one])[place])
        ratio = means(ours)[place] / means(peers[name])[place]
        below = sum(topic_mean(ours[one])[place] < topic_mean(peers[name][one])[place] for one in ours)
        told = f"{what}: ours {ratio:.2f} x the best of the others ({name})"
        print(f"{told}; below it on {below} of {len(ours)} topics")


if __name__ == "__main__":
    main(sys.argv[1:])
