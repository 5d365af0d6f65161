"""Changes of a template, the same on all pages of a site: seven kinds of edits, drawn by a seed.

Half of the edits strike what is around a value, its labels included; the others anything on the page.
"""

from __future__ import annotations

import copy
import hashlib
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

# How far above a value an edit may strike.
_LEVELS = 6
_SWAPPED = ("div", "section", "span")
_LONGEST_LABEL = 40
_PATH = re.compile(r"(/[a-z][a-z0-9]*(\[\d+\])?)+")
# Elements that can be wrapped, or can have something before them, without breaking a table or a list.
_LOOSE = frozenset({
    "div", "section", "span", "p", "a", "b", "strong", "em", "h1", "h2", "h3", "h4", "ul", "ol", "dl",
    "table", "img", "font", "label", "form", "fieldset", "center",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """One kind of change, done to all that the name or the path of an element says."""

    kind: str
    # Of an element: an attribute and its value, or its place on the page; of a label, its text.
    by: str
    value: str
    mark: str


def edits_of(
    trees: Sequence[Element], golds: Sequence[Mapping[str, Sequence[str]]], count: int, seed: str
) -> list[Edit]:
    """The edits of a site, drawn from its pages before the change."""
    draw = random.Random(seed)
    found: list[Edit] = []
    for number in range(100 * count):
        page = draw.randrange(len(trees))
        near = number % 2 == 0
        target = _near_value(trees[page], golds[page], draw) if near else _anywhere(trees[page], draw)
        kind = draw.choice(list(KINDS))
        edit = _edit(kind, target, draw) if target is not None else None
        if edit is not None and edit not in found:
            found.append(edit)
        if len(found) == count:
            break
    return found


def _near_value(tree: Element, gold: Mapping[str, Sequence[str]], draw: random.Random) -> Element | None:
    values = {" ".join(one.split()) for one in draw.choice(list(gold.values()) or [[]])}
    holding = [one for one in _seen(tree) if values & set(_own_texts(one))]
    if not holding:
        return None
    node: Element = draw.choice(holding)
    for _ in range(draw.randrange(_LEVELS)):
        around = node.getparent()
        if around is None or around.tag in ("body", "html"):
            break
        node = around
    return node


def _anywhere(tree: Element, draw: random.Random) -> Element | None:
    seen = list(_seen(tree))
    return draw.choice(seen) if seen else None


def _seen(tree: Element) -> Iterator[Element]:
    body = tree.find("body")
    for one in body.iterdescendants("*") if body is not None else ():
        if one.tag not in ("script", "style", "noscript", "option", "br"):
            yield one


def _own_texts(element: Element) -> list[str]:
    texts = [element.text, *(child.tail for child in element)]
    return [" ".join(text.split()) for text in texts if text and text.strip()]


def _edit(kind: str, target: Element, draw: random.Random) -> Edit | None:
    mark = f"{draw.randrange(16**6):06x}"
    if kind == "rename a class":
        words = (target.get("class") or "").split()
        return Edit(kind, "class", draw.choice(words), mark) if words else None
    if kind == "drop an id":
        node: Element | None = target
        while node is not None and not node.get("id"):
            node = node.getparent()
        return Edit(kind, "id", node.get("id", ""), mark) if node is not None else None
    if kind == "suffix a label":
        label = _label_before(target)
        return Edit(kind, "text", label, mark) if label else None
    fits = {"swap tags": _SWAPPED, "wrap": _LOOSE, "advertise": _LOOSE}.get(kind)
    if fits is not None and target.tag not in fits:
        return None
    by, value = _name(target)
    # A path through a tag such as `fb:like` cannot be followed.
    return None if by == "path" and not _PATH.fullmatch(value) else Edit(kind, by, value, mark)


def _label_before(target: Element) -> str:
    before = list(target.itersiblings(preceding=True))
    around = target.getparent()
    for node in (*before, *(around.itersiblings(preceding=True) if around is not None else ())):
        text = " ".join("".join(map(str, node.itertext())).split())
        if 1 < len(text) <= _LONGEST_LABEL:
            return text
    return ""


def _name(element: Element) -> tuple[str, str]:
    words = (element.get("class") or "").split()
    if words:
        return "class", words[0]
    return "path", element.getroottree().getpath(element)


def changed(tree: Element, edits: Sequence[Edit]) -> Element:
    """A copy of a page after the edits."""
    made = copy.deepcopy(tree)
    for edit in edits:
        for element in _struck(made, edit):
            KINDS[edit.kind](element, edit)
    return made


def _struck(tree: Element, edit: Edit) -> list[Element]:
    if edit.by == "path":
        found = tree.getroottree().xpath(edit.value)
        return [one for one in found if etree.iselement(one)] if isinstance(found, list) else []
    if edit.by == "class":
        return [one for one in _seen(tree) if edit.value in (one.get("class") or "").split()]
    if edit.by == "id":
        return [one for one in tree.iter("*") if one.get("id") == edit.value]
    return [one for one in _seen(tree) if edit.value in _own_texts(one)]


def _wrap(element: Element, edit: Edit) -> None:
    around = element.getparent()
    if around is None or element.tag not in _LOOSE:
        return
    tag = "span" if element.tag in ("span", "a", "b", "strong", "em", "img", "font", "label") else "div"
    wrapper = etree.Element(tag, {"class": f"w-{edit.mark}"})
    around.replace(element, wrapper)
    wrapper.tail, element.tail = element.tail, None
    wrapper.append(element)


def _advertise(element: Element, edit: Edit) -> None:
    around = element.getparent()
    if around is None or element.tag not in _LOOSE:
        return
    slot = etree.Element("div", {"class": f"promo-{edit.mark}"})
    link = etree.SubElement(slot, "a", {"href": "/offers"})
    link.text = "Sponsored: our offers of the week"
    around.insert(around.index(element), slot)


def _swap(element: Element, _: Edit) -> None:
    if element.tag in _SWAPPED:
        element.tag = _SWAPPED[(_SWAPPED.index(element.tag) + 1) % len(_SWAPPED)]


def _rename(element: Element, edit: Edit) -> None:
    digest = hashlib.sha256(f"{edit.value}{edit.mark}".encode()).hexdigest()[:6]
    words = (element.get("class") or "").split()
    element.set("class", " ".join(f"css-{digest}" if one == edit.value else one for one in words))


def _drop_id(element: Element, _: Edit) -> None:
    del element.attrib["id"]


def _move(element: Element, _: Edit) -> None:
    """To the end of what it stands in, with the text behind it."""
    around = element.getparent()
    if around is not None and len(around) > 1:
        around.append(element)


def _suffix(element: Element, edit: Edit) -> None:
    if element.text and " ".join(element.text.split()) == edit.value:
        element.text = f"{element.text.rstrip()} *"
    for child in element:
        if child.tail and " ".join(child.tail.split()) == edit.value:
            child.tail = f"{child.tail.rstrip()} *"


KINDS: Mapping[str, Callable[[Element, Edit], None]] = {
    "wrap": _wrap,
    "advertise": _advertise,
    "swap tags": _swap,
    "rename a class": _rename,
    "drop an id": _drop_id,
    "move a column": _move,
    "suffix a label": _suffix,
}
