"""The pages of an article made into one: the first as it is, with the blocks of the others at its end."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lxml import etree

from archiver.articles.continuation.addresses import is_front_page, may_continue, nth_page
from archiver.articles.continuation.pager import leading_links, next_page, pagers_of, single_page
from archiver.articles.continuation.zone import counterpart, is_list, weight, words_of, zone_of, zone_with
from archiver.articles.metadata.titles import title_of
from archiver.articles.methods.extraction import LARGEST, extract, parse_page
from archiver.articles.model import NoArticle, ParsedPage
from archiver.documents.pages.dom import UNSEEN, absolute_url, is_comments_zone
from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import one_line, text_of
from archiver.documents.pages.words import tokens
from archiver.documents.parts import share_of
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.model import RawPage

_WORD = (
    r"(?:page|pg\.?|p\.|seite|página|pagina|pág\.?|strona|sida|side|sivu|stránka|oldal|sayfa|part|teil|partie|parte"
    r"|страница|стр\.?)"
)
_OF = r"(?:\s*(?:/|of|von|de|sur|di|van|av|af|z|из)\s*\d{1,3})"
_MARKS = re.compile(
    rf"[\s\-\u2013\u2014|:,(\[]{{0,9}}(?:\b{_WORD}\s*\d{{1,3}}{_OF}?|\b\d{{1,3}}{_OF}"
    r"|第\s*\d{1,3}\s*(?:页|頁|ページ)|\(\d{1,3}\)|\d{1,3}\s*(?:ページ目|쪽|페이지))[)\]]*",
    re.IGNORECASE,
)
# Fewer at the beginning of another title may be there by chance.
_LEAST_WORDS = 3
_MOST = 20

# A page with so much of the text so far has all of it: a view on one page, or the same once more.
_ALL = 0.8
# So much longer than that it must be.
_LONGER = 1.1
# A page that goes on repeats a headline and a first sentence. One with more of it is the article once more,
# with other comments or pictures beside it.
_REPEATED = 0.3
# Of the first page's text, so much must still be found when the others are joined to it.
_KEPT = 0.8
_ADDRESSES = ("href", "src", "data-src", "poster")
_UTF8 = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """An article's pages as one, and how many of the further ones are in it."""

    page: RawPage
    used: int = 0
    # They are of it, but together the text of the first would be lost.
    is_unjoined: bool = False


def join(first: RawPage, further: Sequence[RawPage] = ()) -> Joined:
    """The pages as one; it ends before one that is not of the article, or adds nothing to it."""
    start = parse_page(first) if further else None
    if start is None or isinstance(start, NoArticle):
        return Joined(page=first)
    alone = _text_of(first)
    made = _Making(start, zone_with(start.tree, alone))
    used = made.take(further, most=LARGEST - len(first.body))
    if not used:
        return Joined(page=first)
    whole = made.written(first)
    if share_of(tokens(_text_of(whole)), tokens(alone)) < _KEPT:
        return Joined(page=first, is_unjoined=True)
    return Joined(page=whole, used=used)


def _text_of(page: RawPage) -> str:
    """The article's text, read by itself."""
    (found,) = extract([page])
    return "" if isinstance(found, NoArticle) else found.text


def where_next(
    first: RawPage,
    further: Sequence[RawPage] = (),
    passed: Sequence[str] = (),
    parsed: ParsedPage | NoArticle | None = None,
) -> str | None:
    """Where an article goes on after these of its pages: a view of all of it, else the next one.

    `parsed` is the first page where that was parsed before.
    """
    last = further[-1] if further else first
    number = len(further) + 2
    if is_front_page(first.url) or not may_continue(last.body, first.url, number):
        return None
    page = parse_page(last) if parsed is None or further else parsed
    if isinstance(page, NoArticle):
        return None
    links = leading_links(page.tree, page.base_url)
    found = next_page(links, first.url, number)
    if found is None or _is_visited(found, first) or _is_list_page(page):
        return None
    return found if further else single_page(links, first.url, passed) or found


def _is_list_page(page: ParsedPage) -> bool:
    """Whether a page announces articles, or has no text at all."""
    zone = zone_of(page.tree)
    return zone is None or is_list(zone)


def _is_visited(url: str, first: RawPage) -> bool:
    return same_page_key(url) in map(same_page_key, first.announcement.visited)


class _Making:
    """The first page, while the others are joined to it."""

    def __init__(self, first: ParsedPage, zone: Element | None) -> None:
        self._first = first
        links = leading_links(first.tree, first.base_url)
        self._pagers = pagers_of(links, first.url)
        self._zone = zone_of(first.tree) if zone is None else zone
        self._words = words_of(self._zone) if self._zone is not None else []

    def take(self, further: Sequence[RawPage], most: int) -> int:
        """Put the blocks of these pages where the text ends; how many of them are of the article."""
        for count, raw in enumerate(further):
            most -= len(raw.body)
            page = parse_page(raw) if most > 0 else None
            if page is None or isinstance(page, NoArticle) or not self._add(page, raw):
                return count
        return len(further)

    def _add(self, page: ParsedPage, raw: RawPage) -> bool:
        if self._zone is None or not have_one_title(self._first, page):
            return False
        theirs = zone_with(page.tree, _text_of(raw))
        _without_pagers(page, self._first.url)
        if theirs is None:
            theirs = counterpart(self._zone, page.tree)
        words = words_of(theirs) if theirs is not None else []
        is_whole = self._is_whole(words, page.url)
        if theirs is None or is_whole is None:
            return False
        _make_absolute(theirs, page.base_url)
        self._words = words if is_whole else [*self._words, *words]
        self._append(theirs, is_whole=is_whole)
        return True

    def _is_whole(self, words: Sequence[str], url: str) -> bool | None:
        """Whether a page has the text so far and more; None where it does not go on from there."""
        if share_of(self._words, words) >= _ALL:
            return None
        repeated = share_of(words, self._words)
        is_longer = len(words) >= _LONGER * len(self._words)
        if repeated >= _ALL and is_longer and nth_page(url, self._first.url) is None:
            return True
        return None if repeated >= _REPEATED else False

    def _append(self, theirs: Element, *, is_whole: bool) -> None:
        zone = self._zone
        assert zone is not None  # noqa: S101 - asked before
        place = self._end(zone)
        if is_whole:
            for one in list(zone)[:place]:
                zone.remove(one)
            zone.text, place = None, 0
        known = {_told(one) for one in zone} | {_told(one) for one in self._first.tree.iter("h1")}
        known.discard("")
        if theirs.text and not theirs.text.isspace():
            place = _begin_line(zone, place, theirs.text)
        for child in theirs:
            if child.tag in UNSEEN or is_comments_zone(child):
                continue
            if _told(child) in known:
                _write_text(zone, place, child.tail)
                continue
            zone.insert(place, copy.deepcopy(child))
            place += 1

    def _end(self, zone: Element) -> int:
        """Where the text of the zone ends: at its pager, if that is in it and not above the text."""
        for pager in reversed(self._pagers):
            around: Element | None = pager
            while around is not None and around.getparent() is not zone:
                around = around.getparent()
            place = zone.index(around) if around is not None else 0
            if place and 2 * sum(weight(one) for one in list(zone)[:place]) > weight(zone):
                return place
        return len(zone)

    def written(self, first: RawPage) -> RawPage:
        for pager in self._pagers:
            _take_out(pager)
        body = etree.tostring(self._first.tree, method="html", encoding="utf-8")
        return replace(first, body=body, content_type=_UTF8)


def _without_pagers(page: ParsedPage, first: str) -> None:
    for pager in pagers_of(leading_links(page.tree, page.base_url), first):
        _take_out(pager)


def _take_out(element: Element) -> None:
    around = element.getparent()
    if around is None:
        return
    _write_text(around, around.index(element), element.tail)
    element.tail = None
    around.remove(element)


def _begin_line(zone: Element, place: int, text: str) -> int:
    """Put text that stands in no block on a line of its own; the place behind it."""
    for _ in range(2):
        zone.insert(place, etree.Element("br"))
    zone[place + 1].tail = text
    return place + 2


def _write_text(zone: Element, place: int, text: str | None) -> None:
    """Put text before the child at this place."""
    if not text:
        return
    if place:
        zone[place - 1].tail = (zone[place - 1].tail or "") + text
    else:
        zone.text = (zone.text or "") + text


def _told(element: Element) -> str:
    """What a block says or shows: the head and the foot of an article stand on each of its pages."""
    text = one_line(text_of(element))
    if text or (element.tag != "img" and element.find(".//img") is None):
        return text
    return etree.tostring(element, encoding="unicode", with_tail=False).strip()


def _make_absolute(zone: Element, base: str) -> None:
    for element in zone.iter():
        for name in _ADDRESSES:
            if (value := element.get(name)) and (url := absolute_url(base, value)):
                element.set(name, url)


def have_one_title(first: ParsedPage, other: ParsedPage) -> bool:
    """Whether the other page names the first one's title as its own, whatever it adds to it."""
    title = _words(title_of(first, statements_of(first.tree)) or "")
    if not title:
        return False
    found = map(_words, _titles(other))
    return any(one == title or (len(title) >= _LEAST_WORDS and one[: len(title)] == title) for one in found)


def _titles(page: ParsedPage) -> Iterator[str]:
    said = statements_of(page.tree)
    yield title_of(page, said) or ""
    yield from said.named("og:title", "twitter:title")
    for heading in [*page.tree.iter("title", "h1")][:_MOST]:
        yield one_line(text_of(heading))


def _words(title: str) -> list[str]:
    return tokens(_MARKS.sub(" ", title))
