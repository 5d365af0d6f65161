"""What a comment says: by whom, when, where it can be linked to, and its words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from archiver.documents.pages.comments.body import is_control, is_line, text_and_markup, words_of
from archiver.documents.pages.comments.dates import date_of
from archiver.documents.pages.comments.zones import names_of
from archiver.documents.pages.dom import absolute_url
from archiver.lexicon.comment_names import (
    AFTER_NAME,
    AUTHOR,
    BEFORE_NAME,
    BODY,
    DOES,
    NAMED_BY,
    NO_BODY,
    NUMBERED,
    REST,
)
from archiver.lexicon.elements import BLOCKS, HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.feeds.model import FeedDate
    from archiver.documents.pages.comments.items import Item

_LONGEST_NAME = 80
_MOST_WORDS = 8
_FEW_WORDS = 4  # of a name that nothing marks
# So many elements can hold a name and a picture; more are a text.
_MOST_PARTS = 20
_SET_APART = ("cite", "b", "strong", *HEADINGS, "a")
_BODIES = frozenset({"text", "commentText", "description", "articleBody", "reviewBody"})
_PARTS = re.compile(r"\s*[|·•—]\s*")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_NUMBERS = ("data-comment-id", "data-commentid", "data-id")
# "li-comment-5" and "div-comment-5" are around and within "comment-5".
_AROUND_KEY = re.compile(r"^(?:li|div|the)-")


class ItemFields:
    """Reads one comment."""

    def __init__(self, item: Item, base_url: str) -> None:
        self._item = item
        self._base_url = base_url
        self._elements = list(item.elements())
        self._author_element: Element | None = None
        self._date_element, self.published = self._date()
        self._author_element, self.author = self._author()
        self.permalink = self._permalink()

    def _date(self) -> tuple[Element | None, FeedDate | None]:
        """The first that is exact; else the first."""
        found = [(one, date) for one in self._elements if (date := date_of(one)) is not None]
        exact = [pair for pair in found if pair[1].utc is not None]
        return next(iter((*exact[:1], *found[:1])), (None, None))

    def _author(self) -> tuple[Element | None, str | None]:
        for element in self._candidates():
            name = self._name(element)
            if name:
                return element, name
        return None, self._name_in_line()

    def _candidates(self) -> Iterator[Element]:
        """Elements that may hold the name: marked, then called so, then set apart in the head."""
        yield from (one for one in self._elements if "author" in one.get("itemprop", "").split())
        named = [one for one in self._elements if AUTHOR.search(names_of(one))]
        yield from (one for one in named if "fn" in one.get("class", "").split())
        # The innermost: "comment-author vcard" has a picture and "says" in it, too.
        called = set(named)
        yield from (one for one in named if not any(other in called for other in one.iterdescendants()))
        yield from (one for one in self._elements if one.tag == "cite" or "external" in one.get("rel", ""))
        yield from named
        body = self._named_body()
        apart = (one for one in self._elements if one.tag in _SET_APART)
        yield from (one for one in apart if body is None or body not in one.iterancestors())

    def _name(self, element: Element) -> str | None:
        if element is self._date_element or sum(1 for _ in element.iter()) > _MOST_PARTS:
            return None
        return clean_name(words_of(element))

    def _name_in_line(self) -> str | None:
        """In the line with the date: "Posted by: Ada | May 2, 2024"."""
        line = self._date_element
        for _ in range(3):
            if line is None or line in self._item.starts:
                return None
            name = self._name_beside_date(words_of(line)[: _LONGEST_NAME * 2])
            if name:
                return name
            line = line.getparent()
        return None

    def _name_beside_date(self, line: str) -> str | None:
        found = NAMED_BY.search(line)
        if found:
            return clean_name(found["by"] or found["says"])
        rest = line.replace(self.published.text, " | ") if self.published else ""
        parts = [one for one in _PARTS.split(rest) if not REST.fullmatch(one)]
        return clean_name(parts[0]) if len(parts) == 1 and len(parts[0].split()) <= _FEW_WORDS else None

    @property
    def author_url(self) -> str | None:
        element = self._author_element
        if element is None:
            return None
        inside = [one.get("href", "") for one in element.iter("a")]
        around = [one.get("href", "") for one in element.iterancestors("a")]
        href = next((href for href in (*inside, *around) if href and not href.startswith("#")), None)
        return absolute_url(self._base_url, href) if href else None

    def _permalink(self) -> str | None:
        """Its own address, where a link to it names its part of the page."""
        for element in self._elements:
            href = element.get("href", "") if element.tag == "a" else ""
            fragment = urldefrag(href).fragment if "#" in href else ""
            if fragment and self._is_own(fragment):
                return absolute_url(self._base_url, href)
        return None

    def _is_own(self, fragment: str) -> bool:
        found = NUMBERED.fullmatch(fragment)
        return found is not None and (not self._item.number or found["number"] == self._item.number)

    @property
    def own_key(self) -> str | None:
        """What the page calls it: by its own address, else by an identifier."""
        if self.permalink:
            return urldefrag(self.permalink).fragment
        numbered = [one.get("id", "") for one in self._elements if NUMBERED.fullmatch(one.get("id", ""))]
        if numbered:
            return min((_AROUND_KEY.sub("", name) for name in numbered[:3]), key=len)
        anchors = [one.get("name") for one in self._elements if one.tag == "a" and one.get("name")]
        stated = (one.get(name) for one in self._elements[:3] for name in _NUMBERS)
        number = next((value for value in stated if value), None)
        return next(iter(anchors), None) or (f"comment-{number}" if number else None)

    def body(self) -> tuple[str, str]:
        """Its words, and their markup."""
        body = self._named_body()
        pieces = self._bare_pieces() if body is None else [body]
        return text_and_markup(
            pieces,
            self._base_url,
            lambda one: self._item.is_other(one) or self._is_around(one),
            is_bare=body is None,
        )

    def _bare_pieces(self) -> list[Element]:
        """Without the lines with name and date; of a comment that is one element, that element."""
        pieces, ends = self._item.pieces, self._ends()
        holders = {one for end in ends for one in (end, *end.iterancestors())}
        rest = [one for one in pieces if one not in ends and not (one in holders and is_line(one, ends))]
        return pieces if len(pieces) == 1 else rest

    def _ends(self) -> list[Element]:
        return [one for one in (self._author_element, self._date_element) if one is not None]

    def _named_body(self) -> Element | None:
        """The outermost element that is called so and has neither the name nor the date in it."""
        around = {one for end in self._ends() for one in (end, *end.iterancestors())}
        called = [one for one in self._elements if one not in around and self._is_body(one)]
        there = set(called)
        outer = [one for one in called if there.isdisjoint(one.iterancestors()) and words_of(one)]
        return outer[0] if len(outer) == 1 else None

    def _is_body(self, element: Element) -> bool:
        if element.get("itemprop") in _BODIES:
            return True
        names = names_of(element)
        if element in self._item.pieces or element.tag not in BLOCKS or not BODY.search(names):
            return False
        return NO_BODY.search(names) is None

    def _is_around(self, element: Element) -> bool:
        """Whether an element is the name, the date, or a line with hardly more than these."""
        ends = self._ends()
        if element in ends or is_control(element):
            return True
        holds = any(element is around for one in ends for around in one.iterancestors())
        return holds and element not in self._item.pieces and is_line(element, ends)


def clean_name(text: str) -> str | None:
    """The name in what an element says; None where it is not a name."""
    if len(text) > _LONGEST_NAME * 2:
        return None
    name = _PARTS.split(BEFORE_NAME.sub("", text))[0]
    name = _IN_BRACKETS.sub("", AFTER_NAME.sub("", name)).strip(' \t:,;|·•-–—…()[]"“”')
    if not name or len(name) > _LONGEST_NAME or len(name.split()) > _MOST_WORDS or DOES.fullmatch(name):
        return None
    return name
