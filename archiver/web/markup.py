"""The clean markup of an article in a page of ours: elements and attributes by a list, no others."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lxml import etree

from archiver.display.page import plain, safe
from archiver.documents.pages.clean_html import ATTRIBUTES, EVERYWHERE, GROUPS, ITEMS
from archiver.lexicon.elements import HEADINGS
from archiver.web.rendering import trusted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element
    from markupsafe import Markup

_ELEMENTS = GROUPS | ITEMS | {
    "a", "abbr", "b", "bdi", "bdo", "br", "cite", "code", "del", "dfn", "div", "em", "hr", "i", "ins", "kbd",
    "mark", "p", "pre", "q", "s", "samp", "small", "strong", "sub", "sup", "time", "u", "var",
}  # fmt: skip
_VOID = {"br", "hr"}
# The page has a heading of its own above the article's.
_LOWEST_HEADING = 6


def shown_markup(html: str, locate: Callable[[str], str | None] = lambda _: None) -> Markup:
    """What an extractor wrote is not trusted: each element is written anew, or only what is in it."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        tree = etree.fromstring(plain(html).encode(), parser)
    except etree.XMLSyntaxError:
        tree = None
    return trusted(_written(tree, locate)) if tree is not None else trusted(())


def _written(root: Element, locate: Callable[[str], str | None]) -> Iterator[str]:
    """Without recursion: pages may nest as deep as they like."""
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start" and isinstance(node.tag, str):
            yield _opened(node, locate)
            yield safe(node.text or "")
        elif event == "end" and isinstance(node.tag, str):
            yield _closed(node)
        if event != "start" and node is not root:
            yield safe(node.tail or "")


def _name(node: Element) -> str | None:
    tag = str(node.tag).lower()
    if tag in HEADINGS:
        return f"h{min(int(tag[1]) + 1, _LOWEST_HEADING)}"
    return tag if tag in _ELEMENTS else None


def _opened(node: Element, locate: Callable[[str], str | None]) -> str:
    if str(node.tag).lower() == "img":
        return _image(node, locate)
    name = _name(node)
    if name is None:
        return ""
    kept = (*ATTRIBUTES.get(name, ()), *EVERYWHERE)
    attributes = "".join(f' {key}="{safe(node.get(key, ""))}"' for key in kept if node.get(key) is not None)
    if name == "a" and _is_web(node.get("href", "")):
        attributes += f' href="{safe(node.get("href", ""))}" rel="noreferrer noopener external"'
    return f"<{name}{attributes}>"


def _closed(node: Element) -> str:
    name = _name(node)
    return f"</{name}>" if name and name not in _VOID else ""


def _image(node: Element, locate: Callable[[str], str | None]) -> str:
    """From the archive; where it was not kept, the words that stand for it."""
    kept, words = locate(node.get("src", "")), safe(node.get("alt", ""))
    if kept:
        return f'<img src="{safe(kept)}" alt="{words}" loading="lazy">'
    return f'<span class="missing-image">Image not kept{": " + words if words else ""}</span>'


def _is_web(url: str) -> bool:
    try:
        return urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        return False
