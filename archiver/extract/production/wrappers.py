"""What was learned of a template: written down as a wrapper, and used on the next page in one pass."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from lxml import etree

from archiver.extract.dom import elements
from archiver.extract.model import Wrapper
from archiver.extract.production.blocks import INLINE, outline_of_element
from archiver.extract.production.phrases import ASIDE
from archiver.extract.production.selection import common_node, overlap, pairs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.extract.production.blocks import Block, Node, Outline
    from archiver.extract.production.hints import Hints
    from archiver.extract.production.templates import Signature

# A wrapper is used alone once this many pages have shown it; until then it is only compared.
ENOUGH_SAMPLES = 3
_MOST_SAMPLES = 20
_MOST_FURNITURE = 500
# How much of what a wrapper finds may be of types that it does not know.
_MOST_UNKNOWN = 0.08
# How much more text than ever before may stand beside the article: else a part of it may be there.
_MOST_OUTSIDE = 0.3
_LEAST_WORDS = 25
# A type is kept or dropped where that was so for nearly all of its words.
_CLEARLY = 0.9
# How far a wrapper must find the same as the full consensus did, for a page to count for it.
_PROVEN = 0.95
_PLAIN_TAG = re.compile(r"[a-z][a-z0-9.-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One page of a template whose article was found: what a wrapper is learned from."""

    page: str
    outline: Outline
    kept: Sequence[int]
    signature: Signature
    shared: frozenset[str]
    hints: Hints
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What a wrapper found on a page."""

    wrapper: Wrapper
    outline: Outline
    kept: Sequence[int]
    # In how far the page is what the wrapper knows.
    fit: float


def learn(lessons: Sequence[Lesson]) -> Wrapper | None:
    """The wrapper of one template's pages, proven on them; None where none of them bears it out."""
    nodes = [common_node(lesson.outline, lesson.kept) for lesson in lessons]
    paths = Counter(chain.from_iterable(dict.fromkeys(_paths(node)) for node in nodes))
    xpath = max(paths, key=lambda path: (paths[path], len(path), path))
    agreeing = [(lesson, node) for lesson, node in zip(lessons, nodes, strict=True) if xpath in _paths(node)]
    kept, dropped, mixed = _types([lesson for lesson, _ in agreeing], [node for _, node in agreeing])
    furniture = sorted({text_key(text) for lesson in lessons for text in lesson.shared})[:_MOST_FURNITURE]
    wrapper = Wrapper(
        id="",
        xpath=xpath,
        signature=tuple(sorted(frozenset.union(*(lesson.signature for lesson, _ in agreeing)))),
        kept=kept,
        dropped=dropped,
        mixed=mixed,
        outside=round(max(outside(lesson.outline, node) for lesson, node in agreeing), 3),
        furniture=tuple(furniture),
        samples=(),
        confidence=0.0,
    )
    return _proven(wrapper, [lesson for lesson, _ in agreeing])


def _proven(wrapper: Wrapper, lessons: Sequence[Lesson]) -> Wrapper | None:
    """The wrapper with the pages on which it finds what was found on them without it."""
    found = [(lesson, _agreement(wrapper, lesson)) for lesson in lessons]
    proven = [(lesson, agreed) for lesson, agreed in found if agreed >= _PROVEN]
    if not proven or 2 * len(proven) < len(found):
        return None
    sure = sum(lesson.confidence * agreed for lesson, agreed in proven) / len(proven)
    samples = sorted({lesson.page for lesson, _ in proven})[:_MOST_SAMPLES]
    return _named(replace(wrapper, samples=tuple(samples), confidence=round(sure, 4)))


def _agreement(wrapper: Wrapper, lesson: Lesson) -> float:
    applied = apply(wrapper, lesson.outline.nodes[0].element.getroottree().getroot(), lesson.hints)
    if applied is None:
        return 0.0
    return overlap(pairs_of(applied.outline, applied.kept), pairs_of(lesson.outline, lesson.kept))


def joined(old: Wrapper, new: Wrapper) -> Wrapper:
    """What two lessons of one template taught, together."""
    mixed = {*old.mixed, *new.mixed} | ({*old.kept} & {*new.dropped}) | ({*old.dropped} & {*new.kept})
    kept, dropped = {*old.kept, *new.kept} - mixed, {*old.dropped, *new.dropped} - mixed
    samples = sorted({*old.samples, *new.samples})[-_MOST_SAMPLES:]
    return _named(
        replace(
            new,
            signature=tuple(sorted({*old.signature, *new.signature})),
            kept=tuple(sorted(kept)),
            dropped=tuple(sorted(dropped)),
            mixed=tuple(sorted(mixed)),
            outside=max(old.outside, new.outside),
            furniture=tuple(sorted({*old.furniture, *new.furniture})[:_MOST_FURNITURE]),
            samples=tuple(samples),
        )
    )


def apply(wrapper: Wrapper, tree: Element, hints: Hints) -> Applied | None:
    """What the wrapper finds on a page; None where the page is not what it was learned from."""
    found = tried(wrapper, tree, hints)
    return found if isinstance(found, Applied) else None


def tried(wrapper: Wrapper, tree: Element, hints: Hints) -> Applied | str:
    """What the wrapper finds on a page, or why the page is not what it was learned from."""
    surveyed = _surveyed(elements(_compiled(wrapper.xpath), tree))
    if not surveyed:
        return "nothing is where the article was"
    outline, node = max(surveyed, key=lambda found: _plain_words(*found))
    beside = outside(outline, node)
    if beside > wrapper.outside + _MOST_OUTSIDE:
        return f"{beside:.1f} times as much text stands beside it as in it, {wrapper.outside:.1f} before"
    knowledge = _knowledge_of(wrapper)
    kept, words, unknown = [], 0, 0
    for place in _places(node):
        block = outline.blocks[place]
        is_furniture = bool(knowledge.furniture) and text_key(block.text) in knowledge.furniture
        if not is_furniture and knowledge.keeps(block):
            kept.append(place)
            words += len(block.words)
        if not is_furniture and block.node.type not in knowledge.known:
            unknown += len(block.words)
    if words < _LEAST_WORDS:
        return f"it finds no more than {words} words"
    if unknown > _MOST_UNKNOWN * words:
        return f"{unknown} of {words} words are in elements of types that it does not know"
    if not hints.is_met_by(list(chain.from_iterable(outline.blocks[place].words for place in kept))):
        return "what it finds is not what was announced"
    return Applied(wrapper=wrapper, outline=outline, kept=kept, fit=1 - unknown / words)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Knowledge:
    """What a wrapper says of blocks, ready to be asked for each of them."""

    kept: frozenset[str]
    dropped: frozenset[str]
    known: frozenset[str]
    furniture: frozenset[str]

    def keeps(self, block: Block) -> bool:
        """Whether a block that is no furniture is of the article."""
        kind, count = block.node.type, len(block.words)
        if kind in self.dropped:
            return False
        # What the template sometimes shows as text and sometimes not: told by itself.
        is_prose = 2 * block.linked < count and not (count < 15 and ASIDE.match(block.text))
        return is_prose or (count > 15 and kind in self.kept)


# As many wrappers as the channels that are extracted at one time may have.
@lru_cache(maxsize=256)
def _knowledge_of(wrapper: Wrapper) -> _Knowledge:
    kept, dropped = frozenset(wrapper.kept), frozenset(wrapper.dropped)
    return _Knowledge(
        kept=kept,
        dropped=dropped,
        known=kept | dropped | frozenset(wrapper.mixed),
        furniture=frozenset(wrapper.furniture),
    )


@lru_cache(maxsize=256)
def _compiled(xpath: str) -> etree.XPath:
    return etree.XPath(xpath)


def _surveyed(found: Sequence[Element]) -> list[tuple[Outline, Node]]:
    """Each element's node in the outline of what is around it: a part of the article may be beside it."""
    outlines: dict[Element, tuple[Outline, dict[Element, Node]]] = {}
    surveyed = []
    for element in found:
        around = _around(element)
        if around not in outlines:
            outline = outline_of_element(around)
            outlines[around] = outline, {node.element: node for node in outline.nodes}
        outline, nodes = outlines[around]
        if element in nodes:
            surveyed.append((outline, nodes[element]))
    return surveyed


def _around(element: Element) -> Element:
    """The closest element around that holds blocks; the element itself, where there is none."""
    return next((above for above in element.iterancestors() if above.tag not in INLINE), element)


def outside(outline: Outline, node: Node) -> float:
    """How many times as much text, not counting links, stands beside a node as in it."""
    inside = _plain_words(outline, node)
    around = node.parent or node
    return (_plain_words(outline, around) - inside) / (inside or 1)


def _places(node: Node) -> range:
    return range(node.start, node.end)


def _plain_words(outline: Outline, node: Node) -> int:
    return sum(outline.blocks[place].plain for place in _places(node))


def _types(lessons: Sequence[Lesson], nodes: Sequence[Node]) -> tuple[tuple[str, ...], ...]:
    """The types of blocks in the article's node: clearly of it, clearly not, and now this, now that."""
    kept: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for lesson, node in zip(lessons, nodes, strict=True):
        chosen = set(lesson.kept)
        for place in range(node.start, node.end):
            block = lesson.outline.blocks[place]
            if block.text not in lesson.shared:
                every[block.node.type] += len(block.words)
                kept[block.node.type] += len(block.words) * (place in chosen)
    clearly_kept = sorted(kind for kind in every if kept[kind] >= _CLEARLY * every[kind])
    clearly_dropped = sorted(kind for kind in every if kept[kind] <= (1 - _CLEARLY) * every[kind])
    mixed = sorted(every.keys() - {*clearly_kept, *clearly_dropped})
    return tuple(clearly_kept), tuple(clearly_dropped), tuple(mixed)


def _paths(node: Node) -> list[str]:
    """XPaths that lead to an element: by its own names, and by those of the closest elements around it."""
    own = _step(node.element)
    if "[" in own:
        return [f"//{_step(node.parent.element)}{_way(node)}{own}" if node.parent else f"//{own}", f"//{own}"]
    path, below = own, node
    while below.parent is not None:
        step = _step(below.parent.element)
        path, below = f"{step}{_way(below)}{path}", below.parent
        if "[" in step:
            break
    return [f"//{path}"]


def _way(node: Node) -> str:
    """From what is around a node to it: inline elements may stand between, which make no node."""
    is_child = node.parent is not None and node.element.getparent() is node.parent.element
    return "/" if is_child else "//"


def _step(element: Element) -> str:
    """A step of an XPath that holds over pages: the tag and the first name that has no digits in it."""
    # Pages have tags that no XPath can say.
    tag = element.tag if _PLAIN_TAG.fullmatch(element.tag) else "*"
    for attribute in ("class", "id", "itemprop", "role"):
        value = element.get(attribute) or ""
        name = next(filter(_is_steady, value.split()), None)
        if name is not None and name == value and attribute != "class":
            return f"{tag}[@{attribute}='{name}']"
        if name is not None:
            return f"{tag}[contains(concat(' ', normalize-space(@{attribute}), ' '), ' {name} ')]"
    return tag


def _is_steady(name: str) -> bool:
    return name.isprintable() and not any(one.isdigit() or one in "'\"" for one in name)


def text_key(text: str) -> str:
    """A text in few characters."""
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=6).hexdigest()


def _named(wrapper: Wrapper) -> Wrapper:
    """With a name that only depends on what it says."""
    said = "\n".join(
        (
            wrapper.xpath,
            *wrapper.kept,
            "",
            *wrapper.dropped,
            "",
            *wrapper.mixed,
            "",
            *wrapper.furniture,
            "",
            *wrapper.samples,
        )
    )
    return replace(wrapper, id=hashlib.blake2b(said.encode(errors="replace"), digest_size=8).hexdigest())
