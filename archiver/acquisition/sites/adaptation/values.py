"""What an action finds on a page, in a form in which the values of two pages can be compared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.slots import SlotValue
from archiver.acquisition.sites.addresses import is_avoided, without_parameters
from archiver.acquisition.sites.knowledge.dates import read_date
from archiver.acquisition.sites.scope import is_within
from archiver.digests import folded
from archiver.documents.feeds.dates import moment, written_day
from archiver.documents.pages.dom import absolute_url
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.typed_page import TypedPage
    from archiver.documents.expressions.model import Expression

_NONE: frozenset[Element] = frozenset()
# Two long texts count as one if they share this part of their words.
SAME_BODY = 0.9
_DAY = len("2026-11-17")


def values_of(
    known: TypedPage,
    slot: ActionSlot,
    paths: Sequence[Expression],
    place: Element | None = None,
    outside: AbstractSet[Element] = _NONE,
) -> list[str]:
    """The values that the first of the paths finds which finds any, each once."""
    found = known.first(paths, place, outside)
    values = [value for one in found if (value := value_of(known, slot, one, outside))]
    return list(dict.fromkeys(values))[: 1 if slot.is_single else None]


def value_of(
    known: TypedPage, slot: ActionSlot, found: Element | str, outside: AbstractSet[Element] = _NONE
) -> str:
    """One value; empty where it is not of the kind that the action looks for."""
    if slot.kind is SlotValue.LINK:
        return link_value(known, found if isinstance(found, str) else found.get("href") or "")
    between = " " if slot.kind is SlotValue.BODY else ""
    text = folded(found if isinstance(found, str) else own_text(found, outside, between))
    return date_value(slot, text) if slot.kind is SlotValue.DATE else text


def link_value(known: TypedPage, href: str) -> str:
    """The page that a link leads to; empty where it would not be followed."""
    url = absolute_url(known.page.base, href) if href else None
    if url is None:
        return ""
    url = without_parameters(url.split("#", 1)[0], known.type.same.drop)
    if not is_within(url, known.page.document.scope) or is_avoided(url, known.type.avoid):
        return ""
    return same_page_key(url)


def date_value(slot: ActionSlot, text: str) -> str:
    """A date by what it means; empty where it means nothing."""
    if slot.extract is not None and slot.extract.form:
        read = read_date(text, slot.extract.form, ())
        return read.text if read is not None else ""
    at = moment(text)
    if at is not None:
        return at.isoformat()
    day = written_day(text)
    return day.isoformat() if day is not None else ""


def own_text(element: Element, outside: AbstractSet[Element] = _NONE, between: str = "") -> str:
    """The text of an element without that of others within it, and without scripts."""
    pieces: list[str] = []
    waiting: list[Element | str] = [element]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            pieces.append(one)
            continue
        if one.tag in {"script", "style", "noscript", "template"} or not isinstance(one.tag, str):
            continue
        below: list[Element | str] = [one.text or ""]
        for child in one:
            if child not in outside or child is element:
                below.append(child)
            below.append(child.tail or "")
        waiting += reversed(below)
    return between.join(piece for piece in pieces if piece)


def are_same(kind: SlotValue, one: str, other: str) -> bool:
    """Whether two values are one."""
    if kind is SlotValue.DATE and _DAY in (len(one), len(other)):
        return one[:_DAY] == other[:_DAY]
    return one == other or (kind is SlotValue.BODY and agreement(one, other) >= SAME_BODY)


def agreement(one: str, other: str) -> float:
    """How much of two texts is the same: F1 of their words, from 0 to 1."""
    mine, theirs = Counter(one.split()), Counter(other.split())
    total = mine.total() + theirs.total()
    return 2 * (mine & theirs).total() / total if total else 0.0
