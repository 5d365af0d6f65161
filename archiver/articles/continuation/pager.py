"""The pager at the end of an article: which link leads to its next page, or to all of it on one page."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from archiver.articles.continuation.addresses import counts_itself, nth_page
from archiver.documents.pages.dom import is_comments_zone
from archiver.documents.pages.links import links_of
from archiver.documents.pages.text import one_line, walk
from archiver.lexicon.pagers import (
    COMMENT_PAGER,
    MANY,
    NEXT,
    OF_OTHERS,
    PAGE,
    SIGNS_ALONE,
    SINGLE,
    says_print,
)
from archiver.urls import LONGEST_URL, host_of, is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.links import PageLink

# A link of a pager says little; the headline of another article says much.
_LONGEST = 40
# Beyond these, an element around a link is more than the pager: characters, and characters outside of links.
_LONGEST_PAGER = 160
_LONGEST_MARKUP = 4000  # with white space
# Of a page, so many links are looked at, and so many in search of a pager.
_MOST_LINKS = 5000
_MOST_NUMBERS = 50
_MOST_BESIDE = 60
# Views of the whole that are tried: where these were not of the article, the other ones are not either.
_MOST_VIEWS = 3
# Fewer are a link to the comments beside the headline.
_FEW_WORDS = 15
_FORUM = ("DiscussionForumPosting", "schema.org/Comment", "QAPage")


def leading_links(tree: Element, base: str) -> list[PageLink]:
    """The links of a page down to what readers wrote about it, and what its head marks as next."""
    found = (one for one in _before_comments(tree) if one.get("href") and _may_lead(one))
    links = (
        link for link in links_of(tree, base, found) if len(link.url) <= LONGEST_URL and is_web(link.url)
    )
    return list(islice(links, _MOST_LINKS))


def _may_lead(element: Element) -> bool:
    return element.tag == "a" or (element.tag == "link" and _is_next(element))


def _is_next(element: Element) -> bool:
    return "next" in (element.get("rel") or "").lower().split()


def _says_next(link: PageLink) -> bool:
    words = f"{link.text} {link.label}"
    if len(words) > _LONGEST or OF_OTHERS.search(words):
        return False
    return link.text in SIGNS_ALONE or NEXT.search(words) is not None


def _says_number(link: PageLink, number: int) -> bool:
    """True for "2", "[2]" and "Page 2"; a word beside it must be one for pages."""
    digits = re.findall(r"\d+", link.text)
    if digits[:1] != [str(number)] or len(link.text) > _LONGEST:
        return False
    return re.search(r"[^\W\d]", link.text) is None or PAGE.search(link.text) is not None


def _before_comments(tree: Element) -> Iterator[Element]:
    """Each element in order, until what readers wrote begins: a pager from there on is one of theirs."""
    if _is_of_readers(tree):
        return
    for element, event in walk(tree, _is_of_readers):
        if event == "skip" and len("".join(map(str, element.itertext())).split()) >= _FEW_WORDS:
            return
        if event == "open":
            yield element


def _is_of_readers(element: Element) -> bool:
    kind = element.get("itemtype") or ""
    names = f"{element.get('class', '')} {element.get('id', '')}"
    is_pager_of_comments = element.tag in ("nav", "div", "ul") and COMMENT_PAGER.search(names) is not None
    return is_comments_zone(element) or is_pager_of_comments or any(one in kind for one in _FORUM)


def next_page(links: Sequence[PageLink], first: str, number: int) -> str | None:
    """The address of the article's page of this number, where a link at its end leads there."""
    is_unsure = counts_itself(first)
    others = {link.url for link in links if _is_next(link.element) and nth_page(link.url, first) is None}
    for link in links:
        nth = nth_page(link.url, first)
        # Some count from 0: their second page is called 1.
        if nth is None or nth not in (number, number - 1) or _is_at(link, first):
            continue
        has_number = _says_number(link, number)
        if nth == number - 1 and not has_number:
            continue
        if has_number or ((_is_next(link.element) or _says_next(link)) and not is_unsure):
            return link.url
    return None if others else _by_numbers(links, first, number)


def _is_at(link: PageLink, url: str) -> bool:
    return same_page_key(link.url) == same_page_key(url)


def _by_numbers(links: Sequence[PageLink], first: str, number: int) -> str | None:
    """A link that only its own number tells: one of several in a row, each with the next number."""
    numbered = [link for link in links if link.text == str(number)]
    for link in numbered[:_MOST_NUMBERS]:
        if host_of(link.url) != host_of(first) or _is_at(link, first):
            continue
        row = pager_around(link.element)
        words = _short_text(row) or ""
        if row is not link.element and re.match(rf"\D*1\D.*\b{number}\b", words) and _is_row(row, number):
            return link.url if _is_below(link.url, first) else None
    return None


def _is_row(row: Element, number: int) -> bool:
    """Whether the links in it are numbers in order, with words for pages around them at most."""
    texts = [one_line("".join(map(str, link.itertext()))) for link in row.iter("a")]
    numbers = [int(text) for text in texts if text.isdecimal()]
    words = [text for text in texts if not text.isdecimal() and re.search(r"[^\W\d]", text)]
    counted = {*numbers, 1, number, number - 1} - {0}
    is_all = len(counted) == max(counted)  # none is left out; a great number is not counted up to
    return is_all and numbers == sorted(numbers) and not any(OF_OTHERS.search(word) for word in words)


def _is_below(url: str, first: str) -> bool:
    """Whether an address is in the folder of the first page, or below it."""
    folder, here = first.partition("?")[0].rpartition("/")[0], url.partition("?")[0]
    return here.startswith(f"{folder}/") and here.rstrip("/") != folder


def single_page(links: Sequence[PageLink], first: str, passed: Sequence[str]) -> str | None:
    """The address of a view of the whole article on one page; asked for only where it has several."""
    if len(passed) >= _MOST_VIEWS:
        return None
    for is_wanted in (_says_single, _says_print):
        for link in links:
            is_apart = link.url not in passed and host_of(link.url) == host_of(first)
            if is_apart and is_wanted(link) and not _is_at(link, first):
                return link.url
    return None


def _says_single(link: PageLink) -> bool:
    words = f"{link.text} {link.label}"
    if len(words) > _LONGEST or MANY.search(words):
        return False
    return SINGLE.search(words) is not None


def _says_print(link: PageLink) -> bool:
    return any(map(says_print, (link.text, link.label)))


def pager_around(element: Element) -> Element:
    """The largest element around a link that is nothing but a pager."""
    found = element
    for around in element.iterancestors():
        words = _short_text(around)
        if around.tag in ("body", "html", "article", "main") or words is None:
            break
        linked = sum(len("".join(map(str, link.itertext()))) for link in around.iter("a"))
        if len(words) - linked > _MOST_BESIDE or around.find(".//img") is not None:
            break
        found = around
    return found


def _short_text(element: Element) -> str | None:
    """The text of an element; None where it is too long for a pager."""
    found = ""
    for text in element.itertext():
        found += str(text)
        if len(one_line(found)) > _LONGEST_PAGER or len(found) > _LONGEST_MARKUP:
            return None
    return one_line(found)


def pagers_of(links: Sequence[PageLink], first: str) -> list[Element]:
    """The elements of a page that lead through the pages of its article."""
    leading = [link.element for link in links if link.element.tag == "a" and _leads_through(link, first)]
    found: list[Element] = []
    for element in leading[:_MOST_NUMBERS]:
        row = pager_around(element)
        if row not in found:
            found.append(row)
    return found


def _leads_through(link: PageLink, first: str) -> bool:
    return (nth_page(link.url, first) or 0) > 0 or (_is_at(link, first) and _says_number(link, 1))
