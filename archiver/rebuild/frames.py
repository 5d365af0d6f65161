"""What stands around the articles: a captured page, taken apart into what stays and where the list goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from archiver.extract.dom import base_url, parse_html, strip_unseen, why_not_html, writable
from archiver.extract.text import BLOCKS, one_line
from archiver.rebuild.cards import cards_on, links_on
from archiver.rebuild.filling import Pattern
from archiver.rebuild.trees import all_text, drop

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lxml.etree import _Element as Element

    from archiver.rebuild.model import Origin, Rebuilt, RebuiltArticle

    Known = Callable[[Collection[str]], Collection[str]]

# So much of an article's text lies in the element that is its place.
_MOST_OF_IT = 0.75
# Paragraphs by which that element is found: shorter ones stand anywhere.
_LEAST_PARAGRAPH = 40
# What is furniture on a page that has no sibling to compare it with.
_FURNITURE = frozenset({"header", "nav", "footer"})
# What may stand among blocks without one of its own.
_ALONE = ("a", "img", "span")


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedPage:
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


def tree_of(page: CapturedPage) -> Element | None:
    """None where a capture is no page."""
    if not page.body or why_not_html(page.body, page.content_type):
        return None
    return parse_html(page.body, page.content_type, page.url)


# ── From the channel's own page ──────────────────────────────────────────────────────────────────────────


def from_home(page: CapturedPage, rebuilt: Rebuilt, known: Known) -> Frame | None:
    """The channel's page with the articles of then in its list; None where no list is found on it."""
    tree = tree_of(page)
    if tree is None:
        return None
    base = base_url(tree, page.url)
    links = links_on(tree, base)
    cards = cards_on(tree, links, known(set(links.values())))
    if not cards:
        return None
    pattern = Pattern(cards, base)
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
    elements[-1].append(_note(article))
    return elements


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


# ── From pages of articles ───────────────────────────────────────────────────────────────────────────────


def from_articles(
    page: CapturedPage, text: str, siblings: Sequence[CapturedPage], rebuilt: Rebuilt
) -> Frame | None:
    """What a page of an article shares with its siblings, and the list where the article stood."""
    tree = tree_of(page)
    if tree is None:
        return None
    strip_unseen(tree)
    node = _place_of(tree, text)
    if node is None:
        return None
    others = [other for other in map(tree_of, siblings) if other is not None]
    _leave_shared(tree, node, [_told_by(other) for other in others])
    _replace(node, rebuilt)
    title = tree.find(".//title")
    if title is not None:
        title.text = writable(rebuilt.title or rebuilt.channel)
        title.set("data-archiver", "rebuilt")
    return Frame(tree=tree, base=base_url(tree, page.url), origin=page.origin, kind="article")


def _place_of(tree: Element, text: str) -> Element | None:
    """The smallest element that holds most of the article's words."""
    wanted = {one_line(line) for line in text.splitlines()}
    wanted = {line for line in wanted if len(line) >= _LEAST_PARAGRAPH}
    sizes: dict[Element, int] = {}
    leaves = leaves_of(tree)
    for block in leaves:
        line = one_line(all_text(block))
        if line in wanted:
            wanted.discard(line)
            for above in (block, *block.iterancestors()):
                sizes[above] = sizes.get(above, 0) + len(line)
    total = max(sizes.values(), default=0)
    large = [element for element, size in sizes.items() if size >= _MOST_OF_IT * total]
    # A single paragraph is not the place of an article, but what it stands in.
    node = max(large, key=lambda one: sum(1 for _ in one.iterancestors()), default=None)
    if node in leaves:
        node = node.getparent()
    return None if node is None or node.tag == "html" else node


def _leave_shared(tree: Element, node: Element, siblings: Sequence[set[str]]) -> None:
    """Take out what only this page says; without siblings, all but its furniture."""
    kept = {node, *node.iterancestors()}
    for element in leaves_of(tree):
        above = {element, *element.iterancestors()}
        if element in kept or node in above or any(one.tag == "head" for one in above):
            continue
        told = _telling(element)
        if siblings:
            is_shared = any(told <= other for other in siblings)
        else:
            is_shared = any(one.tag in _FURNITURE for one in above)
        if not is_shared:
            drop(element)
    _drop_empty(tree, kept)


def _drop_empty(tree: Element, kept: Collection[Element]) -> None:
    for element in reversed(list(tree.iter("*"))):
        is_empty = len(element) == 0 and not one_line(element.text or "")
        if is_empty and element.tag in BLOCKS and element not in kept and element.tag != "body":
            drop(element)


def _told_by(tree: Element) -> set[str]:
    strip_unseen(tree)
    return {told for element in leaves_of(tree) for told in _telling(element)}


def _telling(element: Element) -> set[str]:
    """What a block says: its words, its links, its images."""
    texts = {one_line(all_text(element))}
    links = {f"a {one.get('href')}" for one in element.iter("a")}
    return (texts | links | {f"img {one.get('src')}" for one in element.iter("img")}) - {""}


def leaves_of(tree: Element) -> list[Element]:
    """Blocks that hold no other block, and links, images and spans that stand among blocks."""
    holders: set[Element] = set()
    for block in tree.iter(*BLOCKS):
        for above in block.iterancestors():
            if above in holders:
                break
            holders.add(above)
    return [
        element
        for element in tree.iter(*BLOCKS, *_ALONE)
        if element not in holders and (element.tag in BLOCKS or element.getparent() in holders)
    ]


def _replace(node: Element, rebuilt: Rebuilt) -> None:
    for child in list(node):
        node.remove(child)
    node.text = None
    node.append(plain_list(rebuilt))


# ── From nothing ─────────────────────────────────────────────────────────────────────────────────────────


def from_nothing(rebuilt: Rebuilt) -> Frame:
    """A bare page."""
    tree = etree.Element("html")
    title = etree.SubElement(etree.SubElement(tree, "head"), "title")
    title.text = writable(rebuilt.title or rebuilt.channel)
    etree.SubElement(tree, "body").append(plain_list(rebuilt))
    return Frame(tree=tree, base=rebuilt.link or rebuilt.channel, origin=None, kind="none")


def plain_list(rebuilt: Rebuilt) -> Element:
    """The articles without anybody's design."""
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
