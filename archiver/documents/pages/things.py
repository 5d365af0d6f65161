"""All things that a page states for machines, in JSON-LD and microdata: their types and properties."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.statements import LONGEST_VALUE, MOST_THINGS, linked_documents
from archiver.documents.pages.text import one_line, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element as Element

# Things within things; pages have about five.
_DEEPEST = 20
# Of one property, of all things together, and elements of microdata.
_MOST_VALUES = 200
_MOST_NODES = 20_000
_MOST_MARKED = 5_000
# Properties of microdata whose value is an address, also where a link has words.
_ADDRESSES = frozenset({"url", "image", "sameas", "logo", "thumbnailurl", "contenturl", "downloadurl"})
_ADDRESS_ATTRIBUTES = ("href", "src", "data")


@dataclass(frozen=True, slots=True, eq=False)
class StatedThing:
    """Such as a book: its types without their namespaces, and its properties, whose values may be things."""

    types: tuple[str, ...]
    properties: Mapping[str, list[StatedThing | str]] = field(default_factory=dict)


def things_of(tree: Element) -> tuple[StatedThing, ...]:
    """The things that have a type, those within others too: of JSON-LD, then of microdata, as they stand."""
    linked = _Linked()
    for document in linked_documents(tree):
        linked.read(document)
    return tuple(islice((*linked.things, *_marked(tree)), MOST_THINGS))


def local_name(name: str) -> str:
    """`Book` for `https://schema.org/Book` and for `schema:Book`."""
    return name.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


class _Linked:
    """Things of JSON-LD, in the order in which they stand there."""

    def __init__(self) -> None:
        self.things: list[StatedThing] = []
        self._nodes = 0

    def read(self, value: object, depth: int = 0) -> list[StatedThing | str]:
        """The values of a property, or of a document."""
        self._nodes += 1
        if depth > _DEEPEST or self._nodes > _MOST_NODES:
            return []
        if isinstance(value, list):
            return [one for item in value[:_MOST_VALUES] for one in self.read(item, depth + 1)]
        if isinstance(value, dict):
            return self._thing(value, depth)
        text = _text_of_json(value)
        return [text] if text else []

    def _thing(self, value: Mapping[str, object], depth: int) -> list[StatedThing | str]:
        if "@value" in value:
            return self.read(value["@value"], depth + 1)
        properties: dict[str, list[StatedThing | str]] = {}
        types = [one for one in self.read(value.get("@type"), depth + 1) if isinstance(one, str)]
        thing = StatedThing(tuple(map(local_name, types)), properties)
        if types:
            self.things.append(thing)
        for name, said in value.items():
            if not name.startswith("@") or name in ("@graph", "@id"):
                properties[name if name.startswith("@") else local_name(name)] = self.read(said, depth + 1)
        return [thing]


def _text_of_json(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return one_line(str(value)[:LONGEST_VALUE]) if isinstance(value, str | int | float) else ""


def _marked(tree: Element) -> Iterator[StatedThing]:
    """Things of microdata."""
    marked = (one for one in tree.iter("*") if one.get("itemprop") or one.get("itemscope") is not None)
    things: dict[Element, StatedThing] = {}
    for element in islice(marked, _MOST_MARKED):
        if element.get("itemscope") is not None:
            types = element.get("itemtype", "").split()
            things[element] = StatedThing(tuple(map(local_name, types)), defaultdict(list))
        owner = next((things[one] for one in element.iterancestors() if one in things), None)
        if owner is not None:
            _add(owner, element, things.get(element))
    return (thing for thing in things.values() if thing.types)


def _add(owner: StatedThing, element: Element, thing: StatedThing | None) -> None:
    for name in element.get("itemprop", "").split():
        values = owner.properties[local_name(name)]
        value = thing or _value(element, name)
        if value and len(values) < _MOST_VALUES:
            values.append(value)


def _value(element: Element, name: str) -> str:
    stated = (element.get(one, "").strip() for one in ("content", "datetime"))
    address = next(filter(None, (element.get(one, "").strip() for one in _ADDRESS_ATTRIBUTES)), "")
    first = next(filter(None, stated), "") or (address if local_name(name).lower() in _ADDRESSES else "")
    return one_line((first or text_of(element) or address or element.get("value", ""))[:LONGEST_VALUE])
