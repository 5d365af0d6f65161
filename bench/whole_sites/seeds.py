"""What the seeds of a crawl change: least, median and most of each figure, and whether they find the same."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any

from .programs import THROUGH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FIGURES = (("requests", "requests"), ("ratio", "× ideal"), ("text", "text"), ("items_on_pages", "items"))


def agreement(found: Sequence[frozenset[str]]) -> float:
    """Which share of all that any crawl found every one of them found."""
    every = frozenset.union(*found)
    return len(frozenset.intersection(*found)) / len(every) if every else 1.0


def spread_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Of an application, for each strategy that was run with several seeds."""
    for strategy, some in _seeded(rows).items():
        if len(some) < 2:
            continue
        told = []
        for name, title in _FIGURES:
            values = [row[name] for row in some if row.get(name) is not None]
            if values:
                least, middle, most = (
                    _figure(name, one) for one in (min(values), median(values), max(values))
                )
                told.append(f"{title} {least} {middle} {most}")
        same = agreement([row["reached"] for row in some])
        yield f"{strategy}, {len(some)} seeds, min median max: {'; '.join(told)}; items agree {same:.2%}"


def total_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Over all applications: requests against ideals, with the median and the worst of the seeds."""
    ideals = {row["app"]: row["ideal"] for row in rows if row.get("ideal") and "problem" not in row}
    by_strategy: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["app"] in ideals and "problem" not in row:
            by_strategy[_strategy(row)][row["app"]].append(row["requests"])
    for strategy, of_apps in by_strategy.items():
        if len(of_apps) < 2 or strategy not in {*_seeded(rows), THROUGH}:
            continue
        ideal = sum(ideals[app] for app in of_apps)
        middle, most = (sum(of(one) for one in of_apps.values()) for of in (median, max))
        yield (
            f"{strategy}, {len(of_apps)} applications: {middle:,.0f} requests, {middle / ideal:.2f} × ideal"
            f" ({most:,} and {most / ideal:.2f} with the worst seed of each)"
        )


def _seeded(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Rows of our crawls that ended, by strategy."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if "problem" not in row and "text_in_objects" in row:
            found[_strategy(row)].append(row)
    return found


def _strategy(row: dict[str, Any]) -> str:
    return str(row["strategy"]).partition(" ")[0]


def _figure(name: str, value: float) -> str:
    if name == "requests":
        return f"{value:,.0f}"
    return f"{value:.2f}" if name == "ratio" else f"{value:.2%}"
