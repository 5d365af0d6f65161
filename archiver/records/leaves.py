"""What a record says, piece by piece: its texts in their order, each with where it stands."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.documents.pages.text import one_line
from archiver.lexicon.elements import CELLS
from archiver.records.trees import is_unseen, step_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

# What only changes how a part of a text looks, as long as it has no name.
_FORMATTING = frozenset(
    """
    b strong i em mark u font span br wbr sup sub small big tt code abbr acronym q nobr s del ins bdi
    """.split()  # noqa: SIM905 - as a list it is a page long
)
_INLINE = _FORMATTING | {"a", "cite", "time", "label", "img"}
_DEEPEST = 100  # below a record: what is deeper is one text
_PROSE = 8  # words of its own that make an element a text, whatever links are in it
_MOSTLY = 0.6
_LONGEST_LABEL = 40
_LABEL = re.compile(r"(?=.*[^\W\d]).{1,39}:")
_LABEL_TAGS = frozenset({"dt", "th", "label"})
_SEPARATORS = re.compile(r"[\W_]*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text of a record."""

    text: str
    kind: str  # steps within the record; of cells, with their number
    path: str  # an XPath from the record's first element
    element: Element  # that holds it
    itemprop: str = ""
    href: str = ""  # of the link that it stands in
    label: str = ""  # what stands before it and names it

    @property
    def is_label(self) -> bool:
        """True if the text only names what follows it."""
        if len(self.text) > _LONGEST_LABEL or not any(map(str.isalpha, self.text)):
            return False
        return _LABEL.fullmatch(self.text) is not None or self.element.tag in _LABEL_TAGS


@dataclass(frozen=True, slots=True)
class _Place:
    """An element on the way down, and what was met there."""

    element: Element
    kind: str
    path: str
    itemprop: str = ""
    href: str = ""
    depth: int = 0


def leaves_of(elements: Sequence[Element]) -> list[Leaf]:
    """The texts of a record that is made of one or several neighbours."""
    found: list[Leaf] = []
    for number, element in enumerate(elements):
        kind = step_of(element) if len(elements) > 1 else ""
        path = f"following-sibling::*[{number}]" if number else ""
        href = element.get("href", "") if element.tag == "a" else ""
        prop = element.get("itemprop", "")
        place = _Place(element=element, kind=kind, path=path, itemprop=prop, href=href)
        found += _below(place)
    return found


def _below(place: _Place) -> Iterator[Leaf]:
    if is_one_text(place.element) or place.depth >= _DEEPEST:
        text = seen_text(place.element)
        if text:
            yield _leaf(place, text)
        return
    yield from _parts(place)


def _leaf(place: _Place, text: str, step: str = "") -> Leaf:
    return Leaf(
        text=text,
        kind=_joined(place.kind, step),
        path=_joined(place.path, step) or ".",
        element=place.element,
        itemprop=place.itemprop,
        href=place.href or _only_link(place.element, step),
    )


def _parts(place: _Place) -> Iterator[Leaf]:
    """Runs of text and children in their order."""
    texts, tags, cells = 0, Counter[str](), 0
    if place.element.text:
        texts += 1
        yield from _run(place, place.element.text, texts)
    for child in place.element:
        if isinstance(child.tag, str):
            tags[child.tag] += 1
            cells += child.tag in CELLS
        if not is_unseen(child):
            yield from _below(_place_of(place, child, tags[child.tag], cells))
        if child.tail:
            texts += 1
            yield from _run(place, child.tail, texts)


def _run(place: _Place, text: str, number: int) -> Iterator[Leaf]:
    plain = one_line(text)
    if plain:
        yield _leaf(place, plain, f"text()[{number}]")


def _place_of(place: _Place, child: Element, number: int, cell: int) -> _Place:
    step = f"{child.tag}[{cell}]" if child.tag in CELLS else step_of(child)
    return _Place(
        element=child,
        kind=_joined(place.kind, step),
        path=_joined(place.path, f"{child.tag}[{number}]"),
        itemprop=child.get("itemprop", "") or place.itemprop,
        href=child.get("href", "") if child.tag == "a" else place.href,
        depth=place.depth + 1,
    )


def _joined(above: str, step: str) -> str:
    return f"{above}/{step}" if above and step else above or step


def _only_link(element: Element, step: str) -> str:
    """The address of the one link that a text is."""
    if step:
        return ""
    links = list(element.iter("a"))
    return links[0].get("href", "") if len(links) == 1 and seen_text(links[0]) else ""


def is_one_text(element: Element) -> bool:
    """True if an element is a text, with nothing in it that is one by itself."""
    if not len(element):
        return True
    own = [element.text or "", *(child.tail or "" for child in element)]
    words = sum(len(_WORD.findall(text)) for text in own)
    inner = list(element.iterdescendants("*"))
    if not words or _are_marks(own):
        return False
    if all(part.tag in _FORMATTING and not part.get("class") and not part.get("itemprop") for part in inner):
        return any(part.tag != "br" for part in inner) or not any(part.tag == "br" for part in inner)
    if words < _PROSE or not all(part.tag in _INLINE for part in inner):
        return False
    return words >= _MOSTLY * len(_WORD.findall(seen_text(element)))


def _are_marks(texts: Sequence[str]) -> bool:
    """True if texts between other parts only name or separate them."""
    return all(_SEPARATORS.fullmatch(text) or _LABEL.fullmatch(one_line(text)) for text in texts)


def seen_text(element: Element) -> str:
    """What readers see of it, on one line."""
    if not len(element):
        return one_line(element.text or "")
    return one_line("".join(_pieces(element)))


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if not is_unseen(child):
            if child.tag in _INLINE and child.tag != "br":
                yield from _pieces(child)
            else:
                yield " "
                yield from _pieces(child)
                yield " "
        yield child.tail or ""


def labelled(leaves: Sequence[Leaf], constants: frozenset[tuple[str, str]] = frozenset()) -> list[Leaf]:
    """The texts with the names that stand before them; a name holds for those of one kind that follow it."""
    found: list[Leaf] = []
    name: Leaf | None = None
    kind = ("", "")
    for leaf in leaves:
        its = (leaf.kind, leaf.itemprop)
        if _SEPARATORS.fullmatch(leaf.text):
            found.append(leaf)
        elif leaf.is_label or (leaf.kind, leaf.text) in constants:
            name, kind = leaf if _may_name(leaf) else None, ("", "")
            found.append(leaf)
        elif name is not None and kind in (("", ""), its) and _is_near(name.element, leaf):
            kind = its
            found.append(replace(leaf, label=name.text))
        else:
            name = None
            found.append(leaf)
    return found


def _may_name(leaf: Leaf) -> bool:
    return len(leaf.text) <= _LONGEST_LABEL and any(map(str.isalpha, leaf.text))


def _is_near(label: Element, leaf: Leaf) -> bool:
    """True if a text stands in the same element as its label, or in the one after it."""
    above = label if leaf.element is label else label.getparent()
    if above is None:
        return False
    return leaf.element is above or any(one is above for one in leaf.element.iterancestors())


def plain_label(text: str) -> str:
    return text.strip().rstrip(":").strip()


def is_sure_label(text: str) -> bool:
    """True if a text can be nothing but a name; `by` stands before values as part of a sentence."""
    return text.rstrip().endswith(":") or text[:1].isupper()
