"""What a page states about itself for machines: `meta` elements, JSON-LD and microdata, read once for all."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import elements
from archiver.documents.pages.text import one_line, plain, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element

Linked = Mapping[str, object]
Values = Mapping[str, tuple[str, ...]]

MOST_METAS = 1000
MOST_VALUES = 50
MOST_THINGS = 1000
MOST_PROPERTIES = 200
LONGEST_VALUE = 2000

_ARTICLE_TYPE = re.compile(r"(?:Article|Posting|Report|Review)$")
_MICRODATA = etree.XPath("//*[@itemprop or @itemtype]")
# Programs that write JSON by hand leave a comma at the end.
_LAST_COMMA = re.compile(r",(?=\s*[}\]])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    # Of `meta` elements by their names in lower case, and of the article's microdata; in the page's order.
    metas: Values
    properties: Values
    # The article of the JSON-LD, and all other things there.
    linked: Linked
    things: tuple[Linked, ...] = ()

    def named(self, *names: str) -> list[str]:
        """The values of `meta` elements, in the order of the names; of two with one name the first counts."""
        return [one_line(self.metas[name][0]) for name in names if name in self.metas]

    def texts(self, name: str) -> list[str]:
        """What JSON-LD and microdata say of the article under this name, as plain text."""
        return [*self.linked_texts(name), *self.marked_texts(name)]

    def linked_texts(self, name: str) -> list[str]:
        """What only JSON-LD says."""
        return _plain(_strings(self.linked.get(name)))

    def marked_texts(self, name: str) -> list[str]:
        """What only microdata says."""
        return _plain(self.properties.get(name, ()))


def statements_of(tree: Element, *, has_microdata: bool = True) -> Statements:
    """What a page states; that it has no microdata is known to some who ask."""
    things = tuple(islice(_all_things(tree), MOST_THINGS))
    articles = (thing for thing in things if any(map(_ARTICLE_TYPE.search, types_of(thing))))
    return Statements(
        metas=metas_of(tree),
        properties=_properties(tree) if has_microdata else {},
        linked=next(articles, {}),
        things=things,
    )


def metas_of(tree: Element) -> dict[str, tuple[str, ...]]:
    metas: dict[str, tuple[str, ...]] = {}
    for meta in islice(tree.iter("meta"), MOST_METAS):
        content = meta.get("content", "").strip()
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            name = meta.get(attribute, "").strip().lower()
            if name and content and len(metas.get(name, ())) < MOST_VALUES:
                metas[name] = (*metas.get(name, ()), content)
    return metas


def types_of(thing: Linked) -> list[str]:
    return list(_strings(thing.get("@type")))


def names_of(value: object) -> list[str]:
    """The names of people, organisations or things, given as texts or as objects."""
    some = value if isinstance(value, list) else [value]
    found = [one.get("name") if isinstance(one, dict) else one for one in some[:MOST_VALUES]]
    return [name for one in found for name in _strings(one)]


def addresses_of(value: object) -> list[str]:
    """The addresses of images or pages, given as texts or as objects."""
    some = value if isinstance(value, list) else [value]
    found = [one.get("url") or one.get("@id") if isinstance(one, dict) else one for one in some[:MOST_VALUES]]
    return [address for one in found for address in _strings(one)]


def _plain(texts: Iterable[str]) -> list[str]:
    return [text for text in (plain(one[:LONGEST_VALUE]) for one in texts) if text]


def _strings(value: object) -> Iterator[str]:
    yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))


def _all_things(tree: Element) -> Iterator[Linked]:
    for document in linked_documents(tree):
        yield from _things(document)


def linked_documents(tree: Element) -> Iterator[object]:
    """The documents of JSON-LD on a page, as JSON has them; None for one that is not JSON."""
    for script in tree.iter("script"):
        if script.get("type", "").strip().lower().startswith("application/ld+json"):
            yield _json(script.text or "")


def _json(text: str) -> object:
    for attempt in (text, _LAST_COMMA.sub("", text)):
        try:
            value: object = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return value
    return None


def _things(value: object) -> Iterator[Linked]:
    """The objects of a JSON-LD document: one, a list of them, or a graph; and what a page is about."""
    waiting = deque([value])
    while waiting:
        thing = waiting.popleft()
        if isinstance(thing, list):
            waiting.extend(thing)
        elif isinstance(thing, dict):
            yield thing
            waiting += (thing.get("@graph"), thing.get("mainEntity"))


def _properties(tree: Element) -> Values:
    """The microdata of the first article there: of those that are only announced beside it, nothing."""
    found: dict[str, tuple[str, ...]] = {}
    marked = elements(_MICRODATA, tree)[:MOST_PROPERTIES]
    scope = next((one for one in marked if _ARTICLE_TYPE.search(one.get("itemtype", ""))), None)
    for element in marked:
        if _scope(element) is not scope:
            continue
        for name in element.get("itemprop", "").split():
            value = "" if name == "articleBody" else _value(element)
            found[name] = (*found.get(name, ()), *filter(None, [value]))
    return found


def _scope(element: Element) -> Element | None:
    return next((one for one in element.iterancestors() if one.get("itemscope") is not None), None)


def _value(element: Element) -> str:
    if element.get("itemscope") is not None:
        names = (one for one in _named(element) if one.get("itemprop") == "name")
        element = next(names, element)
    stated = (element.get(name, "").strip() for name in ("content", "datetime"))
    return next(filter(None, stated), "") or one_line(text_of(element))[:LONGEST_VALUE]


def _named(item: Element) -> Iterable[Element]:
    return islice(item.iterdescendants(), MOST_PROPERTIES)
