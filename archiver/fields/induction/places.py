"""Where an example's value stands on its page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from archiver.fields.induction.accepting import folded
from archiver.fields.types import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.fields.induction.accepting import AcceptedTexts
    from archiver.fields.induction.page_index import PageArrays
    from archiver.fields.model import Field

# What is written in these is seen, or meant for machines; the values of others only by chance.
_ATTRIBUTES = frozenset({"content", "datetime", "href", "src", "alt", "title", "value", "label"})
_UNREAD = frozenset({"script", "style", "noscript", "template", "option"})
# So many characters may stand around a value in a text that has it as a part.
_MOST_AROUND = 60
_MOST_PLACES = 8
_MOST_NEAREST = 3
_SHORTEST_LIKENESS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePlace:
    """A text that is the value, or has it as a part: of an element, one of its own texts, or an attribute."""

    element: int
    # Which of the element's own texts, from 0; -1: all of its text, or an attribute.
    own: int = -1
    attribute: str = ""
    # What stands there, white space as one space.
    text: str
    # Whether it is the value as a whole.
    is_whole: bool = True


def places_of(index: PageArrays, accepted: AcceptedTexts, field: Field) -> list[ValuePlace]:
    """The places of a value: those that are it as a whole, or else those that have it."""
    every = list(_texts(index, field, max(map(len, accepted.folded), default=0)))
    whole = [place for place in every if place.text in accepted]
    if whole:
        return whole[:_MOST_PLACES]
    parts = [replace(place, is_whole=False) for place in every if _has_part(place, accepted.folded)]
    # The closest around it first.
    return sorted(parts, key=lambda place: len(place.text))[:_MOST_PLACES]


def places_at(index: PageArrays, node: Element, accepted: AcceptedTexts, field: Field) -> list[ValuePlace]:
    """The places of a value at an element that was pointed at: its own text, unless another is wanted."""
    number = index.numbers[node]
    every = [place for place in _texts(index, field, MOST_CHARACTERS) if place.element == number]
    if not accepted.folded:
        return [place for place in every if place.own < 0 and not place.attribute][:1] or every[:1]
    whole = [place for place in every if place.text in accepted]
    parts = [replace(place, is_whole=False) for place in every if _has_part(place, accepted.folded)]
    return whole or parts


def _has_part(place: ValuePlace, wanted: set[str]) -> bool:
    text = folded(place.text)
    return any(one in text and len(text) - len(one) <= _MOST_AROUND for one in wanted)


def _texts(index: PageArrays, field: Field, length: int) -> Iterator[ValuePlace]:
    """All that stands on a page and could be, or have, a value of this length."""
    most = 3 * length + _MOST_AROUND
    for number, tag in enumerate(index.tags):
        if not tag or tag in _UNREAD:
            continue
        if 0 < index.length(number) <= 4 * most:
            yield ValuePlace(element=number, text=index.shown(number, field))
        yield from _own_texts(index, number, most)
        for name, value in index.attributes(number):
            if (name in _ATTRIBUTES or name.startswith("data-")) and 0 < len(value) <= most:
                yield ValuePlace(element=number, attribute=name, text=" ".join(value.split()))


def _own_texts(index: PageArrays, number: int, most: int) -> Iterator[ValuePlace]:
    texts = index.own_texts[number]
    if len(texts) == 1 and not index.children[number]:
        return  # the same as all of its text
    for own, text in enumerate(texts):
        if not text.isspace() and len(text) <= 4 * most:
            yield ValuePlace(element=number, own=own, text=" ".join(text.split()))


def nearest_texts(index: PageArrays, value: str, field: Field) -> list[str]:
    """The texts of a page that are most like a value that is not there."""
    wanted = folded(value)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found: dict[str, float] = {}
    for place in _texts(index, field, len(wanted)):
        matcher.set_seq1(folded(place.text))
        if matcher.quick_ratio() >= _SHORTEST_LIKENESS:
            found.setdefault(place.text, matcher.ratio())
    return sorted(found, key=lambda text: -found[text])[:_MOST_NEAREST]
