"""The list of articles on a captured page: found by its links to articles that are known."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from archiver.documents.pages.links import links_of
from archiver.urls import is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

# One link is no list.
_LEAST_CARDS = 2
# A page with more links than this is looked at no further.
_MOST_LINKS = 20_000


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on the page for one article: mostly one element, else several in a row."""

    elements: tuple[Element, ...]
    key: str  # of the article's address; empty where that is not known

    @property
    def container(self) -> Element:
        parent = self.elements[0].getparent()
        assert parent is not None  # noqa: S101 - no card is a whole page
        return parent


def links_on(tree: Element, base: str) -> dict[Element, str]:
    """The links of a page, each with the key of the address that it leads to."""
    found: dict[Element, str] = {}
    for link in links_of(tree, base, tree.iter("a")):
        if is_web(link.url):
            found[link.element] = same_page_key(link.url)
            if len(found) == _MOST_LINKS:
                break
    return found


def cards_on(tree: Element, links: dict[Element, str], articles: Collection[str]) -> list[Card]:
    """The cards of the list with most articles, in the order of the page; none where there is no list."""
    own = {link: key for link, key in links.items() if key in articles}
    groups: defaultdict[tuple[str, ...], list[tuple[Element, str]]] = defaultdict(list)
    for element, key in _largest(tree, own).items():
        groups[_kind_of_place(element)].append((element, key))
    best = max(groups.values(), key=len, default=[])
    if len(best) < _LEAST_CARDS:
        return []
    return _whole(_with_unknown(best))


def _largest(tree: Element, own: dict[Element, str]) -> dict[Element, str]:
    """For each article the largest element that links to no other."""
    within: defaultdict[Element, set[str]] = defaultdict(set)
    for link, key in own.items():
        within[link].add(key)
        for above in link.iterancestors():
            within[above].add(key)
    found: dict[Element, str] = {}
    for link, key in own.items():
        largest = link
        for above in link.iterancestors():
            if above is tree or above.tag == "body" or len(within[above]) > 1:
                break
            largest = above
        found[largest] = key
    return found


def _kind_of_place(element: Element) -> tuple[str, ...]:
    """The same for all cards of a list, also where it is set in several rows or columns."""
    above = [
        f"{one.tag} {' '.join(sorted((one.get('class') or '').split()))}" for one in element.iterancestors()
    ]
    return (str(element.tag), *above)


def _with_unknown(cards: Sequence[tuple[Element, str]]) -> list[tuple[Element, str]]:
    """With elements of the same sort beside them: articles that no feed ever had stand in the list too."""
    known = dict(cards)
    tags = {element.tag for element in known}
    names = [set((element.get("class") or "").split()) for element in known]
    shared = set.intersection(*names)
    found: list[tuple[Element, str]] = []
    for container in dict.fromkeys(element.getparent() for element in known):
        for element in container if container is not None else ():
            is_alike = element.tag in tags and shared <= set((element.get("class") or "").split())
            if element in known:
                found.append((element, known[element]))
            elif is_alike and next(element.iter("a"), None) is not None:
                found.append((element, ""))
    return found


def _whole(cards: Sequence[tuple[Element, str]]) -> list[Card]:
    """With what belongs to a card and stands beside it: a summary after each heading, a date before."""
    starts = {element for element, _ in cards}
    after = _usual(tuple(str(one.tag) for one in _beside(element, starts)) for element, _ in cards[:-1])
    if not after:
        return [Card((element,), key) for element, key in cards]
    before = tuple(str(one.tag) for one in cards[0][0].itersiblings(preceding=True))[: len(after)]
    is_before = before[::-1] == after
    return [Card(_unit(element, starts, len(after), is_before=is_before), key) for element, key in cards]


def _usual(patterns: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """What follows more than half of them."""
    counts = Counter(patterns)
    pattern, times = counts.most_common(1)[0] if counts else ((), 0)
    return pattern if 2 * times > counts.total() else ()


def _beside(element: Element, starts: Collection[Element], *, before: bool = False) -> Iterator[Element]:
    return takewhile(lambda one: one not in starts, element.itersiblings(preceding=before))


def _unit(
    element: Element, starts: Collection[Element], length: int, *, is_before: bool
) -> tuple[Element, ...]:
    beside = list(_beside(element, starts, before=is_before))[:length]
    return (*reversed(beside), element) if is_before else (element, *beside)
