"""An explanation drawn on the page: each block in the colour of what became of it, reasons on pointing at it.

The file loads nothing and runs nothing: few elements and hardly an attribute of the page are left, and a
policy in its head forbids the rest.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lxml import etree

from archiver.display.page import html_page
from archiver.documents.pages.dom import writable
from archiver.lexicon.elements import BLOCKS, INLINE

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.explain.explanation import Drawing, ExplainedBlock, Explanation
    from archiver.documents.pages.blocks import Block

_TAGS = (BLOCKS | INLINE | {"br", "tbody", "thead", "tfoot"}) - {"html", "body", "form", "option", "source"}
_ATTRIBUTES = frozenset({"alt", "class", "colspan", "dir", "id", "lang", "role", "rowspan"})
_STYLE = """
body { margin: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
.explain-legend { position: sticky; top: 0; padding: .5rem 0; background: #fff; border-bottom: 1px solid; }
.explain-kept { background: #bfe8c0; color: #032; }
.explain-dropped { background: #f6c4bd; color: #400; }
.explain-outside { background: #e4e4e4; color: #444; }
.explain-node { outline: 3px dashed #27a; outline-offset: 4px; }
"""


def html_of(drawing: Drawing) -> str:
    """The page as one file. Takes the tree of the drawing apart."""
    told = drawing.explanation
    body = f'<div class="explain-legend">{_legend(told)}</div>\n{_body(drawing)}\n'
    language = (drawing.tree.get("lang") if drawing.tree is not None else None) or ""
    return html_page(f"Explained: {told.url}", body, style=_STYLE, language=language)


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
    node = '<span class="explain-node">the chosen node</span>'
    return f"<b>{escape(told.url)}</b><br>{escape(outcome)}<br>{' '.join(marks)} {node}"


def _body(drawing: Drawing) -> str:
    if drawing.tree is None:
        return ""
    marked = [
        (block, _mark(explained))
        for block, explained in zip(drawing.blocks, drawing.explanation.blocks, strict=True)
    ]
    body = drawing.tree.find(".//body")
    page = drawing.tree if body is None else body
    _strip(page)
    if drawing.node is not None:
        drawing.node.set("class", f"explain-node {drawing.node.get('class', '')}".strip())
    for block, (name, why) in marked:
        _draw(block, name, why)
    return etree.tostring(page, encoding="unicode", method="html", with_tail=False)


def _mark(block: ExplainedBlock) -> tuple[str, str]:
    numbers = f"first look {block.first:.2f}, second look {block.second:.2f}"
    return block.fate, "\n".join((f"{block.fate}: {numbers}", *block.reasons))


def _strip(page: Element) -> None:
    """Leave what shows text; another element is as good as a `div`."""
    for head in page.findall("head"):
        page.remove(head)
    for element in page.iter("*"):
        if element.tag not in _TAGS:
            element.tag = "div"
        # All at once: a name that is no name cannot be deleted. And only what can be written again.
        kept: dict[str | bytes, str | bytes] = {
            name: writable(str(value)) for name, value in element.attrib.items() if name in _ATTRIBUTES
        }
        element.attrib.clear()
        element.attrib.update(kept)


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
