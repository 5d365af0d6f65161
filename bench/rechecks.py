"""Rechecks by age beside fixed revisiting and back-off: edits found, requests made, delays."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from rechecks_histories import History, made_up, read, shares, soonest
from rechecks_play import Ours, Result, alike, backing_off, fixed, two_days
from rechecks_sitemaps import WithSitemaps

from archiver.acquisition.rechecks.curve import MONTH, edits_between, rates_of
from archiver.acquisition.rechecks.price import USUAL_PRICE
from archiver.acquisition.rechecks.schedule import RecheckPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_HOUR = 1 / 24
_AIM, _A_THIRD = 90.0, 1 / 3
_FIXED = "fixed, same found"
_SITEMAPS = "ours, sitemaps"


def run(histories: list[History], options: argparse.Namespace) -> tuple[list[Result], list[str]]:
    """Ours, then each other policy where it finds the same share, then fixed ones of usual intervals."""
    policy = RecheckPolicy(
        floor=timedelta(minutes=options.floor), until=timedelta(days=options.until), price=options.price
    )
    player = Ours(policy)
    ours = player.play(histories, "ours")
    rows = [ours, Ours(policy, learns=False).play(histories, "ours, never learning")]
    rows.append(WithSitemaps(policy).play(histories, _SITEMAPS))
    rows.append(WithSitemaps(policy, lies=True).play(histories, "ours, sitemaps that lie"))
    rows += _alike(histories, ours.found, options.until)
    for hours in options.fixed:
        rows.append(fixed(hours * _HOUR, options.until, histories, f"every {hours:g} h"))
    return rows, _learned(player, histories)


def _alike(histories: list[History], found: float, until: float) -> list[Result]:
    peers: dict[str, Callable[[float, str], Result]] = {
        _FIXED: lambda days, name: fixed(days, until, histories, name),
        "2 days only, same": lambda days, name: two_days(days, until, histories, name),
        "back-off x1.5, same": lambda days, name: backing_off(days, 1.5, until, histories, name),
        "back-off x2, same": lambda days, name: backing_off(days, 2.0, until, histories, name),
    }
    played = (
        alike(lambda days, name=name, play=play: play(days, name), found, 1 / 1440, until)
        for name, play in peers.items()
    )
    return [one for one in played if one is not None]


def _learned(player: Ours, histories: list[History]) -> list[str]:
    """What the curves say beside the truth, for the channels with most edits and those with fewest."""
    lines = []
    by_channel: dict[str, list[History]] = {}
    for history in histories:
        by_channel.setdefault(history.channel, []).append(history)
    means = {name: fmean(len(one.edits) for one in some) for name, some in by_channel.items()}
    ranked = sorted(means, key=lambda name: means[name])
    for name in dict.fromkeys([*ranked[:3], *ranked[-3:]]):
        rates = rates_of(player.curves.get(name), player.all)
        first = fmean(one.captured for one in by_channel[name])
        lines.append(f"  {name}: {means[name]:.2f} edits, learned {edits_between(rates, first, MONTH):.2f}")
    return lines


def _print(rows: Iterable[Result]) -> None:
    print(f"{'policy':24}{'found %':>9}{'requests':>10}{'mean h':>9}{'median h':>10}{'per request':>13}")
    for one in rows:
        delays = f"{one.mean_delay:9.2f}{one.median_delay:10.2f}"
        print(f"{one.policy:24}{one.found:9.1f}{one.requests:10.2f}{delays}{one.per_request:13.4f}")


def claim(rows: list[Result]) -> tuple[float, float]:
    """What ours finds, and its requests as a share of those of fixed revisiting that finds the same."""
    ours = rows[0]
    same = next((one for one in rows if one.policy == _FIXED), None)
    return ours.found, ours.requests / same.requests if same else 0.0


def _mean(runs: list[list[Result]]) -> list[Result]:
    """Row by row over the seeds; a policy that some seed lacks is left out."""
    names = [
        one.policy for one in runs[0] if all(one.policy in {row.policy for row in rows} for rows in runs)
    ]
    return [
        Result(
            policy=name,
            **{
                key: fmean(asdict(row)[key] for rows in runs for row in rows if row.policy == name)
                for key in ("found", "requests", "mean_delay", "median_delay", "per_request")
            },
        )
        for name in names
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FILE", help="histories instead of made-up ones")
    parser.add_argument("--seeds", type=int, default=3, help="how many times, each with other histories")
    parser.add_argument("--price", type=float, default=USUAL_PRICE, help="of a look, in edits missed")
    parser.add_argument("--floor", type=float, default=15.0, help="minutes between two looks of ours")
    parser.add_argument("--until", type=float, default=30.0, help="days")
    parser.add_argument("--fixed", type=float, nargs="*", default=[0.25, 1, 3, 6, 24], metavar="HOURS")
    parser.add_argument("--channels", type=int, default=12)
    parser.add_argument("--articles", type=int, default=150, help="of each channel")
    parser.add_argument("--days", type=float, default=45.0, help="over which articles are published")
    parser.add_argument("--edits", type=float, default=1.0, help="of an article, in the mean")
    parser.add_argument(
        "--article-spread", type=float, default=1.0, help="deviation of the logarithm, by article"
    )
    parser.add_argument("--channel-spread", type=float, default=0.7, help="the same by channel")
    parser.add_argument("--half", type=float, default=3.0, help="hours: half of the edits")
    parser.add_argument("--nine-tenths", type=float, default=48.0, help="hours: nine tenths of them")
    parser.add_argument("--pace-spread", type=float, default=0.5, help="how channels differ in that")
    parser.add_argument("--captured", type=float, default=10.0, help="minutes up to the first capture")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def main() -> int:
    options, begun = _options(), time.monotonic()
    seeds = range(1 if options.data else options.seeds)
    runs = []
    for seed in seeds:
        histories = read(options.data, options.until) if options.data else made_up(options, seed)
        rows, learned = run(histories, options)
        runs.append(rows)
        _tell(seed, histories, rows, learned)
    _print(_mean(runs))
    _tell_sitemaps(_mean(runs))
    ok = _tell_claim(runs)
    print(f"{time.monotonic() - begun:.0f} s")
    if options.json:
        options.json.write_text(json.dumps([[asdict(row) for row in rows] for rows in runs], indent=1))
    return 0 if ok else 1


def _tell(seed: int, histories: list[History], rows: list[Result], learned: list[str]) -> None:
    edits = sum(len(history.edits) for history in histories)
    three, two_days = shares(histories, (3 * _HOUR, 2.0))
    print(
        f"seed {seed}: {len(histories)} articles, {edits} edits after the first capture, {three:.0%} within"
        f" 3 h, {two_days:.0%} within 2 days, {soonest(histories, _HOUR / 4):.0%} overwritten within 15 min"
    )
    found, ratio = claim(rows)
    print(f"  ours finds {found:.1f} % with {ratio:.3f} of the requests of fixed revisiting")
    print("\n".join(learned))


def _tell_sitemaps(rows: list[Result]) -> None:
    """Edits found for each request, with sitemaps and without."""
    ours = rows[0]
    told = next(one for one in rows if one.policy == _SITEMAPS)
    print(
        f"edits found per request: {told.per_request:.4f} with sitemaps ({told.found:.1f} % found),"
        f" {ours.per_request:.4f} without ({ours.found:.1f} %)"
    )


def _tell_claim(runs: list[list[Result]]) -> bool:
    claims = [claim(rows) for rows in runs]
    least, most = min(found for found, _ in claims), max(ratio for _, ratio in claims)
    ok = least >= _AIM and 0 < most <= _A_THIRD
    print(
        f"{'holds' if ok else 'FAILS'}: at least {_AIM:.0f} % of the edits with at most a third of"
        f" the requests of fixed revisiting: {least:.1f} % and {most:.3f} in the worst seed"
    )
    return ok


if __name__ == "__main__":
    sys.exit(main())
