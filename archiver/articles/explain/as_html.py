"""An explanation drawn on the page: each block in the colour of what became of it, reasons on pointing at it.

The file loads nothing and runs nothing: few elements and hardly an attribute of the page are left, and a
policy in its head forbids the rest. Styles and images that the archive has are in the file.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from lxml import etree

from archiver.display.dressed import NOTE, layered_styles
from archiver.display.page import html_page
from archiver.documents.pages.dom import base_url, parse_html, writable
from archiver.documents.requisites.dressing import Dressing, put_image
from archiver.lexicon.elements import BLOCKS, INLINE

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.explain.explanation import Drawing, ExplainedBlock, Explanation
    from archiver.documents.pages.blocks import Block
    from archiver.documents.pages.model import RawPage
    from archiver.documents.requisites.model import Stored

_TAGS = (BLOCKS | INLINE | {"br", "tbody", "thead", "tfoot"}) - {"html", "body", "form", "option", "source"}
_ATTRIBUTES = frozenset({"alt", "class", "colspan", "dir", "id", "lang", "role", "rowspan"})
_STYLE = """
body { margin: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
.explain-legend { position: sticky; top: 0; padding: .5rem 0; background: #fff; border-bottom: 1px solid; }
"""
_MARKS = """
.explain-kept { background: #bfe8c0 !important; color: #032 !important; }
.explain-dropped { background: #f6c4bd !important; color: #400 !important; }
.explain-outside { background: #e4e4e4 !important; color: #444 !important; }
.explain-node { outline: 3px dashed #27a !important; outline-offset: 4px !important; }
"""
_LEGEND_MARKS = re.sub(r"^\.explain", f".{NOTE} .explain", _MARKS, flags=re.MULTILINE)


def html_of(drawing: Drawing, page: RawPage | None = None, stored: Stored = lambda _url, _kind: None) -> str:
    """The page as one file. Takes the tree of the drawing apart.

    With the page as it was captured, what `stored` has of its styles and images.
    """
    told, dressing = drawing.explanation, Dressing(stored)
    base = told.url if page is None else page.url
    sheets: list[str] = []
    if page is not None and drawing.tree is not None:
        tree = parse_html(page.body, page.content_type, page.url)
        base = base_url(tree, page.url)
        sheets = dressing.styles_of(tree, base)
    style, legend = _STYLE + _MARKS, "explain-legend"
    if sheets:
        style, legend = "\n".join(layered_styles(sheets, _MARKS + _LEGEND_MARKS)), NOTE
    body = f'<div class="{legend}">{_legend(told)}</div>\n{_body(drawing, dressing, base)}\n'
    language = (drawing.tree.get("lang") if drawing.tree is not None else None) or ""
    return html_page(f"Explained: {told.url}", body, style=style, language=language, has_images=True)


def _legend(told: Explanation) -> str:
    outcome = told.outcome + (f": {told.reason}" if told.reason else "")
    if told.confidence is not None:
        outcome += f", confidence {told.confidence:.2f}"
    if told.chosen_by:
        outcome += f", chosen by {told.chosen_by}"
    marks = [
        f'<mark class="explain-{name}">{words}</mark>'
        for name, words in (("kept", "kept"), ("dropped", "dropped"), ("outside", "outside the chosen node"))
    ]
    node = '&ensp;<span class="explain-node">the chosen node</span>'
    return f"<b>{escape(told.url)}</b><br>{escape(outcome)}<br>{' '.join(marks)} {node}"


def _body(drawing: Drawing, dressing: Dressing, base: str) -> str:
    if drawing.tree is None:
        return ""
    marked = [
        (block, _mark(explained))
        for block, explained in zip(drawing.blocks, drawing.explanation.blocks, strict=True)
    ]
    body = drawing.tree.find(".//body")
    page = drawing.tree if body is None else body
    _strip(page, dressing, base)
    if drawing.node is not None:
        drawing.node.set("class", f"explain-node {drawing.node.get('class', '')}".strip())
    for block, (name, why) in marked:
        _draw(block, name, why)
    return etree.tostring(page, encoding="unicode", method="html", with_tail=False)


def _mark(block: ExplainedBlock) -> tuple[str, str]:
    numbers = f"first look {block.first:.2f}, second look {block.second:.2f}"
    return block.fate, "\n".join((f"{block.fate}: {numbers}", *block.reasons))


def _strip(page: Element, dressing: Dressing, base: str) -> None:
    """Leave what shows text, and images of the archive; another element is as good as a `div`."""
    for head in page.findall("head"):
        page.remove(head)
    for element in page.iter("*"):
        if element.tag not in _TAGS:
            element.tag = "div"
        # All at once: a name that is no name cannot be deleted. And only what can be written again.
        kept: dict[str | bytes, str | bytes] = {
            name: writable(str(value)) for name, value in element.attrib.items() if name in _ATTRIBUTES
        }
        found = dressing.image(element, base) if element.tag == "img" else None
        element.attrib.clear()
        element.attrib.update(kept)
        if found is not None:
            put_image(element, found)


def _draw(block: Block, name: str, why: str) -> None:
    """Set the text of a block in colour, piece by piece."""
    for element, is_tail in block.pieces:
        mark = etree.Element("mark", {"class": f"explain-{name}", "title": writable(why)})
        if is_tail:
            mark.text, element.tail = element.tail, None
            element.addnext(mark)
        else:
            mark.text, element.text = element.text, None
            element.insert(0, mark)
