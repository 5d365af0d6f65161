"""Simulated strategies as an HTML page: text over requests, one line a strategy, and the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.page import STYLE, html_page, safe
from archiver.inspection.sites.simulation.table import by_strategy, simulation_lines
from archiver.inspection.statistics.axes import count_ticks
from archiver.inspection.statistics.svg import drawing, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.sites.simulation.table import SiteSimulation

    # Along, and up from 0 to 1.
    PlotLine = tuple[str, Sequence[tuple[int, float]]]

_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 448, 12, 236
_MOST_TICKS = 5
_LEGEND_WIDTH, _LEGEND_HEIGHT = 100, 18
_IN_A_ROW = 4
_COLOURS = ("#1b6ca8", "#d1495b", "#8a6d3b", "#5b8c5a", "#7d5ba6", "#e08e45", "#3d8c8c", "#999999")
_STYLE = STYLE + (
    "svg{max-width:46rem;display:block;font:12px sans-serif}text{fill:var(--ink)}"
    ".grid{stroke:var(--line);fill:none}.base{stroke:var(--soft);fill:none}.curve{stroke-width:2;fill:none}"
    "pre{overflow-x:auto}"
)


def simulation_page(found: SiteSimulation) -> str:
    title = f"Strategies on {found.url}"
    curves = [
        (name, [(requests, seen / max(1, found.text)) for requests, seen in runs[0].curve])
        for name, runs in by_strategy(found.runs).items()
    ]
    parts = [
        f"<h1>{safe(title)}</h1>",
        lines_svg(curves, name="text", title="Text over requests", along="requests"),
    ]
    if found.sample_sizes:
        sizes = [
            ("least", [(one.sample, one.least) for one in found.sample_sizes]),
            ("median", [(one.sample, one.median) for one in found.sample_sizes]),
            ("most", [(one.sample, one.most) for one in found.sample_sizes]),
        ]
        heading = "Text reached by the thesis's strategy over pages of its sample"
        parts += [
            f"<h2>{safe(heading)}</h2>",
            lines_svg(sizes, name="sizes", title=heading, along="pages of the sample"),
        ]
    table = "\n".join(simulation_lines(found, width=None))
    return html_page(title, "".join([*parts, f"<pre>{safe(table)}</pre>"]), style=_STYLE)


def lines_svg(lines: Sequence[PlotLine], *, name: str, title: str, along: str) -> str:
    """Shares of the text over numbers, one line for each name."""
    ticks = count_ticks(max((x for _, points in lines for x, _ in points), default=0), most=_MOST_TICKS)
    told = "; ".join(f"{one}: {points[-1][1]:.1%} after {points[-1][0]:,}" for one, points in lines if points)
    rows = -(-len(lines) // _IN_A_ROW)
    parts = [*_axes(ticks, along), *_curves(lines, ticks[-1]), *_legend([one for one, _ in lines])]
    return drawing(name, title, told, parts, _BOTTOM + 48 + rows * _LEGEND_HEIGHT)


def _axes(ticks: Sequence[int], along: str) -> Iterator[str]:
    for quarter in range(5):
        height = _y(quarter / 4)
        yield f'<path class="{"grid" if quarter else "base"}" d="M{_LEFT},{height:.1f}H{_RIGHT}"/>'
        yield words("tick", _LEFT - 6, height + 4, f"{quarter * 25} %", "end")
    for number in ticks:
        yield words("tick", _x(number, ticks[-1]), _BOTTOM + 17, f"{number:,}", "middle")
    yield words("axis", (_LEFT + _RIGHT) / 2, _BOTTOM + 36, along, "middle")


def _curves(lines: Sequence[PlotLine], most: int) -> Iterator[str]:
    for number, (_, points) in enumerate(lines):
        path = "L".join(f"{_x(x, most):.1f},{_y(share):.1f}" for x, share in points)
        if path:
            yield f'<path class="curve" stroke="{_colour(number)}" d="M{path}"/>'


def _legend(names: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names):
        x = _LEFT + number % _IN_A_ROW * _LEGEND_WIDTH
        y = _BOTTOM + 58 + number // _IN_A_ROW * _LEGEND_HEIGHT
        yield f'<path class="curve" stroke="{_colour(number)}" d="M{x},{y - 4}h22"/>'
        yield words("tick", x + 27, y, name, "start")


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _x(number: int, most: int) -> float:
    return _LEFT + number / most * (_RIGHT - _LEFT)


def _y(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)
