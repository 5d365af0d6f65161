"""A part of a page, cut out: what a fragment names, or where an entry that shares its page is announced."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from lxml import etree

from archiver.articles.methods.article.method import ArticleMethod
from archiver.articles.methods.assembly import article_from
from archiver.articles.methods.extraction import parse_page
from archiver.articles.methods.reference import sigfeed
from archiver.articles.methods.registry import DEFAULT, FRAGMENT
from archiver.articles.model import Article, NoArticle, ParsedPage, Selection
from archiver.documents.pages.dom import cleaned, elements, strip_unseen
from archiver.documents.pages.text import one_line, plain, text_of
from archiver.documents.pages.words import tokens
from archiver.documents.parts import is_zone
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.model import Announcement, RawPage

ZONE = "sigfeed"
_VOTING = ArticleMethod()

_CONTAINERS = frozenset({
    "article", "section", "main", "div", "li", "dd", "td", "tr", "tbody", "table", "blockquote", "details",
    "aside", "figure", "ul", "ol", "dl", "p", "pre", "fieldset",
})  # fmt: skip
# A row of headings and what stands with them, which is not the text below.
_AROUND_HEADING = frozenset({"header", "hgroup", "div", "span", "a", "strong", "b"})
# Fewer are a label, or the place of a button.
_LEAST_WORDS = 5
# A zone below is the announcement repeated; the notes that share a page may be short.
_LEAST_OF_ZONE = 25
_ANCHOR = etree.XPath("self::a[@name] | .//a[@name]", smart_strings=False)
_ALL_HEADINGS = etree.XPath("//h1 | //h2 | //h3 | //h4 | //h5 | //h6 | //dt | //summary", smart_strings=False)


def part_of(page: RawPage, part: str, method: str = DEFAULT) -> Article | NoArticle | None:
    """The article that is this part of the page; None where the page has no such part.

    An author who names an element means all of it. In a zone the voters of `article` leave out what is not of
    the article, and the zone is one of them.
    """
    cut = cut_page(page, part)
    if cut is None or isinstance(cut, NoArticle):
        return cut
    voted = _voted(cut) if cut.is_zone and method == DEFAULT else None
    found = voted or article_from(cut, _all_of(cut), ZONE if cut.is_zone else FRAGMENT)
    return found if isinstance(found, NoArticle) else replace(found, canonical_url=None)


def _voted(cut: ParsedPage) -> Article | None:
    """What the voters take for the article; None where they find none, as in a note of a few words."""
    (selection,) = _VOTING.find([cut], ()).selections
    found = article_from(cut, selection, ZONE) if selection else None
    return found if isinstance(found, Article) else None


def _all_of(cut: ParsedPage) -> Selection:
    body = cut.tree.find("body")
    assert body is not None  # noqa: S101 - made here
    return Selection(node=body, confidence=1.0, evidence={})


def cut_page(page: RawPage, part: str) -> ParsedPage | NoArticle | None:
    """This part as a page of its own: what the page says of itself as a whole is not said of it."""
    parsed = parse_page(page)
    if isinstance(parsed, NoArticle):
        return parsed
    nodes = _nodes(parsed, part)
    if nodes is None:
        return None
    return ParsedPage(
        url=parsed.url,
        base_url=parsed.base_url,
        tree=_page_of(parsed, nodes),
        language=parsed.language,
        announcement=parsed.announcement,
        id=parsed.id,
        is_zone=is_zone(part),
    )


def _nodes(page: ParsedPage, part: str) -> Sequence[Element] | None:
    if is_zone(part):
        return announced_part(page)
    named = [one for one in page.tree.iter() if part in (one.get("id"), one.tag == "a" and one.get("name"))]
    found = named_part(named[0]) if named else None
    return found if found and _count(found) >= _LEAST_WORDS else None


def announced_part(page: ParsedPage) -> Sequence[Element] | None:
    """The section under the heading that is the entry's title, or else SIGFEED's zone."""
    title = tokens(plain(page.announcement.title or ""))
    headings = [one for one in elements(_ALL_HEADINGS, page.tree) if title and tokens(text_of(one)) == title]
    if len(headings) == 1:
        found = named_part(headings[0])
        if found and _count(found) >= len(title) + _LEAST_WORDS:
            return found
    zone = sigfeed.select(cleaned(page.tree), page.announcement, page.language, least_words=_LEAST_OF_ZONE)
    return None if zone is None else [zone.node]


def named_part(element: Element) -> Sequence[Element] | None:
    """What a name stands for: a section from its heading on, or the element itself if it is a container."""
    heading = next((one for one in _up(element, 3) if one.tag in HEADINGS), None)
    if heading is None and not _has_text(element):
        following = element.getnext()
        if following is None and (parent := element.getparent()) is not None and not _has_text(parent):
            following = parent.getnext()
        heading = following if following is not None and following.tag in HEADINGS else None
    if heading is not None:
        return _section(heading)
    if element.tag == "dt":
        return [element, *_until(element, lambda one: one.tag != "dd")]
    if element.tag in _CONTAINERS and _has_text(element):
        return [element]
    return _from_anchor(element)


def _section(heading: Element) -> Sequence[Element]:
    """From a heading to the next one of its level."""
    start, level = heading, HEADINGS.index(heading.tag)
    while (parent := start.getparent()) is not None and parent.tag in _AROUND_HEADING:
        if _has_text_beside(start):
            break
        start = parent
    ends = frozenset(HEADINGS[: level + 1])
    return [start, *_until(start, lambda one: next(one.iter(*ends), None) is not None)]


def _from_anchor(element: Element) -> Sequence[Element] | None:
    """From the block that an anchor opens to the next one that another opens."""
    block = next((one for one in _up(element, 4) if one.tag in _CONTAINERS | {"dt"}), None)
    if block is None or block is element or _is_inside_text(element, block):
        return None
    if block.tag in ("p", "dt"):
        return [block, *_until(block, lambda one: one.tag in HEADINGS or bool(_ANCHOR(one)))]
    return [block]


def _is_inside_text(element: Element, block: Element) -> bool:
    """Whether something is said in the block before the element."""
    for one in block.iter():
        if one is element:
            return False
        if one.text and not one.text.isspace():
            return True
    return True


def _page_of(page: ParsedPage, nodes: Sequence[Element]) -> Element:
    tree = etree.Element("html", {"lang": page.language} if page.language else {})
    title = etree.SubElement(etree.SubElement(tree, "head"), "title")
    body = etree.SubElement(tree, "body")
    for node in nodes:
        body.append(copy.deepcopy(node))
    # What stands after a container is not in it; after a heading it is of its section.
    if len(nodes) == 1 and nodes[0].tag not in HEADINGS:
        body[0].tail = None
    strip_unseen(body)
    title.text = _title(body, page.announcement)
    return tree


def _title(body: Element, announcement: Announcement) -> str:
    heading = next(body.iter(*HEADINGS), None)
    return one_line(text_of(heading)) if heading is not None else plain(announcement.title or "")


def _up(element: Element, most: int) -> Iterator[Element]:
    node: Element | None = element
    for _ in range(most):
        if node is None or node.tag in ("body", "html"):
            return
        yield node
        node = node.getparent()


def _until(start: Element, ends: Callable[[Element], bool]) -> Iterator[Element]:
    """The siblings after an element, up to one that ends its part."""
    for one in start.itersiblings():
        if isinstance(one.tag, str):
            if ends(one):
                return
            yield one


def _has_text(element: Element) -> bool:
    return any(text and not text.isspace() for text in element.itertext())


def _has_text_beside(element: Element) -> bool:
    """Whether anything is said after this element in its parent."""
    following = [element, *element.itersiblings()]
    return any(_has_text(one) for one in following[1:]) or any(
        one.tail and not one.tail.isspace() for one in following
    )


def _count(nodes: Sequence[Element]) -> int:
    return sum(len(tokens(text_of(node))) for node in nodes)
