"""The estimated layout beside Chromium's: the same bytes, scripts off, one picture for all images."""

from __future__ import annotations

import copy
import struct
import zlib
from statistics import fmean, median
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from extraction_sets import read_set, set_name
from lxml import etree
from playwright.sync_api import sync_playwright

from archiver.articles.layout.estimate import estimate
from archiver.articles.layout.inline import UNKNOWN_IMAGE
from archiver.articles.layout.model import ELEMENT, SCREEN_HEIGHT, SCREEN_WIDTH, TAIL, TEXT
from archiver.documents.pages.dom import parse_html

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lxml.etree import _Element as Element
    from playwright.sync_api import CDPSession, Page, Route

CHROMIUM = "/usr/bin/chromium"
_ADDRESS = "http://page.test/"
_NUMBER = "data-n"
_MILLISECONDS = 8000
_LEAST_TEXTS = 10
# Place, size and weight of what stands at each element or text.
Shown = dict[tuple[int, int], tuple[float, float, float, float, float, int]]


def run(files: Sequence[Path], limit: int) -> list[dict[str, Any]]:
    rows = []
    print(f"{'':16}{'pages':>6}{'x':>7}{'y':>7}{'w':>7}{'h':>7}{'size':>7}{'weight':>8}{'ms':>7}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        size = {"width": int(SCREEN_WIDTH), "height": int(SCREEN_HEIGHT)}
        context = browser.new_context(java_script_enabled=False, viewport=size)
        rendering = _Rendering(context.new_page())
        for file in files:
            found = [
                one for page in read_set(file, limit) if (one := _compared(page.html, rendering)) is not None
            ]
            rows.append(_told(set_name(file), found))
        browser.close()
    return rows


def _told(name: str, found: Sequence[Sequence[float | None]]) -> dict[str, Any]:
    means = [
        fmean(one for one in column if one is not None)
        for column in zip(*(row[:6] for row in found), strict=True)
    ]
    cost = median(row[6] or 0.0 for row in found)
    print(
        f"{name:16}{len(found):>6}" + "".join(f"{one:>7.3f}" for one in means) + f"{cost:>8.1f}", flush=True
    )
    names = ("x", "y", "w", "h", "size", "weight")
    return {"set": name, "pages": len(found), **dict(zip(names, means, strict=True)), "ms": cost}


class _Rendering:
    """Chromium with one page that is served whatever it is given, and nothing else."""

    def __init__(self, page: Page) -> None:
        self._page, self._markup = page, ""
        page.route("**/*", self._answer)
        self._session: CDPSession = page.context.new_cdp_session(page)

    def _answer(self, route: Route) -> None:
        if route.request.url == _ADDRESS:
            route.fulfill(body=self._markup, content_type="text/html; charset=utf-8")
        elif route.request.resource_type == "image":
            route.fulfill(body=_picture(*map(int, UNKNOWN_IMAGE)), content_type="image/png")
        else:
            route.abort()

    def shown(self, tree: Element) -> Shown:
        twin = copy.deepcopy(tree)
        for number, element in enumerate(twin.iter()):
            element.set(_NUMBER, str(number))
        for base in twin.iter("base"):
            base.attrib.pop("href", None)
        self._markup = "<!DOCTYPE html>\n" + etree.tostring(twin, method="html", encoding="unicode")
        self._page.goto(_ADDRESS, wait_until="load", timeout=_MILLISECONDS)
        asked = {"computedStyles": ["font-size", "font-weight"], "includeDOMRects": True}
        return _boxes_in(self._session.send("DOMSnapshot.captureSnapshot", asked))


def _boxes_in(snapshot: dict[str, Any]) -> Shown:
    strings, document = snapshot["strings"], snapshot["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    numbers: dict[int, int] = {}
    for node, attributes in enumerate(nodes["attributes"]):
        pairs = zip(attributes[::2], attributes[1::2], strict=False)
        numbers.update((node, int(strings[value])) for name, value in pairs if strings[name] == _NUMBER)
    before, last = {}, {}
    for node, parent in enumerate(nodes["parentIndex"]):
        if nodes["nodeType"][node] == 3:  # a text
            before[node] = last.get(parent)
        elif node in numbers:
            last[parent] = node
    found: Shown = {}
    for place, node in enumerate(layout["nodeIndex"]):
        key = _key(node, nodes, numbers, before)
        styles = [strings[one] if one >= 0 else "" for one in layout["styles"][place]]
        if key is not None and styles[0].endswith("px"):
            size, weight = float(styles[0].removesuffix("px")), int(styles[1] or 400)
            found.setdefault(key, (*layout["bounds"][place], size, weight))
    return found


def _key(
    node: int, nodes: Any, numbers: dict[int, int], before: dict[int, int | None]
) -> tuple[int, int] | None:
    if node in numbers:
        return numbers[node], ELEMENT
    if nodes["nodeType"][node] != 3:
        return None
    sibling = before.get(node)
    if sibling is not None:
        return numbers[sibling], TAIL
    parent = nodes["parentIndex"][node]
    return (numbers[parent], TEXT) if parent in numbers else None


def _compared(html: str, rendering: _Rendering) -> list[float | None] | None:
    """Rank correlations of x, y, width and height, shares of words with the same size and weight, and ms."""
    tree = parse_html(html.encode(), "text/html; charset=utf-8", _ADDRESS)
    try:
        shown = rendering.shown(tree)
    except Exception as error:  # noqa: BLE001 - a page that the browser fails on is left out, and told
        print(f"left out: {str(error).splitlines()[0]:.80}")
        return None
    began = process_time()
    estimated = estimate(tree).by_place
    cost = 1000 * (process_time() - began)
    both = [
        key for key in shown if key[1] != ELEMENT and key in estimated and shown[key][2] * shown[key][3] > 0
    ]
    if len(both) < _LEAST_TEXTS:
        return None
    theirs = np.array([shown[key] for key in both])
    ours = np.array([[*estimated[key][2:6], estimated[key].size, estimated[key].weight] for key in both])
    elements = list(tree.iter())
    words = np.array([_words(elements[key[0]], key[1]) for key in both], dtype=float)
    is_size = np.abs(theirs[:, 4] - ours[:, 4]) < 0.6  # pixels: rounding
    is_weight = (theirs[:, 5] >= 600) == (ours[:, 5] >= 600)
    total = words.sum() or 1.0
    ranks = [_rank_correlation(theirs[:, column], ours[:, column]) for column in range(4)]
    return [*ranks, float(is_size @ words / total), float(is_weight @ words / total), cost]


def _words(element: Element, part: int) -> int:
    return len(((element.tail if part == TAIL else element.text) or "").split())


def _rank_correlation(one: Any, other: Any) -> float | None:
    ranks = [_ranks(one), _ranks(other)]
    if min(column.std() for column in ranks) == 0:
        return None
    return float(np.corrcoef(*ranks)[0, 1])


def _ranks(column: Any) -> Any:
    """Of equal values the mean of their ranks."""
    _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]


def _picture(width: int, height: int) -> bytes:
    rows = b"".join(b"\0" + b"\x99" * width for _ in range(height))

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")
