"""A card made anew: the markup of one that was captured, the words of another article."""

from __future__ import annotations

import copy
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import writable
from archiver.documents.pages.text import one_line
from archiver.inspection.rebuild.cards import links_on
from archiver.inspection.rebuild.trees import all_text, drop
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from lxml.etree import _Element as Element

    from archiver.inspection.rebuild.cards import Card
    from archiver.inspection.rebuild.model import RebuiltArticle

_DATE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:date|time|posted|published|timestamp|updated)(?:$|[\s_-])", re.IGNORECASE
)
# 04/03/2026, 2026-03-04 10:00, 4 March 2026, March 4, 2026.
_DATE = re.compile(
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
    r"|\d{1,2}\.? [^\W\d]{3,12}\.?,? \d{4}|[^\W\d]{3,12}\.? \d{1,2},? \d{4})"
    r"(?:[T, ]+\d{1,2}:\d\d.{0,12})?"
)
# A text of at least so many letters tells something of the article; shorter ones are labels.
_LEAST_LEAD = 25
# A place for a lead takes so much more than what stood there.
_ROOM = 1.5
_LEAST_ROOM = 80
# What says something by being empty.
_EMPTY = frozenset({"br", "hr", "td", "th", "wbr"})
# What stays of an element's attributes: how it looks, never what it was about.
_KEPT = frozenset({"class", "style", "role", "dir", "lang", "width", "height", "align", "colspan", "rowspan"})


class CardPattern:
    """What the cards of a list have in common, and the one that others are made like."""

    def __init__(self, cards: Sequence[Card], base: str) -> None:
        self._base = base
        self._card = _most_telling(cards, base)
        half = len(cards) / 2
        self._texts = {text for text, times in _counted(map(_texts_of, cards)).items() if times > half}
        self._names = {name for name, times in _counted(map(_names_of, cards)).items() if times >= half}

    def make(self, article: RebuiltArticle) -> list[Element]:
        """The elements of a card with this article."""
        made = [copy.deepcopy(element) for element in self._card.elements]
        for element in made:
            element.tail = "\n"
        places = _places_in(made, _links_of(made, self._base, self._card.key))
        set_elements = _filled(places, article)
        for element in made:
            self._clear(element, set_elements)
        return made

    def _clear(self, root: Element, filled: set[Element]) -> None:
        """Take out what was said of the other article: whatever not most cards say."""
        for element in list(root.iter("*")):
            self._forget_attributes(element, keeps_link=element in filled)
            if element in filled:
                continue
            if self._is_said_once(element.text):
                element.text = None
            if element is not root and self._is_said_once(element.tail):
                element.tail = None
        for element in reversed(list(root.iter("*"))):
            if element is not root and element not in filled and _is_empty(element):
                drop(element)

    def _is_said_once(self, text: str | None) -> bool:
        words = one_line(text or "")
        return bool(words) and words not in self._texts

    def _forget_attributes(self, element: Element, *, keeps_link: bool) -> None:
        kept: dict[str | bytes, str | bytes] = {
            name: str(value)
            for name, value in element.attrib.items()
            if name in _KEPT or (keeps_link and name in {"href", "src", "alt", "datetime"})
        }
        if "class" in kept:
            kept["class"] = " ".join(name for name in str(kept["class"]).split() if name in self._names)
        if not keeps_link and element.tag == "a" and one_line(all_text(element)) in self._texts:
            kept["href"] = element.get("href", "")
        element.attrib.clear()
        element.attrib.update(kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """Where a card has what."""

    links: Sequence[Element]
    title: Element | None
    lead: Element | None
    dates: Sequence[Element]
    image: Element | None


def _most_telling(cards: Sequence[Card], base: str) -> Card:
    """Of the cards of the most usual form, among those whose article is known, the first."""
    known = [card for card in cards if card.key]
    forms = Counter(map(_form, known))

    def worth(card: Card) -> tuple[int, int]:
        places = _places_in(card.elements, _links_of(card.elements, base, card.key))
        return forms[_form(card)], sum(
            map(bool, (places.lead is not None, places.dates, places.image is not None))
        )

    return max(known, key=worth)


def _form(card: Card) -> tuple[str, ...]:
    return tuple(str(one.tag) for element in card.elements for one in element.iter("*"))


def _links_of(elements: Sequence[Element], base: str, key: str) -> list[Element]:
    return [
        link for element in elements for link, leads_to in links_on(element, base).items() if leads_to == key
    ]


def _places_in(elements: Sequence[Element], links: Sequence[Element]) -> _Places:
    every = [one for element in elements for one in element.iter("*")]
    title = _title_in(every, links)
    dates = [one for one in every if _is_date(one) and one is not title]
    taken = {one for place in (title, *dates) if place is not None for one in place.iter("*")}
    image = next((one for one in every if one.tag == "img"), None)
    return _Places(links=links, title=title, lead=_lead_in(every, taken), dates=dates, image=image)


def _title_in(every: Sequence[Element], links: Sequence[Element]) -> Element | None:
    """The element whose text is the title: of a heading with a link the link, else the heading."""
    headings = [one for one in every if one.tag in HEADINGS and one_line(all_text(one))]
    own, linked = set(links), {one for link in links for one in link.iter("*")}
    for heading in headings:
        inside = [one for one in heading.iter("a") if one in own]
        if inside or heading in linked:
            return _innermost(inside[0] if inside else heading)
    worded = [link for link in links if one_line(all_text(link))]
    if worded:
        return _innermost(max(worded, key=lambda link: len(one_line(all_text(link)))))
    return _innermost(headings[0]) if headings else None


def _innermost(element: Element) -> Element:
    """The element that holds all of the words itself."""
    while not one_line(element.text or ""):
        worded = [child for child in element if one_line(all_text(child))]
        if len(worded) != 1 or one_line(worded[0].tail or ""):
            return max(worded, key=lambda one: len(all_text(one)), default=element)
        element = worded[0]
    return element


def _lead_in(every: Sequence[Element], taken: set[Element]) -> Element | None:
    """The longest text that is no title and no date."""
    texts = [one for one in every if one not in taken and len(one_line(one.text or "")) >= _LEAST_LEAD]
    texts = [one for one in texts if not any(inside in taken for inside in one.iter("*"))]
    return max(texts, key=lambda one: len(one_line(all_text(one))), default=None)


def _is_date(element: Element) -> bool:
    if element.tag == "time" or len(element):
        return element.tag == "time"
    named = f"{element.get('class') or ''} {element.get('itemprop') or ''}"
    return bool(_DATE_NAMES.search(named) or _DATE.fullmatch(one_line(element.text or "")))


def _filled(places: _Places, article: RebuiltArticle) -> set[Element]:
    """Write the article into the card; the elements that now are about it."""
    found: set[Element] = set()
    for link in places.links:
        _lead_to(link, article.url)
        found.add(link)
    if places.title is not None:
        _write(places.title, article.title)
        found.add(places.title)
    if places.lead is not None and article.lead:
        _write(places.lead, _fitting(article.lead, len(one_line(all_text(places.lead)))))
        found.add(places.lead)
    if article.published:
        for date in places.dates:
            _write_date(date, article.published)
            found.add(date)
    if places.image is not None and article.image and places.image.getparent() is not None:
        _show(places.image, article)
        found.add(places.image)
    return found


def _lead_to(link: Element, url: str | None) -> None:
    if url:
        link.set("href", writable(url))
    elif "href" in link.attrib:
        del link.attrib["href"]


def _write(element: Element, text: str) -> None:
    tail = element.tail
    for child in list(element):
        element.remove(child)
    element.text, element.tail = writable(text), tail


def _write_date(element: Element, moment: datetime) -> None:
    has_time = ":" in all_text(element)
    _write(element, f"{moment:%Y-%m-%d %H:%M} UTC" if has_time else f"{moment:%Y-%m-%d}")
    if element.tag == "time":
        element.set("datetime", f"{moment:%Y-%m-%dT%H:%M:%SZ}")


def _show(image: Element, article: RebuiltArticle) -> None:
    image.set("src", writable(article.image or ""))
    image.set("alt", writable(article.title))


def _fitting(text: str, usual: int) -> str:
    room = int(max(_LEAST_ROOM, _ROOM * usual))
    return text if len(text) <= room else text[: text.rfind(" ", 0, room) + 1 or room].rstrip(" …") + "…"


def _counted(found: Iterator[set[str]] | map[set[str]]) -> Counter[str]:
    return Counter(one for some in found for one in some)


def _texts_of(card: Card) -> set[str]:
    every = [one for element in card.elements for one in element.iter("*")]
    texts = {one_line(text or "") for one in every for text in (one.text, one.tail)}
    texts |= {one_line(all_text(one)) for one in every if one.tag == "a"}
    # A date or a count may happen to be the same on all.
    return {text for text in texts if text and not any(letter.isdecimal() for letter in text)}


def _names_of(card: Card) -> set[str]:
    every = (one for element in card.elements for one in element.iter("*"))
    return {name for one in every for name in (one.get("class") or "").split()}


def _is_empty(element: Element) -> bool:
    return len(element) == 0 and not one_line(element.text or "") and element.tag not in _EMPTY
