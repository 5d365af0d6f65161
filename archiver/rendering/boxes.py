"""Boxes of a page's elements, from the browser's snapshot of its layout."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from archiver.rendering.model import RenderedBox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What is asked of each element, in this order.
STYLES = (
    "font-size",
    "font-weight",
    "font-style",
    "text-decoration-line",
    "display",
    "visibility",
    "opacity",
    "color",
)
# By which elements of the served page are told from others (see archived.py).
NUMBER = "data-archiver-node"
_ELEMENT, _TEXT = 1, 3


def boxes_of(snapshot: Mapping[str, Any]) -> tuple[RenderedBox, ...]:
    """Return a box for each element of the document, those that are not shown without a place."""
    strings: Sequence[str] = snapshot["strings"]
    document = snapshot["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    places = {node: place for place, node in reversed(list(enumerate(layout["nodeIndex"])))}
    names = [strings[one] for one in nodes["nodeName"]]
    texts = _texts(nodes, strings)
    paths: dict[int, str] = {}
    counts: dict[tuple[int, str], int] = {}
    found = []
    for node, kind in enumerate(nodes["nodeType"]):
        # What a style puts before or behind an element has two colons for a name.
        if kind != _ELEMENT or names[node].startswith("::"):
            continue
        parent, tag = nodes["parentIndex"][node], names[node].lower()
        counts[parent, tag] = counts.get((parent, tag), 0) + 1
        paths[node] = f"{paths.get(parent, '')}/{tag}[{counts[parent, tag]}]"
        place = places.get(node)
        looks = {} if place is None else _looks(layout["styles"][place], strings)
        bounds = (0.0, 0.0, 0.0, 0.0) if place is None else layout["bounds"][place]
        number = _number(nodes["attributes"][node], strings)
        found.append(_box(paths[node], tag, bounds, looks, texts.get(node, ""), number))
    return tuple(found)


def _texts(nodes: Mapping[str, Any], strings: Sequence[str]) -> dict[int, str]:
    """The text of elements, without that of their children."""
    found: dict[int, list[str]] = {}
    for node, kind in enumerate(nodes["nodeType"]):
        if kind == _TEXT and nodes["nodeValue"][node] >= 0:
            found.setdefault(nodes["parentIndex"][node], []).append(strings[nodes["nodeValue"][node]])
    return {node: " ".join(" ".join(some).split()) for node, some in found.items()}


def _looks(styles: Sequence[int], strings: Sequence[str]) -> dict[str, str]:
    return {name: strings[one] if one >= 0 else "" for name, one in zip(STYLES, styles, strict=False)}


def _number(attributes: Sequence[int], strings: Sequence[str]) -> int:
    """The number of an element in the served page; -1 where the browser made it."""
    for name, value in zip(attributes[::2], attributes[1::2], strict=False):
        if strings[name] == NUMBER:
            with contextlib.suppress(ValueError):
                return int(strings[value])
    return -1


def _box(
    path: str, tag: str, bounds: Sequence[float], looks: Mapping[str, str], text: str, number: int
) -> RenderedBox:
    x, y, w, h = bounds
    is_shown = bool(looks) and looks["visibility"] == "visible" and _float(looks["opacity"], 1.0) > 0
    return RenderedBox(
        path=path,
        tag=tag,
        node=number,
        x=x,
        y=y,
        w=w,
        h=h,
        size=_float(looks.get("font-size", "").removesuffix("px"), 0.0),
        weight=int(_float(looks.get("font-weight", ""), 400.0)),
        style=looks.get("font-style", "") or "normal",
        is_struck="line-through" in looks.get("text-decoration-line", ""),
        is_shown=is_shown,
        colour=looks.get("color", ""),
        display=looks.get("display", "none") or "none",
        text=text,
    )


def _float(text: str, otherwise: float) -> float:
    try:
        return float(text)
    except ValueError:
        return otherwise
