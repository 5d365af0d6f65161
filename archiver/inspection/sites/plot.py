"""How much text a crawl had seen after how many requests, as SVG: it bends where little that is new comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.statistics.growth import HEIGHT, LEFT, growth_parts
from archiver.inspection.statistics.svg import drawing, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.sites.model import TextPoint

# In a file of its own the colours are not those of a page.
_STYLE = (
    "<style>svg{background:#fff;font:12px sans-serif}text{fill:#333}.grid{stroke:#ddd;fill:none}"
    ".base{stroke:#777;fill:none}.text-seen{stroke:#23527c;stroke-width:2;fill:none}</style>"
)


def text_svg(curve: Sequence[TextPoint], *, title: str, name: str = "text") -> str:
    """For a page of the application, which has the colours."""
    return drawing(name, title, text_words(curve), _parts(curve), HEIGHT)


def text_file(curve: Sequence[TextPoint], *, title: str) -> str:
    """A file of its own."""
    parts = [_STYLE, words("axis", LEFT, HEIGHT + 14, title, "start"), *_parts(curve)]
    return drawing("text", title, text_words(curve), parts, HEIGHT + 22) + "\n"


def text_words(curve: Sequence[TextPoint]) -> str:
    """What the line shows, in a sentence."""
    if not curve:
        return "No text was seen yet."
    last = curve[-1]
    half = next(one.requests for one in curve if 2 * one.text >= last.text)
    told = f"{last.text:,} distinct pairs of words were seen after {last.requests:,} requests"
    return f"{told}; half of them after {half:,}."


def _parts(curve: Sequence[TextPoint]) -> Iterator[str]:
    return growth_parts([(one.requests, one.text) for one in curve], "pairs of words")
