"""The share of relevant pages over requests, drawn for each policy."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 360, 50, 20
_COLOURS = ("#888888", "#b8860b", "#4682b4", "#6a5acd", "#2e8b57", "#cd5c5c", "#000000")


def write_curve(path: Path, curves: Mapping[str, Sequence[float]]) -> None:
    top = max((max(curve) for curve in curves.values()), default=1.0) or 1.0
    across, down = _WIDTH - _LEFT - 170, _HEIGHT - _TOP - 40
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
            f' font-size="12"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
        )
    ]
    for step in range(5):
        value = top * step / 4
        y = _TOP + down * (1 - step / 4)
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + across}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{value:.2f}</text>')
    for place, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        points = " ".join(
            f"{_LEFT + across * (number + 1) / len(curve):.1f},{_TOP + down * (1 - value / top):.1f}"
            for number, value in enumerate(curve)
        )
        width = 2.5 if name == "ours" else 1.3
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        y = _TOP + 16 * (place + 1)
        parts.append(f'<text x="{_LEFT + across + 12}" y="{y}" fill="{colour}">{escape(name)}</text>')
    parts.append(
        f'<text x="{_LEFT}" y="{_HEIGHT - 8}">requests, up to twice the number of relevant pages</text></svg>'
    )
    path.write_text("".join(parts))
