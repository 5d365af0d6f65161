"""How much text a crawl had seen after how many requests, as SVG: it bends where little that is new comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.statistics.axes import count_ticks
from archiver.inspection.statistics.svg import drawing, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.sites.model import TextPoint

_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 440, 12, 200
_HEIGHT = _BOTTOM + 42
_MOST_TICKS = 5
# In a file of its own the colours are not those of a page.
_STYLE = (
    "<style>svg{background:#fff;font:12px sans-serif}text{fill:#333}.grid{stroke:#ddd;fill:none}"
    ".base{stroke:#777;fill:none}.text-seen{stroke:#23527c;stroke-width:2;fill:none}</style>"
)


def text_svg(curve: Sequence[TextPoint], *, title: str, name: str = "text") -> str:
    """For a page of the application, which has the colours."""
    return drawing(name, title, text_words(curve), _parts(curve), _HEIGHT)


def text_file(curve: Sequence[TextPoint], *, title: str) -> str:
    """A file of its own."""
    parts = [_STYLE, words("axis", _LEFT, _HEIGHT + 14, title, "start"), *_parts(curve)]
    return drawing("text", title, text_words(curve), parts, _HEIGHT + 22) + "\n"


def text_words(curve: Sequence[TextPoint]) -> str:
    """What the line shows, in a sentence."""
    if not curve:
        return "No text was seen yet."
    last = curve[-1]
    half = next(one.requests for one in curve if 2 * one.text >= last.text)
    told = f"{last.text:,} distinct pairs of words were seen after {last.requests:,} requests"
    return f"{told}; half of them after {half:,}."


def _parts(curve: Sequence[TextPoint]) -> Iterator[str]:
    up = count_ticks(max((one.text for one in curve), default=0), most=_MOST_TICKS)
    along = count_ticks(max((one.requests for one in curve), default=0), most=_MOST_TICKS)
    yield from _across(up)
    for number in along:
        yield words("tick", _x(number, along[-1]), _BOTTOM + 17, f"{number:,}", "middle")
    yield words("axis", (_LEFT + _RIGHT) / 2, _BOTTOM + 36, "requests", "middle")
    middle = (_TOP + _BOTTOM) / 2
    yield (
        f'<text class="axis" x="10" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 10 {middle})">pairs of words</text>'
    )
    points = [(0, 0), *((one.requests, one.text) for one in curve)]
    path = "L".join(f"{_x(requests, along[-1]):.1f},{_y(text, up[-1]):.1f}" for requests, text in points)
    yield f'<path class="text-seen" d="M{path}"/>'


def _across(ticks: Sequence[int]) -> Iterator[str]:
    for number in ticks:
        height = _y(number, ticks[-1])
        yield f'<path class="{"grid" if number else "base"}" d="M{_LEFT},{height:.1f}H{_RIGHT}"/>'
        yield words("tick", _LEFT - 6, height + 4, f"{number:,}", "end")


def _x(requests: int, most: int) -> float:
    return _LEFT + requests / most * (_RIGHT - _LEFT)


def _y(text: int, most: int) -> float:
    return _BOTTOM - text / most * (_BOTTOM - _TOP)
