"""Simulated strategies as a table, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import TableColumn, many, table_lines
from archiver.inspection.sites.simulation.play import MARKS, StrategyRun
from archiver.inspection.sites.simulation.sweeps import SampleSizePoint, StepsPoint  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.display.tables import Paint

_COLUMNS = (
    TableColumn(title="Strategy"),
    TableColumn(title="Runs", is_number=True, is_optional=True),
    TableColumn(title="Requests", is_number=True),
    TableColumn(title="Missing", is_number=True),
    TableColumn(title="Text", is_number=True),
    TableColumn(title="Links", is_number=True, is_optional=True),
    *(TableColumn(title=f"{mark:.0%} after", is_number=True, is_optional=True) for mark in reversed(MARKS)),
)


class SiteSimulation(msgspec.Struct, frozen=True, kw_only=True):
    """What strategies would have made of the captured pages of a site."""

    url: str
    pages: int  # captured
    text: int  # distinct pairs of words on them
    runs: tuple[StrategyRun, ...]
    sample_sizes: tuple[SampleSizePoint, ...] = ()
    steps: tuple[StepsPoint, ...] = ()


def simulation_lines(
    found: SiteSimulation, *, width: int | None, paint: Paint | None = None
) -> Iterator[str]:
    yield f"{found.url}: {many(found.pages, 'page')} captured, {found.text:,} distinct pairs of words"
    yield ""
    rows = [_row(name, runs) for name, runs in by_strategy(found.runs).items()]
    yield from table_lines(_COLUMNS, rows, width=width, paint=paint)
    if any(run.missing for run in found.runs):
        yield ""
        yield "Missing: requests for pages that were not captured; they count as not found."
    if found.sample_sizes:
        yield from ("", "The thesis's strategy by sample size:", "", *_by_size(found.sample_sizes, width))
    if found.steps:
        yield from ("", "The thesis's strategy by steps and completion:", "", *_by_steps(found.steps, width))


def by_strategy(runs: Sequence[StrategyRun]) -> dict[str, list[StrategyRun]]:
    found: dict[str, list[StrategyRun]] = defaultdict(list)
    for run in runs:
        found[run.strategy].append(run)
    return found


def _row(name: str, runs: Sequence[StrategyRun]) -> list[str]:
    """Medians, with the range of several runs."""
    reached = [[run.reached[place] for run in runs] for place in range(len(MARKS))]
    return [
        name,
        str(len(runs)),
        _ranged([run.requests for run in runs]),
        f"{median(run.missing for run in runs):,.0f}",
        f"{median(run.text for run in runs):.1%}",
        f"{median(run.links for run in runs):.1%}",
        *(_after(numbers) for numbers in reversed(reached)),
    ]


def _ranged(numbers: Sequence[int]) -> str:
    middle = f"{median(numbers):,.0f}"
    least, most = min(numbers), max(numbers)
    return middle if least == most else f"{middle} ({least:,}–{most:,})"


def _after(numbers: Sequence[int | None]) -> str:
    known = [one for one in numbers if one is not None]
    return f"{median(known):,.0f}" if len(known) == len(numbers) else "–"


def _by_size(points: Sequence[SampleSizePoint], width: int | None) -> Iterator[str]:
    titles = ("Sample", "Requests", "Text", "least", "most", "at the maximum")
    rows = [
        [
            f"{one.sample:,}",
            f"{one.requests:,}",
            f"{one.median:.1%}",
            f"{one.least:.1%}",
            f"{one.most:.1%}",
            f"{one.at_most} of {one.runs}",
        ]
        for one in points
    ]
    return table_lines([TableColumn(title=title, is_number=True) for title in titles], rows, width=width)


def _by_steps(points: Sequence[StepsPoint], width: int | None) -> Iterator[str]:
    titles = ("Steps", "Completion", "Requests", "Text", "Links")
    rows = [
        [str(one.steps), f"{one.completion:.0%}", f"{one.requests:,}", f"{one.text:.1%}", f"{one.links:.1%}"]
        for one in points
    ]
    return table_lines([TableColumn(title=title, is_number=True) for title in titles], rows, width=width)


def simulation_csv(found: SiteSimulation) -> str:
    """One line a run, with the curve left out."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    marks = [f"requests_{mark:.0%}".rstrip("%") for mark in MARKS]
    writer.writerow(["strategy", "seed", "requests", "pages", "missing", "text", "links", *marks])
    for run in found.runs:
        shares = f"{run.text:.5f}", f"{run.links:.5f}"
        writer.writerow([run.strategy, run.seed, run.requests, run.pages, run.missing, *shares, *run.reached])
    return stream.getvalue()


def simulation_json(found: SiteSimulation) -> str:
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode()
