"""What steps can go by on the pages at hand: names of elements and labels that the pages share."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.documents.expressions.model import ANY, Axis, Condition, PathStep, Subject, Test, has_class
from archiver.documents.pages.names import is_steady
from archiver.fields.induction.accepting import folded
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.fields.induction.page_index import PageArrays

NAME = re.compile(r"[a-z_][a-z0-9_-]*")
# Their values say what one page has, where it leads, or how it looks to a program.
_NOT_NAMES = re.compile(r"on[a-z]+|href|src|srcset|style|alt|title|value|content|datetime|action|lang")
_LONGEST_NAME = 60
_LABEL_CHARACTERS = range(2, 41)
_MOST_LABELS = 4
_LABELS_WITHIN = 80  # elements before the value
# A name or a label is the template's if this share of the pages has it.
_SHARED = 0.6
_ENOUGH_PAGES = 3
_LABEL_TAGS = frozenset({"th", "dt", "label", "b", "strong", *HEADINGS})


class SharedAnchors:
    """The names and labels that hold over some pages of one template."""

    def __init__(self, pages: Sequence[PageArrays], values: Sequence[str]) -> None:
        self._pages = pages
        self._values = {folded(value) for value in values}
        self._names: dict[tuple[str, str], bool] = {}
        self._labels: dict[str, bool] = {}

    @cached_property
    def _can_compare(self) -> bool:
        return len(self._pages) >= _ENOUGH_PAGES

    def conditions(self, index: PageArrays, number: int) -> list[Condition]:
        """The names of an element that other pages have as well."""
        found = []
        for name, value in index.attributes(number):
            if not NAME.fullmatch(name) or _NOT_NAMES.fullmatch(name):
                continue
            if name == "class":
                found += [has_class(word) for word in dict.fromkeys(value.split()) if self._holds(name, word)]
            elif self._holds(name, value):
                found.append(Condition(Test.EQUALS, Subject.ATTRIBUTE, name, value))
        return found

    def _holds(self, name: str, value: str) -> bool:
        key = name, value
        if key not in self._names:
            is_sayable = 0 < len(value) <= _LONGEST_NAME and not ("'" in value and '"' in value)
            self._names[key] = is_sayable and value.isprintable() and self._is_shared_name(key)
        return self._names[key]

    def _is_shared_name(self, key: tuple[str, str]) -> bool:
        if not self._can_compare:
            return all(map(is_steady, key[1].split()))
        return sum(key in page.by_attribute for page in self._pages) >= _SHARED * len(self._pages)

    def steps(self, index: PageArrays, number: int, axis: Axis = Axis.DESCENDANT) -> Iterator[PathStep]:
        """Steps to an element by one name each, with its tag and without."""
        tag = index.tags[number]
        for condition in self.conditions(index, number):
            for name in (tag, ANY) if NAME.fullmatch(tag) else (ANY,):
                yield PathStep(axis=axis, tag=name, predicates=(condition,))

    def labels(self, index: PageArrays, number: int) -> list[tuple[int, str]]:
        """The nearest texts before an element that the pages share: the elements that have them."""
        found: dict[int, str] = {}
        heading: tuple[int, str] | None = None
        around = set(_above(index, number))
        least = max(number - _LABELS_WITHIN, 0)
        for one in range(number - 1, least - 1, -1):
            text = self._label_of(index, one, before=number if one in around else None)
            if text and len(found) < _MOST_LABELS:
                found[one] = text
            if text and heading is None and index.tags[one] in HEADINGS:
                heading = one, text
        if heading is not None:
            found.setdefault(*heading)
        return list(found.items())

    def label_within(self, index: PageArrays, number: int, own: int) -> Iterator[tuple[int, str]]:
        """The children of an element, before one of its own texts, that are labels."""
        texts = index.own_texts[number]
        for child in reversed(index.children[number]):
            behind = [text for _, text in index.texts_behind(child)]
            text = index.text(child)
            if texts[own] in behind and self.is_label(text, index.tags[child]):
                yield child, text

    def _label_of(self, index: PageArrays, number: int, before: int | None) -> str:
        """The own text of an element that is a label; of one around the value, what stands before it."""
        texts = index.own_texts[number] if before is None else index.own_texts[number][:1]
        plain = (" ".join(text.split()) for text in texts)
        return next((text for text in plain if text and self.is_label(text, index.tags[number])), "")

    def is_label(self, text: str, tag: str) -> bool:
        if len(text) not in _LABEL_CHARACTERS or ("'" in text and '"' in text) or not text.isprintable():
            return False
        if not any(map(str.isalpha, text)) or folded(text) in self._values:
            return False
        if not self._can_compare:
            return tag in _LABEL_TAGS or text.endswith(":")
        if text not in self._labels:
            having = sum(text in page.by_own_text for page in self._pages)
            self._labels[text] = having >= _SHARED * len(self._pages)
        return self._labels[text]


def _above(index: PageArrays, number: int) -> Iterator[int]:
    around = index.parents[number]
    while around >= 0:
        yield around
        around = index.parents[around]
