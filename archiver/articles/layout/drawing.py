"""A page's boxes as a picture: where texts and images are, and how large they are set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.layout.model import ELEMENT, TAIL
from archiver.display.page import html_page, safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.articles.layout.model import Box, Layout

_STYLE = """
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1d1f21; background: #fff; }
svg { display: block; max-width: 100%; height: auto; border: 1px solid #d5d8db; background: #fff; }
rect { fill: none; stroke: #d5d8db; }
rect.text { fill: #eef3fb; stroke: none; } rect.link { fill: #dcecdc; stroke: none; }
rect.image { fill: #f3e7d3; stroke: #b98a3c; } rect.unseen { fill: #f7dede; stroke: none; }
text { font-family: serif; fill: #1d1f21; } line { stroke: #b03030; stroke-dasharray: 6 4; }
"""
_IMAGES = frozenset({"img", "amp-img", "video", "iframe", "svg", "canvas", "object", "embed"})
_FOLD = 768
# Of the size: how wide a letter is drawn; a text is cut where its box ends.
_LETTER = 0.45
_MOST_BOXES = 20_000


def html_of(layout: Layout, tree: Element, title: str) -> str:
    """A document of its own: it loads nothing and runs nothing."""
    about = (
        f"<p>{safe(title)}: {layout.quality}, {layout.width:.0f} × {layout.height:.0f} pixels, "
        f"{len(layout.boxes)} boxes. Blue: text; green: links; brown: images; red: not shown. "
        "The line is where the first screen ends.</p>"
    )
    marks = "\n".join(_marks(layout, tree))
    size = f'viewBox="0 0 {layout.width:.0f} {max(layout.height, 1):.0f}" width="{layout.width:.0f}"'
    fold = f'<line x1="0" x2="{layout.width:.0f}" y1="{_FOLD}" y2="{_FOLD}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{marks}\n{fold}</svg>'
    return html_page(f"Layout of {title}", about + svg, style=_STYLE)


def _marks(layout: Layout, tree: Element) -> Iterator[str]:
    elements = list(tree.iter())
    for box in layout.boxes[:_MOST_BOXES]:
        element = elements[box.node]
        if box.w < 1 or box.h < 1:
            continue
        if box.part != ELEMENT:
            text = element.tail if box.part == TAIL else element.text
            yield _rectangle(box, _kind(box, element)) + _words(box, text or "")
        elif element.tag in _IMAGES:
            yield _rectangle(box, "image" if box.is_shown else "unseen")


def _kind(box: Box, element: Element) -> str:
    if not box.is_shown:
        return "unseen"
    holder = element.getparent() if box.part == TAIL else element
    is_link = holder is not None and (holder.tag == "a" or next(holder.iterancestors("a"), None) is not None)
    return "link" if is_link else "text"


def _rectangle(box: Box, kind: str) -> str:
    return f'<rect class="{kind}" x="{box.x:.0f}" y="{box.y:.0f}" width="{box.w:.0f}" height="{box.h:.0f}"/>'


def _words(box: Box, text: str) -> str:
    """The beginning of a text, as large as it is set."""
    most = int(box.w / (box.size * _LETTER or 1)) + 1
    line = " ".join(text.split())[:most]
    bold = ' font-weight="700"' if box.weight >= 600 else ""
    place = f'x="{box.x:.0f}" y="{box.y + box.size:.0f}" font-size="{box.size:.0f}"'
    return f"<text {place}{bold}>{safe(line)}</text>"
