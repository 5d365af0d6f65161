"""All ways to where a value stands: by its own names, by those around it, and by labels beside it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.documents.expressions.model import (
    ANY,
    LAST,
    MOST_CHARACTERS,
    MOST_FOLLOWING,
    MOST_STEPS,
    TEXT,
    Axis,
    Condition,
    PathStep,
    Position,
    Subject,
    Test,
)
from archiver.fields.induction.anchors import NAME
from archiver.fields.induction.ways import PathWay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.fields.induction.anchors import SharedAnchors
    from archiver.fields.induction.page_index import PageArrays
    from archiver.fields.induction.places import ValuePlace
    from archiver.fields.induction.ways import Walker

_MOST_ANCESTORS = 8
_MOST_ANCHORS = 24
_MOST_UP = 4
_MOST_PICK = 6
_PARENT = PathStep(axis=Axis.PARENT, tag="")


def ways_to(place: ValuePlace, walker: Walker, anchors: SharedAnchors) -> list[PathWay]:
    """Candidates for a place, each once; whether they lead there first is not yet known."""
    made = _Candidates(walker, anchors)
    found: dict[str, PathWay] = {}
    for way in made.to_place(place):
        if len(way.text) <= MOST_CHARACTERS and len(way.steps) <= MOST_STEPS:
            found.setdefault(way.text, way)
    return list(found.values())


class _Candidates:
    def __init__(self, walker: Walker, anchors: SharedAnchors) -> None:
        self._walker = walker
        self._index: PageArrays = walker.index
        self._anchors = anchors

    def to_place(self, place: ValuePlace) -> Iterator[PathWay]:
        endings = list(self._endings(place))
        for way in self._to_element(place.element):
            for ending in endings:
                yield way.then(*ending)
        if place.own >= 0:
            yield from self._behind_labels(place)

    def _endings(self, place: ValuePlace) -> Iterator[tuple[PathStep, ...]]:
        """From the element to the value: nothing, an attribute, or one of its texts."""
        if place.attribute:
            if NAME.fullmatch(place.attribute):
                yield (PathStep(axis=Axis.CHILD, tag=f"@{place.attribute}"),)
            return
        if place.own < 0:
            yield ()
            return
        texts = self._index.own_texts[place.element]
        yield (PathStep(axis=Axis.CHILD, tag=TEXT),)
        yield (_numbered(PathStep(axis=Axis.CHILD, tag=TEXT), place.own + 1),)
        if place.own == len(texts) - 1:
            yield (_numbered(PathStep(axis=Axis.CHILD, tag=TEXT), LAST),)

    def _to_element(self, number: int) -> Iterator[PathWay]:
        for way in self._by_names(number):
            yield way
            yield from self._picked(way, number)
        yield from self._by_labels(number)
        yield self._canonical(number)

    def _by_names(self, number: int) -> Iterator[PathWay]:
        own = list(self._own(number))
        yield from map(PathWay, own)
        path = [number]
        anchored = 0
        while len(path) <= _MOST_ANCESTORS and (around := self._index.parents[path[0]]) >= 0:
            for step in self._anchors.steps(self._index, around):
                anchor = PathWay(step)
                yield from (anchor.then(one) for one in own)
                yield from self._along(anchor, [around, *path])
                anchored += 1
            if anchored > _MOST_ANCHORS:
                return
            path.insert(0, around)

    def _own(self, number: int) -> Iterator[PathStep]:
        yield from self._anchors.steps(self._index, number)
        yield self._tagged(Axis.DESCENDANT, number)

    def _tagged(self, axis: Axis, number: int) -> PathStep:
        tag = self._index.tags[number]
        return PathStep(axis=axis, tag=tag if NAME.fullmatch(tag) else ANY)

    def _picked(self, way: PathWay, number: int) -> Iterator[PathWay]:
        """The way to this element alone, where it is not the first that the way leads to."""
        found = self._walker.elements(way)
        if number in found and 1 < found.index(number) + 1 <= _MOST_PICK:
            yield _pick(way, found.index(number) + 1)
        if len(found) > 1 and found[-1] == number:
            yield _pick(way, LAST)

    def _along(self, way: PathWay, path: list[int]) -> Iterator[PathWay]:
        """Step by step from an element to one below it: by places, and by names where there are some."""
        if len(path) < 2:
            yield way
            return
        yield way.then(*(self._child(around, one) for around, one in pairwise(path)))
        named = [self._named_child(around, one) for around, one in pairwise(path)]
        yield way.then(*named)
        if len(path) > 2:
            yield way.then(self._tagged(Axis.DESCENDANT, path[-1]))
            yield way.then(self._named_child(path[0], path[1]), self._tagged(Axis.DESCENDANT, path[-1]))

    def _child(self, around: int, number: int) -> PathStep:
        """A step to a child, with its place where others have the same tag."""
        step = self._tagged(Axis.CHILD, number)
        alike = [one for one in self._index.children[around] if step.tag in (ANY, self._index.tags[one])]
        return step if len(alike) == 1 else _numbered(step, alike.index(number) + 1)

    def _named_child(self, around: int, number: int) -> PathStep:
        named = next(self._anchors.steps(self._index, number, Axis.CHILD), None)
        return named or self._child(around, number)

    def _by_labels(self, number: int) -> Iterator[PathWay]:
        for label, text in self._anchors.labels(self._index, number):
            for step in self._label_steps(label, text):
                yield from self._from_label(PathWay(step), label, number)

    def _label_steps(self, label: int, text: str) -> Iterator[PathStep]:
        step = self._tagged(Axis.DESCENDANT, label)
        is_all = self._index.text(label) == text
        condition = Condition(Test.EQUALS, Subject.SELF if is_all else Subject.TEXT, literal=text)
        yield PathStep(axis=step.axis, tag=step.tag, predicates=(condition,))

    def _from_label(self, way: PathWay, label: int, number: int) -> Iterator[PathWay]:
        path = self._path(label, number)
        if path is not None:  # the label is around the value
            yield from self._along(way, path)
            return
        if self._index.ends[label] <= number:
            yield from self._following(way, label, number)
        yield from self._beside(way, label, number)

    def _path(self, above: int, below: int) -> list[int] | None:
        path = [below]
        while path[0] > above:
            path.insert(0, self._index.parents[path[0]])
        return path if path[0] == above else None

    def _following(self, way: PathWay, label: int, number: int) -> Iterator[PathWay]:
        step = self._tagged(Axis.FOLLOWING, number)
        start, tags = self._index.ends[label], self._index.tags
        place = sum(tags[one] == tags[number] for one in range(start, number + 1))
        if place <= MOST_FOLLOWING:
            yield way.then(_numbered(step, place))

    def _beside(self, way: PathWay, label: int, number: int) -> Iterator[PathWay]:
        """Up from the label to what stands beside the value, and from there down to it."""
        parents = self._index.parents
        side = label
        for _ in range(_MOST_UP):
            around = parents[side]
            if around < 0:
                return
            path = self._path(around, number)
            if path is not None:
                yield from self._across(way, side, path)
                return
            side = around
            way = way.then(_PARENT)

    def _across(self, way: PathWay, side: int, path: list[int]) -> Iterator[PathWay]:
        if len(path) == 1:
            yield way.then(_PARENT)  # the value is around its label
            return
        around, target = path[0], path[1]
        siblings = [one for one in self._index.children[around] if one > side]
        step = self._tagged(Axis.FOLLOWING_SIBLING, target)
        alike = [one for one in siblings if step.tag in (ANY, self._index.tags[one])]
        if target not in alike:
            return
        yield from self._along(way.then(_numbered(step, alike.index(target) + 1)), path[1:])
        if siblings.index(target) == 0:
            anything = PathStep(axis=Axis.FOLLOWING_SIBLING)
            yield from self._along(way.then(_numbered(anything, 1)), path[1:])
        for named in self._anchors.steps(self._index, target, Axis.FOLLOWING_SIBLING):
            yield from self._along(way.then(_numbered(named, 1)), path[1:])
        for own in self._anchors.steps(self._index, path[-1]) if len(path) > 2 else ():
            yield way.then(_PARENT, own)

    def _behind_labels(self, place: ValuePlace) -> Iterator[PathWay]:
        """Labels that stand before a text in the same element."""
        texts = self._index.own_texts[place.element]
        for label, text in self._anchors.label_within(self._index, place.element, place.own):
            behind = [one for _, one in self._index.texts_behind(label)]
            step = PathStep(axis=Axis.FOLLOWING_SIBLING, tag=TEXT)
            numbered = _numbered(step, behind.index(texts[place.own]) + 1)
            for begin in self._label_steps(label, text):
                yield PathWay(begin).then(numbered)
                yield PathWay(begin).then(step)
                for anchor in self._anchors.steps(self._index, place.element):
                    yield PathWay(anchor, None).then(
                        PathStep(axis=Axis.CHILD, tag=begin.tag, predicates=begin.predicates), numbered
                    )

    def _canonical(self, number: int) -> PathWay:
        """From the top step by step, or from as far up as an expression can say: the last resort."""
        path = [number]
        while self._index.parents[path[0]] >= 0 and len(path) < MOST_STEPS - 1:
            path.insert(0, self._index.parents[path[0]])
        axis = Axis.CHILD if path[0] == 0 else Axis.DESCENDANT
        way = PathWay(self._tagged(axis, path[0]))
        return way.then(*(self._child(around, one) for around, one in pairwise(path)))


def _numbered(step: PathStep, number: int) -> PathStep:
    return PathStep(axis=step.axis, tag=step.tag, predicates=(*step.predicates, Position(number)))


def _pick(way: PathWay, number: int) -> PathWay:
    step = way.step
    picked = PathStep(axis=step.axis, tag=step.tag, predicates=step.predicates, pick=number)
    return PathWay(picked, way.before)
