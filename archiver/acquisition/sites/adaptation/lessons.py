"""Pages to learn an action from, and how well a path does on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.slots import SlotValue
from archiver.acquisition.sites.adaptation.values import are_same, own_text, values_of
from archiver.digests import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.adaptation.locating import PageIndex, Spot
    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.adaptation.witnesses import PartWitness, Witnesses
    from archiver.acquisition.sites.typed_page import TypedPage
    from archiver.documents.expressions.model import Expression

_NONE: frozenset[Element] = frozenset()
# What no witness is for.
_STRANGE = "?"
# Elements around the text of a contribution that may be the whole of it.
_MOST_AROUND = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePage:
    """A page of a level as it is now, and what it is believed to show."""

    index: PageIndex
    witnesses: Witnesses

    @property
    def known(self) -> TypedPage:
        return self.index.known

    @property
    def url(self) -> str:
        return self.known.page.document.url


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A page, or a part of one, and the values that an action is to find there."""

    place: Element | None = None
    outside: frozenset[Element] = _NONE
    wanted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How well a path does: values that are right, that are wrong, and that it misses."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: Marks) -> Marks:
        return Marks(
            right=self.right + other.right, wrong=self.wrong + other.wrong, missed=self.missed + other.missed
        )

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right else 0.0

    @property
    def f1(self) -> float:
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLesson:
    """A page with the values of one action that stand on it."""

    page: SamplePage
    slot: ActionSlot
    cases: tuple[Case, ...]

    @property
    def is_telling(self) -> bool:
        """Whether something is there to be found."""
        return any(case.wanted for case in self.cases)

    def marks(self, paths: Sequence[Expression]) -> Marks:
        return sum((self._mark(case, paths) for case in self.cases), Marks())

    def _mark(self, case: Case, paths: Sequence[Expression]) -> Marks:
        found = list(self._found(case, paths))
        kind = self.slot.kind
        right = {value for value in case.wanted if any(are_same(kind, value, one) for one in found)}
        wrong = sum(not any(are_same(kind, value, one) for value in case.wanted) for one in found)
        return Marks(right=len(right), wrong=wrong, missed=len(case.wanted) - len(right))

    def _found(self, case: Case, paths: Sequence[Expression]) -> Iterable[str]:
        known = self.page.known
        if self.slot.kind is not SlotValue.PART:
            return values_of(known, self.slot, paths, case.place, case.outside)
        elements = [one for one in known.first(paths) if not isinstance(one, str)]
        return part_values(self.page, self.slot, elements)

    def spots(self) -> Iterator[tuple[Case, Spot]]:
        """Where the wanted values stand."""
        for case in self.cases:
            for value in case.wanted:
                for spot in self._spots(value):
                    if case.place is None or _is_inside(spot[0], case):
                        yield case, spot

    def _spots(self, value: str) -> Iterable[Spot]:
        if self.slot.kind is not SlotValue.PART:
            return self.page.index.spots(self.slot, value)
        text = self.page.witnesses.parts[self.slot.name][int(value)].text
        return [(one, "") for holder in self.page.index.holders(text) for one in _with_around(holder)]


def lesson_of(page: SamplePage, slot: ActionSlot) -> ActionLesson:
    """The page for one action; of the values that are believed to be there, those that are."""
    cases: tuple[Case, ...]
    if slot.kind is SlotValue.PART:
        cases = (_parts_of(page, slot),)
    elif slot.is_within:
        cases = tuple(_within(page, slot))
    else:
        believed = page.witnesses.values.get(slot.name, ())
        cases = (Case(wanted=frozenset(one for one in believed if page.index.spots(slot, one))),)
    return ActionLesson(page=page, slot=slot, cases=cases)


def _parts_of(page: SamplePage, slot: ActionSlot) -> Case:
    """Contributions are wanted by their numbers among the witnesses."""
    believed = page.witnesses.parts.get(slot.name, ())
    there = (number for number, one in enumerate(believed) if page.index.holders(one.text))
    return Case(wanted=frozenset(map(str, there)))


def _within(page: SamplePage, slot: ActionSlot) -> Iterator[Case]:
    """Each contribution of the page, and the value of one of its fields."""
    part = slot.part
    if part is None:
        return
    believed = page.witnesses.parts.get(part.name, ())
    elements = [one for one in page.known.first(part.each) if not isinstance(one, str)]
    every = frozenset(elements)
    for element in elements:
        outside = every - {element}
        held = _held(believed, folded(own_text(element, outside, " ")))
        value = believed[held[0]].value(slot.field) if len(held) == 1 else ""
        if value:
            yield Case(place=element, outside=outside, wanted=frozenset({value}))


def part_values(page: SamplePage, slot: ActionSlot, elements: Sequence[Element]) -> Iterator[str]:
    """Which contribution each element holds, and nothing else."""
    believed = page.witnesses.parts.get(slot.name, ())
    every = frozenset(elements)
    key = slot.part.key if slot.part is not None else ()
    for element in elements:
        outside = every - {element}
        held = _held(believed, folded(own_text(element, outside, " ")))
        if len(held) != 1:
            yield _STRANGE
            continue
        own = [one for one in page.known.first(key, element, outside) if isinstance(one, str)]
        named = believed[held[0]].key
        is_named = not (key and named) or named in own
        yield str(held[0]) if is_named else _STRANGE


def _held(believed: Sequence[PartWitness], text: str) -> list[int]:
    """The contributions whose words and author a text has."""
    words = "".join(text.split())
    return [
        number
        for number, one in enumerate(believed)
        if "".join(one.text.split()) in words and "".join(one.author.split()) in words
    ]


def _with_around(element: Element) -> Iterator[Element]:
    yield element
    for number, one in enumerate(element.iterancestors()):
        if number >= _MOST_AROUND or one.tag in {"body", "html"}:
            return
        yield one


def _is_inside(element: Element, case: Case) -> bool:
    """Whether an element is within the part of a case, and not within another part inside it."""
    for one in (element, *element.iterancestors()):
        if one is case.place:
            return True
        if one in case.outside:
            return False
    return False
