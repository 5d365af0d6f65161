"""Where the comments of a page are: the zone that holds them, and the elements of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.comments.dates import shows_date
from archiver.documents.pages.comments.zones import (
    headed,
    hyphened,
    is_elsewhere,
    is_of_others,
    names_of,
    zones_of,
)
from archiver.documents.pages.dom import UNSEEN
from archiver.documents.pages.text import one_line
from archiver.lexicon.comment_names import ITEM, NUMBERED, PINGBACK, SURELY_NUMBERED
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

# More are not read: no page that people read has so many.
MOST_ITEMS = 5000
# Not where there are fewer: two lines with dates may be anything.
_FEWEST_UNNAMED = 2
_FEW_WORDS = 6
# What follows the last comment.
_ENDS = frozenset({"form", "script", "nav", "aside", *HEADINGS})
# Where nothing has a name, elements that may hold comments.
_MOST_PARENTS = 2000


@dataclass(slots=True, kw_only=True)
class Item:
    """One comment: the elements that it is made of, mostly one, without those of the answers in them."""

    pieces: list[Element]
    number: str = ""  # the identifier that the page gives it
    is_named: bool = True
    starts: set[Element] = field(default_factory=set)  # of all comments of the page

    def elements(self) -> Iterator[Element]:
        """All elements in order, without what belongs to another comment."""
        for piece in self.pieces:
            waiting = [piece]
            while waiting:
                element = waiting.pop()
                if element.tag in UNSEEN or not isinstance(element.tag, str) or self.is_other(element):
                    continue
                yield element
                waiting += reversed(element)

    def is_other(self, element: Element) -> bool:
        """Whether another comment begins there."""
        return element in self.starts and element is not self.pieces[0]


def items_of(tree: Element) -> list[Item]:
    """The comments of a page in its order; none where nothing says that it has any."""
    for scope in (*zones_of(tree), *headed(tree)):
        found = _numbered(scope) or _named(scope) or _unnamed(scope)
        if found:
            return _linked(found)
    return _linked(_numbered_anywhere(tree))


def _numbered(scope: Sequence[Element]) -> list[Item]:
    """Elements with numbers of their own: of those with one number, the outermost."""
    starts: dict[str, Element] = {}
    for element in _within(scope):
        for name in (element.get("id"), element.get("name") if element.tag == "a" else None):
            found = NUMBERED.fullmatch(name or "")
            if found:
                starts.setdefault(found["number"], element)
    return _completed(starts.items(), scope)


def _numbered_anywhere(tree: Element) -> list[Item]:
    """Without a zone, only what can be nothing else; and several of them side by side."""
    starts: dict[str, Element] = {}
    for element in islice(tree.iter(), 100_000):
        name = element.get("id") or "" if isinstance(element.tag, str) else ""
        if SURELY_NUMBERED.fullmatch(name) and not is_elsewhere(element):
            found = NUMBERED.fullmatch(name)
            starts.setdefault(found["number"] if found else name, element)
    return _completed(starts.items(), [tree]) if len(starts) >= _FEWEST_UNNAMED else []


def _within(scope: Sequence[Element]) -> Iterator[Element]:
    """All elements, without those of boxes that hold what was said elsewhere."""
    for root in scope:
        waiting = [root]
        while waiting:
            element = waiting.pop()
            if not isinstance(element.tag, str) or element.tag in UNSEEN or is_of_others(element):
                continue
            yield element
            waiting += reversed(element)


def _completed(starts: Iterable[tuple[str, Element]], scope: Sequence[Element]) -> list[Item]:
    """Each with all of its elements: where comments stand flat, what follows up to the next is of it too."""
    some = list(islice(starts, MOST_ITEMS))
    begun = {one for _, one in some}
    first = {_outermost(element, begun, scope): number for number, element in some}
    following = {element: _following(element, first) for element in first}
    last = next(reversed(first), None)
    # Nothing tells where the last one ends, but the others.
    longest = max((len(some) for element, some in following.items() if element is not last), default=None)
    if last is not None:
        following[last] = following[last][:longest]
    return [
        Item(pieces=[element, *following[element]], number=number)
        for element, number in first.items()
        if not PINGBACK.search(names_of(element))
    ]


def _outermost(element: Element, starts: set[Element], scope: Sequence[Element]) -> Element:
    """The element around, where this is all that it holds."""
    around = element.getparent()
    if around is None or element in scope or around in scope or around in starts:
        return element
    # An anchor stands for what it stands in.
    if around.tag not in {"li", "tr"} and element.tag != "a":
        return element
    others = (one for one in around.iter() if one in starts and one is not element)
    return around if next(others, None) is None else element


def _following(element: Element, first: dict[Element, str]) -> list[Element]:
    """Siblings up to the next comment, where this element alone is not a whole comment."""
    if element.tag not in {"a", "dt"} and not _lacks(element):
        return []
    found = []
    for sibling in element.itersiblings():
        if not isinstance(sibling.tag, str) or sibling.tag in _ENDS or sibling.find(".//form") is not None:
            break
        if sibling in first or (
            sibling.tag != "dd" and any(one in first for one in islice(sibling.iter(), 200))
        ):
            break
        found.append(sibling)
        if len(found) > 8:  # a comment has a head, a body and a foot
            return []
    return found


def _lacks(element: Element) -> bool:
    """Whether no date is there, which stands in a sibling then."""
    return not any(shows_date(one) for one in islice(element.iter(), 500))


def _named(scope: Sequence[Element]) -> list[Item]:
    """Elements of the class that most of them have which are called comments."""
    by_class: dict[tuple[str, str], list[Element]] = {}
    for element in _within(scope):
        if element in scope and len(scope) == 1:
            continue
        for name in hyphened(element.get("class", "")).split():
            if ITEM.fullmatch(name):
                by_class.setdefault((element.tag, name), []).append(element)
    groups = [group for some in by_class.values() if not _are_links(group := _apart(some))]
    best = max(groups, key=lambda group: (_dated(group), len(group)), default=[])
    sound = [one for one in best if not PINGBACK.search(names_of(one))]
    return [Item(pieces=[one]) for one in sound[:MOST_ITEMS]]


def _apart(group: list[Element]) -> list[Element]:
    """Without those that only wrap one other of the group."""
    there = set(group)
    return [one for one in group if not (len(one) == 1 and one[0] in there)]


def _dated(group: Sequence[Element]) -> int:
    return sum(any(shows_date(part) for part in islice(one.iter(), 60)) for one in group[:200])


def _unnamed(scope: Sequence[Element]) -> list[Item]:
    """Siblings of which each has a date; or runs of them, of which each has one line with a date."""
    parent = max(_parents(scope), key=lambda one: len(one[1]), default=None)
    if parent is None or len(parent[1]) < _FEWEST_UNNAMED:
        return []
    children, dated = parent
    shapes = {(one.tag, one.get("class", "")) for one in dated}
    if len(shapes) > 2:  # odd and even
        return []
    runs = [[one] for one in dated] if all(map(_is_whole, dated)) else _runs(children, dated)
    if _are_links([one for run in runs for one in run]):
        return []
    return [Item(pieces=run, is_named=False) for run in runs[:MOST_ITEMS]]


def _are_links(group: Sequence[Element]) -> bool:
    """Whether most of them lead elsewhere, as lists of other articles do: by a heading, or with all words."""
    return 2 * sum(map(_leads_away, group)) > len(group)


def _leads_away(element: Element) -> bool:
    if any(one.find(".//a") is not None or one.getparent().tag == "a" for one in element.iter(*HEADINGS[:4])):  # type: ignore[union-attr] # below the element
        return True
    words = len("".join(map(str, element.itertext())).split())
    linked = sum(len("".join(map(str, one.itertext())).split()) for one in element.iter("a"))
    return words > _FEW_WORDS and linked > words / 2


def _parents(scope: Sequence[Element]) -> Iterator[tuple[list[Element], list[Element]]]:
    """Elements with the children that have exactly one date."""
    tops = [list(scope)] if len(scope) > 1 else []
    for children in (*tops, *(list(one) for one in islice(_within(scope), _MOST_PARENTS))):
        dated = [one for one in children if isinstance(one.tag, str) and _dates_in(one) == 1]
        if len(dated) >= _FEWEST_UNNAMED and not is_elsewhere(dated[0]):
            yield children, dated


def _dates_in(element: Element) -> int:
    return sum(shows_date(one) for one in islice(element.iter(), 60))


def _is_whole(element: Element) -> bool:
    """Whether there is more than a line with a name and a date."""
    words = one_line("".join(map(str, element.itertext()))).split()
    return len(element) > 1 and len(words) > 12  # "Posted by Ada Lovelace on May 5, 2026 at 5:05 pm"


def _runs(children: Sequence[Element], dated: Sequence[Element]) -> list[list[Element]]:
    """From one line with a date to the next; where the line stands below, from behind the last one."""
    there = set(dated)
    places = [place for place, one in enumerate(children) if one in there]
    is_head = places[0] == 0 or children[places[0] - 1].tag in HEADINGS or places[-1] < len(children) - 1
    if is_head:
        ends = [*places[1:], min(len(children), places[-1] + (places[-1] - places[-2]))]
        return [list(children[one:end]) for one, end in zip(places, ends, strict=True)]
    begins = [max(0, places[0] - (places[1] - places[0]) + 1), *(place + 1 for place in places[:-1])]
    return [list(children[begin : place + 1]) for begin, place in zip(begins, places, strict=True)]


def _linked(items: list[Item]) -> list[Item]:
    """Each knows where the others begin."""
    starts = {item.pieces[0] for item in items}
    for item in items:
        item.starts = starts
    return items
