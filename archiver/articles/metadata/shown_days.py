"""The day that a page shows its readers, asked for as htmldate asks for it, but of the page as it is.

htmldate wants a page to itself: written out, parsed again, without edits and then copied. Most days stand in
the elements that it looks at first, and so these are looked at here, in its order and by its own rules for
what is a date. A page whose day is in none of them is made ready for it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from htmldate.core import (
    ALWAYS_TAGS,
    examine_abbr_elements,
    examine_header,
    examine_text,
    examine_time_elements,
    is_date_candidate,
)
from htmldate.extractors import (
    DATE_CORE_PATTERN,
    FAST_TAGS,
    TEXT_PATTERNS,
    extract_url_date,
    img_search,
)
from htmldate.settings import CLEANING_LIST, MAX_POSSIBLE_CANDIDATES, MAX_SEGMENT_LEN
from htmldate.utils import Extractor
from htmldate.validators import get_max_date, get_min_date
from lxml import etree
from lxml import html as lxml_html

from archiver.articles.metadata.edit_dates import (
    DATED,
    MARKING,
    EditMarks,
    hidden,
    may_date,
    may_tell,
    states_edit,
)
from archiver.documents.pages.dom import UNSEEN
from archiver.documents.pages.text import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

# What is left out of a page before its texts are searched: by its clean copy, and by htmldate.
_LEFT_OUT = UNSEEN.union(CLEANING_LIST)
_MARKING = frozenset(MARKING)
_NAMED = (*FAST_TAGS, *ALWAYS_TAGS)
_OF_METAS = ("name", "property", "itemprop", "pubdate", "http-equiv", "content", "datetime")
_FORMAT = "%Y-%m-%d"
# What the Web's archive puts above the pages that it shows: htmldate leaves it out.
_BANNER = "wm-ipp"
# What it looks for in all that a page has, beside the numbers of a date behind a word for it.
_ISO_DAY = re.compile(rb"(?:199[0-9]|20[0-3][0-9])-[01]?[0-9]-[0-3]?[0-9]")
_MOST_CORES, _AROUND_CORE = 1000, 60


class _UndecidedError(Exception):
    """Only a search of the whole page can tell."""


class ShownDays:
    """Searches pages for days, none of them later than `latest`."""

    def __init__(self, latest: str) -> None:
        self._rules = Extractor(False, get_max_date(latest), get_min_date(None), True, _FORMAT)

    def in_address(self, url: str) -> str | None:
        return extract_url_date(url, self._rules)

    def on_page(self, tree: Element, markup: bytes = b"") -> str | None:
        """The day that decides, or "" for none; None where only a search of the whole page can tell.

        `markup` are the bytes of the page, where they are known to be UTF-8.
        """
        try:
            found = examine_header(_metas(tree), self._rules) or self._in_abbrs(tree) or self._in_texts(tree)
        except _UndecidedError:
            return None
        return "" if found is None and self._shows_none(tree, markup) else found

    def _in_abbrs(self, tree: Element) -> str | None:
        found = [one for one in tree.iter("abbr") if next(one.iterancestors(*UNSEEN), None) is None]
        if any(map(len, found)):
            raise _UndecidedError
        return examine_abbr_elements(_Texts().copies_of(found, "class", "title", "data-utime"), self._rules)

    def _shows_none(self, tree: Element, markup: bytes) -> bool:
        """Whether nothing that is searched for in all of a page stands in its bytes."""
        if not markup or _ISO_DAY.search(markup) or img_search(tree, self._rules) is not None:
            return False
        text = markup.decode("utf-8", "replace")
        cores = list(islice(DATE_CORE_PATTERN.finditer(text), _MOST_CORES))
        spans = ((max(0, core.start() - _AROUND_CORE), core.end() + _AROUND_CORE) for core in cores)
        return len(cores) < _MOST_CORES and not any(TEXT_PATTERNS.search(text, *span) for span in spans)

    def _in_texts(self, tree: Element) -> str | None:
        texts = _Texts()
        times = filter(texts.has, tree.iter("time"))
        heads = list(filter(texts.has, tree.iter("title", "h1")))
        return (
            self._first(_candidates(tree, texts), texts, _count(tree.iter(*_NAMED)))
            or self._first(iter(heads), texts, len(heads))
            or examine_time_elements(texts.copies_of(times, "class", "datetime", "pubdate"), self._rules)
        )

    def _first(self, found: Iterator[Element], texts: _Texts, most: int) -> str | None:
        """The first day in the texts of some elements: htmldate looks into none where they are too many."""
        for number, element in enumerate(found):
            day = next(filter(None, (examine_text(text, self._rules) for text in texts.of(element))), None)
            if day is not None or number >= MAX_POSSIBLE_CANDIDATES:
                if most > MAX_POSSIBLE_CANDIDATES and number + _count(found) >= MAX_POSSIBLE_CANDIDATES:
                    raise _UndecidedError
                return day
        return None


def _count(found: Iterator[Element]) -> int:
    return sum(1 for _ in found)


def _metas(tree: Element) -> Element:
    """The statements of a page that are not of an edit."""
    found = etree.Element("html")
    for meta in tree.iter("meta"):
        if not states_edit(meta) and next(meta.iterancestors(*UNSEEN), None) is None:
            said = {name: value for name in _OF_METAS if (value := meta.get(name)) is not None}
            etree.SubElement(found, "meta", said)
    return found


def _candidates(tree: Element, texts: _Texts) -> Iterator[Element]:
    for one in tree.iter(*_NAMED):
        get = one.get
        name = get("id")
        if name is not None and name.startswith(_BANNER):
            raise _UndecidedError
        may_be = name or get("class") or get("itemprop") or one.tag in ALWAYS_TAGS
        if may_be and (one.tag in ALWAYS_TAGS or is_date_candidate(one)) and texts.has(one):
            yield one


class _Texts:
    """What elements say beside edits, as far as htmldate reads it."""

    def __init__(self) -> None:
        self._edits = EditMarks()
        self._blank: dict[Element, bool] = {}

    def has(self, element: Element) -> bool:
        """Whether htmldate sees the element at all."""
        return next(element.iterancestors(*_LEFT_OUT), None) is None

    def of(self, element: Element) -> Sequence[str]:
        """Its text and its title; nothing where it is the date of an edit."""
        if self._is_blank(element) or any(map(self._is_blank, element.iterancestors(*MARKING))):
            return ()
        return self._beginning(element), element.get("title", "")

    def copies_of(self, elements: Iterable[Element], *names: str) -> Element:
        """Elements with some attributes and the text before their children, below one of htmldate's kind."""
        around: Element = lxml_html.Element("html")
        for element in elements:
            # Not with all attributes: pages have some whose names cannot be written.
            said = {name: value for name in names if (value := element.get(name)) is not None}
            one = etree.SubElement(around, element.tag, said)
            if self._is_blank(element):
                for name in DATED:
                    one.attrib.pop(name, "")
            elif not any(map(self._is_blank, element.iterancestors(*MARKING))):
                one.text = _without_edits(_own_text(element))
        return around

    def _is_blank(self, element: Element) -> bool:
        if element.tag not in _MARKING:
            return False
        known = self._blank.get(element)
        if known is None:
            known = self._blank[element] = may_date(element) and self._edits.has(element)
        return known

    def _beginning(self, element: Element) -> str:
        """As much of the text as is searched, where white space counts once."""
        said, length = "", 0
        for piece in self._pieces(element):
            said, length = said + piece, length + len(piece)
            if length >= MAX_SEGMENT_LEN:
                words = " ".join(said.split())
                if len(words) >= MAX_SEGMENT_LEN:
                    return words
                said, length = f"{words} " if said[-1].isspace() else words, len(words)
        return said

    def _pieces(self, element: Element) -> Iterator[str]:
        for one, event in walk(element, self._is_out):
            text = one.text if event == "open" else one.tail if one is not element else None
            if text:
                yield _without_edits(text)

    def _is_out(self, element: Element) -> bool:
        return element.tag in _LEFT_OUT or self._is_blank(element)


def _own_text(element: Element) -> str:
    """The text before the first child that readers see."""
    text = element.text or ""
    for child in element:
        if child.tag not in _LEFT_OUT:
            break
        text += child.tail or ""
    return text


def _without_edits(text: str) -> str:
    return hidden(text) if may_tell(text) else text
