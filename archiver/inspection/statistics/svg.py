"""Two plots as SVG: a histogram, and cumulative curves over a logarithmic axis of spans."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from archiver.inspection.statistics.axes import count_ticks, span_axis
from archiver.inspection.statistics.tables import QUARTILE_NAMES, bin_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from archiver.inspection.statistics.axes import SpanAxis
    from archiver.inspection.statistics.figures import Histogram
    from archiver.inspection.statistics.model import Curve

# Small enough that the words can still be read on a phone, where it is shrunk to two thirds.
_WIDTH, _HEIGHT = 460, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 448, 12, 236
_WIDEST_BAR = 36
_MANY_BARS = 12
_LETTER = 7.2  # about the width of one
_GAP = 4
_LEGEND = ((_LEFT, 278), (_LEFT + 100, 278), (_LEFT + 225, 278), (_LEFT, 296), (_LEFT + 130, 296))


def histogram_svg(histogram: Histogram, name: str, title: str, description: str) -> str:
    """A bar for each bin, side by side, also where bins grow wider."""
    ticks = count_ticks(max((one.feeds for one in histogram.bins), default=0))
    parts = [*_across(_count_lines(ticks)), *_bars(histogram, ticks[-1])]
    parts += [
        words("axis", (_LEFT + _RIGHT) / 2, 274, "entries of a feed, up to", "middle"),
        _upright("feeds"),
    ]
    return drawing(name, title, description, parts, 284)


def _bars(histogram: Histogram, highest: int) -> Iterator[str]:
    step = min(_WIDEST_BAR, (_RIGHT - _LEFT) / max(1, len(histogram.bins)))
    free_from = 0.0
    for number, one in enumerate(histogram.bins):
        left, top = _LEFT + number * step, _up(one.feeds / highest)
        told = f"{bin_name(one)} entries: {one.feeds:,} feeds"
        yield (
            f'<rect class="bar" x="{left + 1:.1f}" y="{top:.1f}" width="{step - 2:.1f}" '
            f'height="{_BOTTOM - top:.1f}"><title>{escape(told)}</title></rect>'
        )
        word = bin_name(one) if one.last is None else str(one.last)
        middle = left + step / 2
        # Of many bars, those have a name that end in a round number, if it does not touch its neighbour's.
        is_named = len(histogram.bins) <= _MANY_BARS or (one.last or 0) % 10 == 0
        if is_named and middle - len(word) * _LETTER / 2 >= free_from:
            yield words("tick", middle, _BOTTOM + 17, word, "middle")
            free_from = middle + len(word) * _LETTER / 2 + _GAP


def cumulative_svg(curves: Sequence[Curve], name: str, title: str, description: str) -> str:
    """A stair for each quartile: it rises by each feed's share where its quartile lies."""
    axis = span_axis(seconds for curve in curves for seconds, _ in curve.points)
    shares = [(share / 4, f"{share * 25} %") for share in range(5)]
    parts = [*_across(shares), *_span_ticks(axis)]
    for curve in curves:
        path = _stair(curve, axis)
        parts.append(f'<path class="curve {escape(curve.quartile)}" d="{path}"/>' if path else "")
    parts.append(_upright("feeds"))
    parts += _legend()
    return drawing(name, title, description, parts, _HEIGHT + 4)


def _stair(curve: Curve, axis: SpanAxis) -> str:
    if not curve.points:
        return ""
    steps = [f"M{_LEFT},{_BOTTOM}"]
    steps += [f"H{_along(axis.place(seconds)):.1f}V{_up(share):.1f}" for seconds, share in curve.points]
    return "".join([*steps, f"H{_RIGHT}"])


def _span_ticks(axis: SpanAxis) -> Iterator[str]:
    free_from = 0.0
    for place, word in axis.ticks:
        at, half = _along(place), len(word) * _LETTER / 2
        yield f'<path class="grid" d="M{at:.1f},{_TOP}V{_BOTTOM}"/>'
        middle = min(at, _WIDTH - half)
        if middle - half >= free_from:
            yield words("tick", middle, _BOTTOM + 17, word, "middle")
            free_from = middle + half + _GAP


def _legend() -> Iterator[str]:
    for (x, y), (quartile, title) in zip(_LEGEND, QUARTILE_NAMES.items(), strict=True):
        yield f'<path class="curve {quartile}" d="M{x},{y - 4}h22"/>'
        yield words("tick", x + 27, y, title.lower(), "start")


def _count_lines(ticks: Iterable[int]) -> list[tuple[float, str]]:
    numbers = list(ticks)
    return [(number / numbers[-1], f"{number:,}") for number in numbers]


def _across(ticks: Iterable[tuple[float, str]]) -> Iterator[str]:
    """Lines from left to right, with what they stand for."""
    for share, word in ticks:
        height = _up(share)
        yield f'<path class="{"grid" if share else "base"}" d="M{_LEFT},{height:.1f}H{_RIGHT}"/>'
        yield words("tick", _LEFT - 6, height + 4, word, "end")


def _up(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)


def _along(place: float) -> float:
    return _LEFT + place * (_RIGHT - _LEFT)


def words(kind: str, x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _upright(text: str) -> str:
    middle = (_TOP + _BOTTOM) / 2
    turned = f'transform="rotate(-90 10 {middle})"'
    return f'<text class="axis" x="10" y="{middle}" text-anchor="middle" {turned}>{escape(text)}</text>'


def drawing(name: str, title: str, description: str, parts: Iterable[str], height: int) -> str:
    """An SVG with its name and its description, whose ids begin with `name`."""
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-labelledby="{name}-title {name}-text" '
        f'xmlns="http://www.w3.org/2000/svg"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-text">{escape(description)}</desc>{"".join(parts)}</svg>'
    )
