"""What stands around the articles: a captured page, taken apart into what stays and where the list goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import base_url, parse_html, writable
from archiver.documents.pages.not_html import why_not_html
from archiver.errors import ExtractionError
from archiver.inspection.rebuild.cards import cards_on, links_on
from archiver.inspection.rebuild.filling import CardPattern
from archiver.inspection.rebuild.trees import drop_active

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lxml.etree import _Element as Element

    from archiver.inspection.rebuild.model import Origin, Rebuilt, RebuiltArticle

    Known = Callable[[Collection[str]], Collection[str]]


# Elements that hold nothing, and elements that hold others only.
_VOID = frozenset({"br", "hr", "img", "input", "wbr"})
_PARTED = frozenset({"dl", "ol", "table", "tbody", "tr", "ul"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FramePage:
    """A page of the archive."""

    url: str
    body: bytes
    content_type: str | None
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A page with the list of another time in it."""

    tree: Element
    base: str
    origin: Origin | None
    kind: str  # home, article, none


def tree_of(page: FramePage) -> Element | None:
    """None where a capture is no page."""
    if not page.body or why_not_html(page.body, page.content_type):
        return None
    try:
        tree = parse_html(page.body, page.content_type, page.url)
    except ExtractionError:
        return None
    # Now, for a list must not be found in what is taken out later.
    drop_active(tree)
    return tree


# ── From the channel's own page ──────────────────────────────────────────────────────────────────────────


def from_home(page: FramePage, rebuilt: Rebuilt, known: Known) -> Frame | None:
    """The channel's page with the articles of that time in its list; None where no list is found on it."""
    tree = tree_of(page)
    if tree is None:
        return None
    base = base_url(tree, page.url)
    links = links_on(tree, base)
    cards = cards_on(tree, links, known(set(links.values())))
    if not cards:
        return None
    pattern = CardPattern(cards, base)
    made = [_marked(pattern.make(article), article) for article in rebuilt.articles]
    _put(made, [card.elements for card in cards])
    return Frame(tree=tree, base=base, origin=page.origin, kind="home")


def _put(made: Sequence[Sequence[Element]], cards: Sequence[Sequence[Element]]) -> None:
    """Each row of cards gets as many as it had; what is left goes into the last."""
    rows: dict[Element, list[Sequence[Element]]] = {}
    for card in cards:
        container = card[0].getparent()
        if container is not None:
            rows.setdefault(container, []).append(card)
    waiting = list(made)
    for number, (container, row) in enumerate(rows.items(), start=1):
        count = len(waiting) if number == len(rows) else len(row)
        mine, waiting = waiting[:count], waiting[count:]
        place = container.index(row[0][0])
        for card in row:
            for element in card:
                container.remove(element)
        container[place:place] = [element for card in mine for element in card]


def _marked(elements: list[Element], article: RebuiltArticle) -> list[Element]:
    for element in elements:
        element.attrib.update(marks_of(article))
    _place_for_note(elements).append(_note(article))
    return elements


def _place_for_note(elements: Sequence[Element]) -> Element:
    """The end of the card, within whatever may hold words there."""
    inside = [one for element in elements for one in element.iter("*") if one.tag not in _VOID]
    place = next((one for one in reversed(elements) if one.tag not in _VOID), elements[-1])
    if place.tag in _PARTED:
        return next((one for one in reversed(inside) if one.tag in {"td", "th", "li", "dd"}), place)
    return place


def marks_of(article: RebuiltArticle) -> dict[str | bytes, str | bytes]:
    """What every rebuilt element says of where it is from."""
    origin = article.origin
    marks = {
        "data-archiver": "rebuilt",
        "data-archiver-source": article.source,
        "data-archiver-grounds": article.grounds,
        "data-archiver-object": article.object_id,
        "data-archiver-version": None if article.version is None else str(article.version),
        "data-archiver-record": origin.record_id if origin else None,
        "data-archiver-captured": f"{origin.captured:%Y-%m-%dT%H:%M:%SZ}" if origin else None,
        "data-archiver-gone": article.gone,
    }
    return {name: writable(value) for name, value in marks.items() if value}


def _note(article: RebuiltArticle) -> Element:
    """What a reader must know of an article, in small letters."""
    note = etree.Element("small", {"class": "archiver-note"})
    told = []
    if article.version is None:
        told.append("by its feed alone")
    else:
        told.append(f"version {article.version}")
    if article.grounds.is_inferred:
        told.append("inferred")
    if article.gone:
        told.append(f"gone ({article.gone})")
    note.text = f" [{', '.join(told)}]"
    return note


# ── From nothing ─────────────────────────────────────────────────────────────────────────────────────────


def from_nothing(rebuilt: Rebuilt) -> Frame:
    """A bare page."""
    tree = etree.Element("html")
    title = etree.SubElement(etree.SubElement(tree, "head"), "title")
    title.text = writable(rebuilt.title or rebuilt.channel)
    etree.SubElement(tree, "body").append(plain_list(rebuilt))
    return Frame(tree=tree, base=rebuilt.link or rebuilt.channel, origin=None, kind="none")


def plain_list(rebuilt: Rebuilt) -> Element:
    """The articles without a design."""
    whole = etree.Element("section", {"data-archiver": "rebuilt"})
    heading = etree.SubElement(whole, "h1")
    heading.text = writable(rebuilt.title or rebuilt.channel)
    items = etree.SubElement(whole, "ol")
    for article in rebuilt.articles:
        items.extend(_marked([_item(article)], article))
    return whole


def _item(article: RebuiltArticle) -> Element:
    item = etree.Element("li")
    heading = etree.SubElement(item, "h2")
    link = etree.SubElement(heading, "a", {"href": writable(article.url)} if article.url else {})
    link.text = writable(article.title)
    if article.published:
        time = etree.SubElement(item, "time", {"datetime": f"{article.published:%Y-%m-%dT%H:%M:%SZ}"})
        time.text = f"{article.published:%Y-%m-%d %H:%M} UTC"
    if article.lead:
        etree.SubElement(item, "p").text = writable(article.lead)
    return item
