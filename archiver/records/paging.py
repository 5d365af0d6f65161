"""What a page of results says of the others: how many records there are in all, and where they go on."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import values_at
from archiver.documents.lists.addresses import same_site
from archiver.documents.lists.listing import pager_link
from archiver.documents.lists.pager import next_page, numbered_page
from archiver.documents.pages.dom import absolute_url, base_url
from archiver.documents.pages.links import links_of
from archiver.lexicon.pagers import NEXT, OF_OTHERS, SIGNS_ALONE
from archiver.lexicon.result_words import COUNTED, OF, TOTAL_NAMES
from archiver.records.leaves import seen_text
from archiver.records.trees import is_unseen
from archiver.urls import is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.records.model import AnswerPage

_MOST_LINKS = 20_000
_MOST_TEXTS = 20_000
_LONGEST_TOTAL = 120
_LONGEST_NEXT = 25
_NUMBER = r"(\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+|\d+)"
_OF_TOTAL = re.compile(
    rf"\d\s*(?:[-\u2013\u2014]|to|bis|\u00e0|a)\s*\d+.{{0,20}}?\b(?:{OF})\s+(?:about\s+)?{_NUMBER}",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"(?<![\d.,]){_NUMBER}\+?\s+(?:[^\W\d]+\s+){{0,2}}?(?:{COUNTED})", re.IGNORECASE)
_LABELLED = re.compile(rf"(?:{COUNTED})\s*[:(]\s*{_NUMBER}\b", re.IGNORECASE)
_FIRST_NUMBER = re.compile(rf"(?<![\d.,]){_NUMBER}(?!\s*[.,:/-]?\d)")
_PAGE_NUMBER = re.compile(r"(?:^|[?&/])(?:page|p|pg|seite|paged)[=/-](\d{1,5})(?:$|\D)", re.IGNORECASE)


def total_claimed(page: AnswerPage) -> int | None:
    """The number of records that a page says were found; None where it does not say."""
    said = list(islice(_short_texts(page.tree), _MOST_TEXTS))
    for pattern in (_OF_TOTAL, _COUNTED, _LABELLED):
        for element, text in said:
            if (found := pattern.search(text)) and not _is_link(element):
                return _number(found[1])
    for element, text in said:
        if TOTAL_NAMES.search(_names(element)) and (found := _FIRST_NUMBER.search(text)):
            return _number(found[1])
    return None


def _short_texts(tree: Element) -> Iterator[tuple[Element, str]]:
    """Elements that say something short, in their order."""
    stack = [tree]
    while stack:
        element = stack.pop()
        if is_unseen(element) or element.tag in ("select", "option"):
            continue
        own = (element.text, *(child.tail for child in element))
        if any(one and not one.isspace() for one in own):
            text = seen_text(element)
            if len(text) <= _LONGEST_TOTAL and any(map(str.isdigit, text)):
                yield element, text
        stack.extend(reversed(element))


def _is_link(element: Element) -> bool:
    return any(one.tag == "a" for one in (element, *element.iterancestors()))


def _names(element: Element) -> str:
    return f"{element.get('class', '')} {element.get('id', '')}"


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def given_next_link(page: AnswerPage, given: str) -> str | None:
    """The address that an expression leads to: a link, or the value of an attribute."""
    document = VirtualDocument(tree=page.tree, url=page.url)
    for element, values in values_at(parse(given), document):
        href = values[0] if values else element.get("href", "")
        if found := absolute_url(document.base_url, href.strip()):
            return found
    return None


def next_link(page: AnswerPage, given: str = "") -> str | None:
    """The address of the next page of results, by an expression where one is given; None: there is none."""
    if given:
        return given_next_link(page, given)
    base = base_url(page.tree, page.url)
    here = same_page_key(page.url)
    links = [
        (link, pager_link(link))
        for link in islice(links_of(page.tree, base, page.tree.iter("link", "a")), _MOST_LINKS)
        if is_web(link.url) and same_site(link.url, [base]) and same_page_key(link.url) != here
    ]
    marked = next((link.url for link, told in links if told.is_marked), None)
    if marked:
        return marked
    said = [
        link.url for link, _ in links if link.element.tag == "a" and _says_next(f"{link.text} {link.label}")
    ]
    number = _page_number(page.url) + 1
    told = [told.__class__(url=link.url, text=told.text, label=told.label) for link, told in links]
    counted, is_counted = next_page(told, page.url, number)
    if counted and is_counted and (not said or numbered_page(counted, page.url) is not None):
        return counted
    return said[0] if said else None


def _page_number(url: str) -> int:
    found = _PAGE_NUMBER.search(url)
    return int(found[1]) if found else 1


def _says_next(text: str) -> bool:
    plain = text.strip()
    if plain in SIGNS_ALONE:
        return True
    return len(plain) <= _LONGEST_NEXT and bool(NEXT.search(plain)) and not OF_OTHERS.search(plain)
