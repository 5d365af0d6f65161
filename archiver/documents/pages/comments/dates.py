"""When a comment was written: as it is stated for programs, else as readers see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.feeds.dates import parse_date, written_day
from archiver.documents.pages.text import one_line
from archiver.lexicon.comment_names import DATE, RELATIVE_DATE, WRITTEN_DATE
from archiver.lexicon.dates import MONTHS, fold

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.feeds.model import FeedDate

# Longer texts are not the line with the date.
_LONGEST = 160
_STATED = ("datetime", "content", "data-datetime", "data-time", "data-timestamp", "data-date", "title")


def shows_date(element: Element) -> bool:
    """Whether the element itself, and not one within it, says when."""
    return date_of(element) is not None


def date_of(element: Element) -> FeedDate | None:
    """What an element says of when: stated, or in its own words."""
    stated = _stated(element)
    if stated is not None:
        return stated
    own = _own_text(element)
    found = _written(own) if own else None
    if found:
        return parse_date(found)
    is_named = element.tag == "time" or DATE.search(f"{element.get('class', '')} {element.get('id', '')}")
    relative = RELATIVE_DATE.search(own) if own and (is_named or _is_permalink(element)) else None
    return parse_date(relative[0]) if relative else None


def _stated(element: Element) -> FeedDate | None:
    if element.tag in {"img", "meta", "link"} and element.get("itemprop") is None:
        return None
    for name in _STATED:
        value = (element.get(name) or "").strip()
        if value and len(value) <= _LONGEST and any(map(str.isdigit, value)):
            found = parse_date(value)
            if found.utc is not None or written_day(value) is not None or _written(value) == value:
                return found
    return None


def _is_permalink(element: Element) -> bool:
    return element.tag == "a" and "#" in element.get("href", "")


def _own_text(element: Element) -> str:
    """The words right below an element; those of a long text are not looked through."""
    pieces = [element.text or "", *(child.tail or "" for child in element)]
    text = one_line(" ".join(pieces))
    return text if len(text) <= _LONGEST else ""


def _written(text: str) -> str | None:
    """The date in a line such as "On May 2, 2024 at 10:00 am, Ada said"."""
    for found in WRITTEN_DATE.finditer(text):
        month = found["first"] or found["second"]
        if month is None or fold(month) in MONTHS:
            return found[0].strip(" ,.|-–·")
    return None
