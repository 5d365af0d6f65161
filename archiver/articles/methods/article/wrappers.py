"""What was learned of a template, used on the next page in one pass."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from lxml import etree

from archiver.articles.methods.article.decisions import is_named_aside, is_tag_row
from archiver.documents.pages.blocks import outline_of_element
from archiver.documents.pages.dom import UNSEEN, elements
from archiver.lexicon.boilerplate import ASIDE
from archiver.lexicon.elements import INLINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.article.hints import Hints
    from archiver.articles.model import Wrapper
    from archiver.documents.pages.blocks import Block, Node, Outline

# A wrapper is used alone once this many pages have shown it; until then it is only compared.
ENOUGH_SAMPLES = 3
# How much of what a wrapper finds may be of types that it does not know.
_MOST_UNKNOWN = 0.08
# How much more text than ever before may stand beside the article: else a part of it may be there.
_MOST_OUTSIDE = 0.3
# A short text is believed if it has to do with what was announced, a very short one never.
_LEAST_WORDS, _FEW_WORDS = 25, 10
# Of several elements where the article may be, those with less of the text than this are not looked into.
_MUCH = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What a wrapper found on a page."""

    wrapper: Wrapper
    outline: Outline
    kept: Sequence[int]
    # In how far the page is what the wrapper knows.
    fit: float


def apply(wrapper: Wrapper, tree: Element, hints: Hints) -> Applied | None:
    """What the wrapper finds on a page; None where the page is not what it was learned from."""
    found = tried(wrapper, tree, hints)
    return found if isinstance(found, Applied) else None


def tried(wrapper: Wrapper, tree: Element, hints: Hints) -> Applied | str:
    """What the wrapper finds on a page, or why the page is not what it was learned from."""
    return _judged(wrapper, _surveyed(_places_of(wrapper, tree)), hints)


def tried_on(
    wrapper: Wrapper, outline: Outline, nodes: Mapping[Element, Node], hints: Hints
) -> Applied | str:
    """The same on a page whose outline is there, with its nodes by their elements."""
    found = _places_of(wrapper, outline.nodes[0].element.getroottree().getroot())
    return _judged(wrapper, [(outline, nodes[one]) for one in found if one in nodes], hints)


def _places_of(wrapper: Wrapper, tree: Element) -> list[Element]:
    return [one for one in elements(_compiled(wrapper.xpath), tree) if not _is_unseen(one)]


def _judged(wrapper: Wrapper, surveyed: Sequence[tuple[Outline, Node]], hints: Hints) -> Applied | str:
    if not surveyed:
        return "nothing is where the article was"
    outline, node = max(surveyed, key=lambda found: _plain_words(*found))
    beside = outside(node.element)
    if beside > wrapper.outside + _MOST_OUTSIDE:
        return f"{beside:.1f} times as much text stands beside it as in it, {wrapper.outside:.1f} before"
    knowledge = _knowledge_of(wrapper)
    kept, words, unknown = [], 0, 0
    for place in _places(node):
        block = outline.blocks[place]
        is_furniture = bool(knowledge.furniture) and text_key(block.text) in knowledge.furniture
        if not is_furniture and knowledge.keeps(block, node):
            kept.append(place)
            words += len(block.words)
        if not is_furniture and block.node.type not in knowledge.known:
            unknown += len(block.words)
    text = list(chain.from_iterable(outline.blocks[place].words for place in kept))
    if words < (_FEW_WORDS if hints.is_touched_by(text) else _LEAST_WORDS):
        return f"it finds no more than {words} words"
    if unknown > _MOST_UNKNOWN * words:
        return f"{unknown} of {words} words are in elements of types that it does not know"
    if not hints.is_met_by(text):
        return "what it finds is not what was announced"
    return Applied(wrapper=wrapper, outline=outline, kept=kept, fit=1 - unknown / words)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Knowledge:
    """What a wrapper says of blocks, ready to be asked for each of them."""

    kept: frozenset[str]
    dropped: frozenset[str]
    known: frozenset[str]
    furniture: frozenset[str]

    def keeps(self, block: Block, around: Node) -> bool:
        """Whether a block of the article's element that is no furniture is of the article."""
        kind, count = block.node.type, len(block.words)
        if kind in self.dropped or is_tag_row(block):
            return False
        # Of what it has never seen, names tell.
        if kind not in self.known and any(map(is_named_aside, _within(around, block.node))):
            return False
        # What the template sometimes shows as text and sometimes not: told by itself.
        is_prose = 2 * block.linked < count and not (count < 15 and ASIDE.match(block.text))
        return is_prose or (count > 15 and kind in self.kept)


def _within(around: Node, node: Node) -> Iterator[Node]:
    """The node and those above it, up to another one."""
    return takewhile(lambda one: one is not around, node.upwards())


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
    """Each element as an outline and its first node; inline elements make none."""
    outlines = [outline_of_element(one) for one in _fullest(found) if one.tag not in INLINE]
    return [(outline, outline.nodes[0]) for outline in outlines]


def _is_unseen(element: Element) -> bool:
    return any(above.tag in UNSEEN for above in element.iterancestors())


def _fullest(found: Sequence[Element]) -> list[Element]:
    """Of several elements those that may have the most words; where links are, they may be fewer."""
    if len(found) < 2:
        return [*found]
    sizes = [_letters(one) for one in found]
    return [one for one, size in zip(found, sizes, strict=True) if size >= _MUCH * max(sizes)]


def outside(element: Element) -> float:
    """How many times as much text, not counting links, stands beside an element as in it."""
    branch, around = element, element.getparent()
    while around is not None and around.tag in INLINE:
        branch, around = around, around.getparent()
    if around is None:
        return 0.0
    beside = sum(_plain_letters(one) for one in around if one is not branch and one.tag not in UNSEEN)
    between = (around.text, *(one.tail for one in around))
    return (beside + sum(len("".join(text.split())) for text in between if text)) / (
        _plain_letters(element) or 1
    )


def _plain_letters(element: Element) -> int:
    """How long a text is without links and what no reader sees; not by blocks, which would take long."""
    left_out = sum(map(_letters, element.iter("a", *UNSEEN)))
    return max(0, _letters(element) - left_out)


def _letters(element: Element) -> int:
    text = etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    return len("".join(text.split()))


def _places(node: Node) -> range:
    return range(node.start, node.end)


def _plain_words(outline: Outline, node: Node) -> int:
    return sum(outline.blocks[place].plain for place in _places(node))


def text_key(text: str) -> str:
    """A text in few characters."""
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=6).hexdigest()
