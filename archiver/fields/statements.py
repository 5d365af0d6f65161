"""Paths into what a page states for machines, such as `Book.isbn` or `Product.offers.price`."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from archiver.documents.pages.things import StatedThing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from archiver.documents.expressions.budget import Budget
    from archiver.documents.expressions.document import VirtualDocument

MOST_CHARACTERS = 200
# The type, and up to five properties, one within the other.
_PATH = re.compile(r"[A-Za-z][\w-]*(?:\.@?[A-Za-z][\w-]*){1,5}", re.ASCII)
_MOST_PROPERTIES = 5
# Of a thing that stands where a text is wanted, such as an author.
_NAMES = ("name", "@id")


def statement_flaw(path: str) -> str:
    """Why a text is not such a path; empty if it is one."""
    if len(path) > MOST_CHARACTERS:
        return f"The statement has {len(path)} characters: {MOST_CHARACTERS} are the most"
    if not _PATH.fullmatch(path):
        return f"{path or 'Nothing'} is not a type and its properties, as in Book.isbn"
    return ""


def stated_texts(document: VirtualDocument, path: str, budget: Budget | None = None) -> list[str]:
    """What the things of a type say under a path, in the page's order, each text once."""
    kind, *names = path.split(".")
    found: dict[str, None] = {}
    for thing in document.things:
        if budget is not None:
            budget.spend()
        if kind in thing.types:
            found |= dict.fromkeys(_texts(_below(thing, names)))
    return list(found)


def _below(thing: StatedThing, names: Iterable[str]) -> list[StatedThing | str]:
    values: list[StatedThing | str] = [thing]
    for name in names:
        things = [one for one in values if isinstance(one, StatedThing)]
        values = [value for one in things for value in one.properties.get(name, ())]
    return values


def _texts(values: Iterable[StatedThing | str]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
            continue
        named = (one for name in _NAMES for one in value.properties.get(name, ()) if isinstance(one, str))
        yield from list(named)[:1]


def statement_paths(document: VirtualDocument) -> list[tuple[str, str]]:
    """All that can be asked of a page in this way: each path with each text that it leads to."""
    found: dict[tuple[str, str], None] = {}
    for thing in document.things:
        for kind in thing.types:
            found |= dict.fromkeys(_paths(kind, thing))
    return list(found)


def _paths(kind: str, thing: StatedThing) -> Iterator[tuple[str, str]]:
    waiting = deque([(kind, 0, thing)])
    while waiting:
        path, depth, one = waiting.popleft()
        for name, values in one.properties.items():
            further = f"{path}.{name}"
            if statement_flaw(further):
                continue
            yield from ((further, text) for text in _texts(values))
            if depth + 1 < _MOST_PROPERTIES:
                within = [value for value in values if isinstance(value, StatedThing)]
                waiting.extend((further, depth + 1, value) for value in within)
