"""Loss and delay against the budget, as SVG."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.simulation.budget import PolicyRun

_WIDTH, _HEIGHT, _LEFT, _TOP, _ROOM = 420, 300, 60, 40, 20
_FIGURES = (
    ("missed_percent", "missed, %", 0.001),
    ("entry_mean", "delay, mean over entries, minutes", 0.1),
    ("feed_mean", "delay, mean over feeds, minutes", 0.1),
)
_COLOURS = ("#1b6ca8", "#d1495b", "#8a6d3b", "#5b8c5a", "#7d5ba6", "#e08e45", "#3d8c8c", "#999999", "#b5838d")


def plot_of(played: Sequence[PolicyRun]) -> str:
    """Three plots side by side, both axes logarithmic; nothing lost is drawn at the bottom."""
    rows = [one for one in played if one.budget is not None]
    names = list(dict.fromkeys(one.policy for one in rows))
    parts: list[str] = []
    for place, (figure, title, least) in enumerate(_FIGURES):
        parts += _panel(rows, names, place * _WIDTH, figure=figure, title=title, least=least)
    parts += _legend(names)
    width, height = _WIDTH * len(_FIGURES), _HEIGHT + 30 + 18 * math.ceil(len(names) / 5)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>Loss and delay against polls a day</title>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _panel(
    rows: Sequence[PolicyRun], names: Sequence[str], shift: float, *, figure: str, title: str, least: float
) -> Iterator[str]:
    budgets = sorted({one.budget for one in rows if one.budget is not None})
    values = [max(float(getattr(one.whole, figure)), least) for one in rows] or [least]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) + 1e-9)

    def at(budget: float, value: float) -> str:
        across = _along(budget, budgets)
        return f"{shift + across:.1f},{_up(math.log10(max(value, least)), low, max(high, low + 1)):.1f}"

    yield f'<text x="{shift + _LEFT}" y="{_TOP - 16}" font-weight="bold">{escape(title)}</text>'
    for power in range(low, max(high, low + 1) + 1):
        height = _up(power, low, max(high, low + 1))
        yield f'<path stroke="#ddd" d="M{shift + _LEFT},{height:.1f}H{shift + _WIDTH - _ROOM}"/>'
        yield f'<text x="{shift + _LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
    for budget in budgets:
        across = shift + _along(budget, budgets)
        yield f'<text x="{across:.1f}" y="{_HEIGHT + 2}" text-anchor="middle">{budget:g}</text>'
    for number, name in enumerate(names):
        points = [at(one.budget or 0, getattr(one.whole, figure)) for one in rows if one.policy == name]
        drawn = f'{_style(name, number)} points="{" ".join(points)}"'
        yield f"<polyline {drawn}><title>{escape(name)}</title></polyline>"


def _along(budget: float, budgets: Sequence[float]) -> float:
    span = math.log(budgets[-1] / budgets[0]) or 1.0
    return _LEFT + 16 + math.log(budget / budgets[0]) / span * (_WIDTH - _LEFT - _ROOM - 32)


def _up(power: float, low: float, high: float) -> float:
    return _HEIGHT - 20 - (power - low) / (high - low) * (_HEIGHT - 20 - _TOP)


def _style(name: str, number: int) -> str:
    is_ours = name.startswith("ours")
    dashes = ' stroke-dasharray="6 3"' if "floor" in name else ""
    colour = _COLOURS[number % len(_COLOURS)]
    return f'fill="none" stroke="{colour}" stroke-width="{3 if is_ours else 1.5}"{dashes}'


def _legend(names: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names):
        x, y = _LEFT + number % 5 * 230, _HEIGHT + 26 + number // 5 * 18
        yield f'<path {_style(name, number)} d="M{x},{y - 4}h24"/>'
        yield f'<text x="{x + 30}" y="{y}">{escape(name)}</text>'
