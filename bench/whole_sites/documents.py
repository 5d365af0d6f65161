"""What a page shows: its runs of words by blocks, and its links with the places where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import etree

from .truth import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .truth import Item

_UNSEEN = {"script", "style", "noscript", "template", "head", "svg", "iframe", "object"}
_INLINES = """
    a abbr acronym b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark meter
    output q rp rt ruby s samp select small span strike strong sub sup textarea time tt u var wbr
"""
_INLINE = frozenset(_INLINES.split())
_CHARSET = re.compile(r"charset=[\"']?([\w-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    url: str
    inside: bool
    """Whether it stands in an item or in a comment."""


def parse(body: bytes, content_type: str = "") -> etree._Element | None:
    charset = _CHARSET.search(content_type)
    try:
        parser = etree.HTMLParser(encoding=charset[1] if charset else None)
    except LookupError:
        parser = etree.HTMLParser()
    try:
        return etree.fromstring(body, parser)
    except (etree.ParseError, ValueError):
        return None


def blocks_of(root: etree._Element) -> list[tuple[etree._Element, str]]:
    """Each run of words between two borders of blocks, with the block that it stands in."""
    found: list[tuple[etree._Element, str]] = []
    pieces: list[str] = []

    def flush(block: etree._Element) -> None:
        text = " ".join("".join(pieces).split())
        pieces.clear()
        if text:
            found.append((block, text))

    def walk(element: etree._Element, block: etree._Element) -> None:
        if not isinstance(element.tag, str) or element.tag in _UNSEEN or element.get("hidden") is not None:
            return
        own = block if element.tag in _INLINE else element
        if own is not block:
            flush(block)
        pieces.append(" " if element.tag == "br" else element.text or "")
        for child in element:
            walk(child, own)
            pieces.append(child.tail or "")
        if own is not block:
            flush(own)

    walk(root, root)
    flush(root)
    return found


def external_links(root: etree._Element, url: str, item: Item | None) -> Iterator[Link]:
    """Links to other hosts; where the page shows `item`, whether each is in it or in its comments."""
    host = urlsplit(url).netloc
    regions = set(regions_of(root, item)) if item is not None else set()
    for anchor in root.iter("a"):
        target = _target(url, anchor.get("href"))
        if target and urlsplit(target).netloc not in {"", host}:
            yield Link(url=target, inside=any(parent in regions for parent in anchor.iterancestors()))


def regions_of(root: etree._Element, item: Item) -> Iterator[etree._Element]:
    """Find the element that holds all of the item, and for each comment the largest one that is its own."""
    blocks = blocks_of(root)
    wanted = {plain(line) for line in item.text.splitlines()} - {""}
    paragraphs = [block for block, text in blocks if plain(text) in wanted]
    if paragraphs:
        yield _common_ancestor(paragraphs)
    said = {plain(comment.text) for comment in item.comments}
    spoken = [block for block, text in blocks if _is_said(text, said)]
    taken = _ancestors_of([*paragraphs, *spoken])
    for block in spoken:
        yield _own_part(block, taken)


def _is_said(text: str, said: set[str]) -> bool:
    # A wiki signs behind the words of a comment, in the same paragraph.
    words = plain(text)
    return words in said or any(words.startswith(each + " ") for each in said if each)


def _target(base: str, href: str | None) -> str | None:
    try:
        target = urldefrag(urljoin(base, (href or "").strip())).url
    except ValueError:
        return None
    return target if target.startswith(("http://", "https://")) else None


def _common_ancestor(elements: Iterable[etree._Element]) -> etree._Element:
    first, *rest = elements
    shared = [first, *first.iterancestors()]
    for element in rest:
        line = {element, *element.iterancestors()}
        shared = [each for each in shared if each in line]
    return shared[0]


def _ancestors_of(blocks: Iterable[etree._Element]) -> dict[etree._Element, int]:
    """How many of the blocks each element holds."""
    held: dict[etree._Element, int] = {}
    for block in blocks:
        for element in (block, *block.iterancestors()):
            held[element] = held.get(element, 0) + 1
    return held


def _own_part(block: etree._Element, held: dict[etree._Element, int]) -> etree._Element:
    own = block
    for parent in block.iterancestors():
        if held[parent] > 1 or parent.tag in {"body", "html", "main"}:
            break
        own = parent
    return own
