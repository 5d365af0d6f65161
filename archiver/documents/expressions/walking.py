"""One route of an expression, followed step by step.

Every step is linear in what it looks at, where that is possible, and otherwise counted: libxml2 takes a time
that grows with the square of the page where elements are nested, and nothing interrupts it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from archiver.documents.expressions.conditions import (
    fulfils,
    own_values,
    texts_within,
    value_fulfils,
    with_attribute,
)
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.model import (
    ANY,
    FACTS,
    LAST,
    TEXT,
    Axis,
    Condition,
    PathStep,
    Position,
    Subject,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.budget import Budget
    from archiver.documents.expressions.model import Route

_EVERY = PathStep(axis=Axis.DESCENDANT)
_T = TypeVar("_T")
# An element, and those of its values that were looked for; None where it is the element itself.
Found = tuple["Element", "list[str] | None"]
# An element with values, each with its number among those of the element.
Valued = tuple["Element", "list[tuple[int, str]]"]


class Traversal:
    """One route, followed from a place."""

    def __init__(
        self, route: Route, place: Element | VirtualDocument, budget: Budget, outside: AbstractSet[Element]
    ) -> None:
        self._route = route
        self._budget = budget
        self._outside = outside
        self._document = place if isinstance(place, VirtualDocument) else None
        self._start = _start(route, place)
        # Whether the start is the page: then its own element is looked at as well.
        self._from_page = route.absolute or self._document is not None or self._start.getparent() is None

    def found(self) -> Iterator[Found]:
        elements, steps = [self._start], self._route.steps
        for number, step in enumerate(steps):
            if step.is_value:
                yield from self._valued(step, elements, is_first=number == 0)
                return
            elements = self._stepped(step, elements, is_first=number == 0)
            if step.pick is not None:
                elements = _picked(elements, step.pick)
            if not elements:
                return
        yield from ((element, None) for element in elements)

    def _stepped(self, step: PathStep, contexts: list[Element], *, is_first: bool) -> list[Element]:
        if is_first and self._from_page:
            return self._on_page(step)
        if step.axis is Axis.CHILD:
            return self._sorted(self._children(step, contexts), contexts)
        if step.axis is Axis.DESCENDANT:
            return self._by_parent(step, self._descendants(step, contexts))
        if step.axis is Axis.PARENT:
            parents = [one for context in contexts if (one := context.getparent()) is not None]
            return self._sorted(list(dict.fromkeys(parents)), contexts)
        if step.axis is Axis.FOLLOWING:
            found = [one for context in contexts for one in self._counted(step, self._after(context))]
            return self._sorted(list(dict.fromkeys(found)), contexts)
        return self._sorted(self._siblings(step, contexts), contexts)

    def _on_page(self, step: PathStep) -> list[Element]:
        root = self._start
        if step.axis is Axis.CHILD:  # of the page, whose only child is `html`
            fits = step.tag in (ANY, root.tag) and all(self._fulfils(root, one) for one in step.conditions)
            return [root] if fits and all(one.number in (1, LAST) for one in step.positions) else []
        if step.axis is not Axis.DESCENDANT:
            return []
        named = _class_of(step)
        document = self._document if named is not None else None
        # Made for all elements at once: for those of one tag only where it is there already.
        if document is not None and root is document.tree and (step.tag == ANY or document.knows_classes):
            having = document.by_class.get(str(named), ())
            elements = [one for one in having if step.tag in (ANY, one.tag)]
        else:
            elements = list(root.iter(step.tag))
        self._budget.spend(len(elements))
        return self._by_parent(step, elements)

    def _children(self, step: PathStep, contexts: Iterable[Element]) -> list[Element]:
        found: list[Element] = []
        for context in contexts:
            children = [one for one in context.iterchildren(step.tag) if one not in self._outside]
            self._budget.spend(len(children) + 1)
            found += self._chosen(step, children)
        return found

    def _descendants(self, step: PathStep, contexts: Sequence[Element]) -> list[Element]:
        found: list[Element] = []
        for context in self._outermost(contexts):
            below = self._walked(context, step) if self._outside else list(context.iter(step.tag))
            self._budget.spend(len(below) + 1)
            found += below[1:] if below and below[0] is context else below
        return found

    def _walked(self, context: Element, step: PathStep) -> list[Element]:
        """What is below, without entering what is outside."""
        found, waiting = [], [context]
        while waiting:
            element = waiting.pop()
            self._budget.spend()
            if step.tag in (ANY, element.tag):
                found.append(element)
            waiting += [one for one in element.iterchildren(ANY, reversed=True) if one not in self._outside]
        return found

    def _outermost(self, contexts: Sequence[Element]) -> Sequence[Element]:
        """Those that are not inside another of them; each element above them is asked once."""
        if len(contexts) == 1:
            return contexts
        inside = dict.fromkeys(contexts, True)
        found = []
        for context in contexts:
            above, parent = [], context.getparent()
            while parent is not None and parent not in inside:
                above.append(parent)
                parent = parent.getparent()
            self._budget.spend(len(above) + 1)
            is_inside = parent is not None and inside[parent]
            inside.update(dict.fromkeys(above, is_inside))
            if not is_inside:
                found.append(context)
        return found

    def _by_parent(self, step: PathStep, elements: list[Element]) -> list[Element]:
        """Those that fulfil the step's predicates, of which positions count the children of one parent."""
        if not step.positions:
            return self._chosen(step, elements)
        groups: defaultdict[Element | None, list[Element]] = defaultdict(list)
        for element in elements:
            groups[element.getparent()].append(element)
        chosen = {one for group in groups.values() for one in self._chosen(step, group)}
        return [one for one in elements if one in chosen]

    def _siblings(self, step: PathStep, contexts: Sequence[Element]) -> list[Element]:
        preceding = step.axis is Axis.PRECEDING_SIBLING
        if step.positions:
            every = (
                one
                for context in contexts
                for one in self._counted(step, context.itersiblings(ANY, preceding=preceding))
            )
            return list(dict.fromkeys(every))
        found: dict[Element, None] = {}
        for context in contexts:
            for sibling in context.itersiblings(ANY, preceding=preceding):
                self._budget.spend()
                if sibling in found:
                    break  # and so are those behind it
                found[sibling] = None
        return self._chosen(step, [one for one in found if step.tag in (ANY, one.tag)])

    def _counted(self, step: PathStep, elements: Iterable[Element]) -> list[Element]:
        """The elements, as far as the step's positions can need them."""
        needed = _needed(step)
        found: list[Element] = []
        for element in elements:
            self._budget.spend()
            if step.tag in (ANY, element.tag):
                found.append(element)
                if len(found) == needed:
                    break
        return self._chosen(step, found)

    def _after(self, element: Element) -> Iterator[Element]:
        """The elements behind an element and what is in it."""
        above: Element | None = element
        while above is not None:
            self._budget.spend()
            for sibling in above.itersiblings(ANY):
                yield from sibling.iter(ANY)
            above = above.getparent()

    def _chosen(self, step: PathStep, elements: list[Element]) -> list[Element]:
        for predicate in step.predicates:
            if isinstance(predicate, Position):
                elements = _picked(elements, predicate.number)
            elif predicate.subject is Subject.ATTRIBUTE:
                elements = with_attribute(elements, predicate)
            else:
                elements = [one for one in elements if self._fulfils(one, predicate)]
        return elements

    def _fulfils(self, element: Element, condition: Condition) -> bool:
        return fulfils(element, condition, self._budget.spend)

    def _sorted(self, elements: list[Element], contexts: Sequence[Element]) -> list[Element]:
        """In the order of the page, which the children of nested elements do not have by themselves."""
        return elements if len(contexts) == 1 and self._is_plain else ordered(elements, self._budget)

    @property
    def _is_plain(self) -> bool:
        return all(step.axis in (Axis.CHILD, Axis.DESCENDANT) for step in self._route.steps)

    def _owners(self, step: PathStep, contexts: list[Element], *, is_first: bool) -> list[Element]:
        if step.axis is Axis.CHILD:
            return contexts
        elements: list[Element] = []
        for context in contexts if is_first else self._outermost(contexts):
            below = self._walked(context, _EVERY) if self._outside else list(context.iter(ANY))
            self._budget.spend(len(below))
            elements += below
        return elements

    def _valued(self, step: PathStep, contexts: list[Element], *, is_first: bool) -> Iterable[Found]:
        if step.axis is Axis.FOLLOWING_SIBLING:
            found = self._texts_behind(step, contexts)
        else:
            found = self._own(step, self._owners(step, contexts, is_first=is_first))
        if step.pick is None:
            return [(element, [text for _, text in values]) for element, values in found]
        every = [(element, text) for element, values in found for _, text in values]
        return [(element, [text]) for element, text in _picked(every, step.pick)]

    def _own(self, step: PathStep, elements: Sequence[Element]) -> list[Valued]:
        found = [(element, values) for element in elements if (values := self._values(element, step))]
        if step.tag == TEXT and len(self._outermost(elements)) < len(elements):
            return list(self._in_reading_order(dict(found), elements))
        return found

    def _values(self, element: Element, step: PathStep) -> list[tuple[int, str]]:
        """The values of an element that fulfil the step, each with its number among them."""
        values = list(enumerate(own_values(element, step)))
        self._budget.spend(len(values) + 1)
        return _fulfilling(values, step)

    def _texts_behind(self, step: PathStep, contexts: Sequence[Element]) -> list[Valued]:
        """The texts behind elements, in what is around them: each once, in the order of the page."""
        behind: dict[Element, str] = {}
        for context in contexts:
            beside = [context, *context.itersiblings()]
            self._budget.spend(len(beside))
            behind.update(_fulfilling([(one, one.tail) for one in beside if one.tail], step))
        ends = _in_order_of_ends(ordered(list(behind), self._budget), self._budget)
        return [(around, [(0, behind[one])]) for one in ends if (around := one.getparent()) is not None]

    def _in_reading_order(
        self, texts: dict[Element, list[tuple[int, str]]], elements: Sequence[Element]
    ) -> Iterator[tuple[Element, list[tuple[int, str]]]]:
        """Texts of nested elements, those of the inner ones between those around them."""
        for top in self._outermost(elements):
            numbers: defaultdict[Element, int] = defaultdict(int)
            for owner in texts_within(top, self._budget.spend):
                number = numbers[owner]
                numbers[owner] += 1
                if chosen := [one for one in texts.get(owner, ()) if one[0] == number]:
                    yield owner, chosen


def _fulfilling(values: list[tuple[_T, str]], step: PathStep) -> list[tuple[_T, str]]:
    for predicate in step.predicates:
        if isinstance(predicate, Position):
            values = _picked(values, predicate.number)
        else:
            values = [one for one in values if value_fulfils(one[1], predicate)]
    return values


def _in_order_of_ends(elements: Iterable[Element], budget: Budget) -> list[Element]:
    """Elements that come by where they begin, by where they end: an inner one before that around it."""
    found: list[Element] = []
    still_open: list[Element] = []
    for element in elements:
        above = set(element.iterancestors()) if still_open else set()
        budget.spend(len(above))
        while still_open and still_open[-1] not in above:
            found.append(still_open.pop())
        still_open.append(element)
    return [*found, *reversed(still_open)]


def _start(route: Route, place: Element | VirtualDocument) -> Element:
    """Where a route begins: at the place, or at the page that it is on."""
    if isinstance(place, VirtualDocument):
        of_facts = bool(route.steps) and route.steps[0].tag in FACTS
        return place.facts if of_facts else place.tree
    return place.getroottree().getroot() if route.absolute else place


def _class_of(step: PathStep) -> str | None:
    """The class that a step's elements must have."""
    names = (one.literal for one in step.predicates if isinstance(one, Condition) and one.is_class)
    return next(names, None)


def _needed(step: PathStep) -> int | None:
    """How many elements of a step must be seen to know the one at its position."""
    first = step.predicates[0]
    return first.number if isinstance(first, Position) and first.number != LAST else None


def _picked(found: list[_T], number: int) -> list[_T]:
    return found[-1:] if number == LAST else found[number - 1 : number]


def ordered(elements: Sequence[Element], budget: Budget) -> list[Element]:
    """The elements in the order of their page, each once."""
    if len(elements) < 2:
        return list(elements)
    wanted = set(elements)
    tags = {one.tag for one in wanted}
    every = list(elements[0].getroottree().getroot().iter(*tags))
    budget.spend(len(every))
    return [one for one in every if one in wanted]
