"""A reading made ready to be compared: which blocks are of the article, beside it, or noise."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from archiver.articles.versions import boilerplate, stamps
from archiver.articles.versions.parts import Parts
from archiver.articles.versions.reading import ComparedBlock, key_of
from archiver.articles.versions.words import words_of
from archiver.lexicon import zone_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from archiver.articles.versions.reading import Reading
    from archiver.documents.pages.blocks import Node

# What extraction sets before the items of a list and the lines of a quotation.
_MARKER = re.compile(r"^(?:> ?)*\s*(?:- )?")
CELLS = frozenset({"td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "caption"})
_PARAGRAPHS = CELLS | {"p", "blockquote", "pre", "figcaption"}
# Shorter texts stand in many places by chance.
LEAST_CONTAINED = 5
LEAST_PROSE = 12
_NEAR = 3
# Of the article's words: no advertisement holds two paragraphs that are so much of it.
_LEAST_HELD = 0.25
_MOST_BEFORE = 40
# A line below the headline; it ends without a full stop.
_LEAST_STANDFIRST = 7
_MOST_LINKED = 30
_PAID = zone_names.BIT["promotion"]
_CAPTION = zone_names.BIT["caption"]
_NOTE = re.compile(
    r"\W*(?:correction|clarification|corrected|erratum|editor'?s?'? note|an earlier version|korrektur"
    r"|this (?:article|story|post|piece) (?:was|has been)|berichtigung|(?:anmerkung|hinweis) der redaktion"
    r"|rectificati(?:f|on|e)|correctif|note de la r|correcci[oó]n|fe de errat|nota del editor|correzione"
    r"|errata|nota d(?:el|o) |corre[cç]|rectificatie|correctie|rettelse|rättelse|исправлен|уточнен"
    r"|更正|訂正|정정)",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?…。！？:][\"')\]]*$")  # noqa: RUF001 - Chinese marks are meant


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A block, and where it stands; -1 where it is on no page, as the words of a feed are."""

    block: ComparedBlock
    place: int


class View:
    """One of the two captures."""

    def __init__(self, reading: Reading) -> None:
        self.article, self.page = reading.article, reading.page
        self.blocks = self.page.blocks
        self.lines = list(_lines(self.article.text))
        self.keys = frozenset(map(key_of, self.lines)) - {""}
        self.page_keys = Counter(block.key for block in self.blocks)
        self.headlines = frozenset(one.key for one in self.page.headlines)
        self.title = key_of(self.article.title or "")
        self.parts = Parts(self)
        self.boilerplate = boilerplate.NO_BOILERPLATE
        self.volatile: set[int] = set()  # places at which something else stands each time
        self._standing: dict[str, bool] = {}  # asked before: hostile pages repeat themselves
        self._zones: dict[Node | None, int] = {None: 0}

    @cached_property
    def text(self) -> str:
        """All of the page, and what the article has beyond it, as one key."""
        strange = (key for key in map(key_of, self.lines) if key not in self.page_keys)
        return key_of(" ".join([*(block.text for block in self.blocks), *strange]))

    @cached_property
    def article_text(self) -> str:
        return key_of(" ".join(self.lines))

    @cached_property
    def article_words(self) -> int:
        return sum(len(words_of(line)) for line in self.lines)

    @cached_property
    def places(self) -> list[int]:
        """Of the article's blocks on the page."""
        return [place for place, block in enumerate(self.blocks) if block.key in self.keys]

    @cached_property
    def span(self) -> tuple[int, int]:
        """From the first to the last of the article's longer blocks."""
        long = [place for place in self.places if self.blocks[place].words >= LEAST_PROSE] or self.places
        return (long[0], long[-1]) if long else (0, -1)

    @cached_property
    def reach(self) -> tuple[int, int]:
        """The same with what belongs to an article before and behind it: from its headline on."""
        first, last = self.span
        tops = range(max(0, first - _MOST_BEFORE), first)
        headline = next((place for place in tops if self.is_headline(self.blocks[place].key)), first - _NEAR)
        return min(headline, first - _NEAR), last + _NEAR

    def is_headline(self, key: str) -> bool:
        """Whether a text is the title, or the headline that the title is taken from."""
        if key == self.title:
            return True
        is_title = len(self.headlines) == 1 or (bool(self.title) and self.title in key)
        return key in self.headlines and is_title

    def stands(self, key: str) -> bool:
        """Whether a text stands on the page, in the same blocks or others."""
        if key in self.page_keys or key in self.keys:
            return True
        if key not in self._standing:
            self._standing[key] = _is_long(key) and _contains(self.text, key)
        return self._standing[key]

    def is_of_article(self, block: ComparedBlock) -> bool:
        if block.key in self.keys:
            return True
        return _is_long(block.key) and _contains(self.article_text, block.key)

    def strangers(self) -> Iterator[Placed]:
        """Lines of the article that are no block of the page."""
        for line in self.lines:
            key = key_of(line)
            if key and key not in self.page_keys and not _contains(self._page_text, key):
                yield Placed(
                    block=ComparedBlock(text=line, key=key, node=None, words=len(words_of(line))), place=-1
                )

    @cached_property
    def _page_text(self) -> str:
        return key_of(" ".join(block.text for block in self.blocks))

    @cached_property
    def spine(self) -> frozenset[Node]:
        """The elements that hold much of the article: what they are called says nothing of its parts."""
        words: Counter[Node] = Counter()
        paragraphs: Counter[Node] = Counter()
        for place in self.places:
            block = self.blocks[place]
            for node in above(block.node):
                words[node] += block.words
                paragraphs[node] += block.words >= LEAST_PROSE
        least = _LEAST_HELD * sum(self.blocks[place].words for place in self.places)
        return frozenset(
            node
            for node, held in words.items()
            if held > 2 * least or (held > least and paragraphs[node] > 1)
        )

    def zones_at(self, node: Node | None) -> int:
        """What the elements around say, other than those that hold most of the article."""
        inner = []
        while node not in self._zones and node not in self.spine:
            inner.append(node)
            node = node.parent if node else None
        found = self._zones.get(node, 0)
        for one in reversed(inner):
            if one is not None:
                found |= one.zones | (_PAID if one in self._paid else 0)
                self._zones[one] = found
        return found

    @cached_property
    def _paid(self) -> frozenset[Node]:
        """Elements in which a label says that they are paid for, whatever they are called."""
        labels = (block.node for block in self.blocks if boilerplate.is_advertisement(block.text))
        around = {node for label in labels for node in islice(above(label), 2)}
        return frozenset(around - self.spine)

    def tag(self, block: ComparedBlock) -> str:
        if block.node is None:
            return "p"
        # A cell that holds the article is there for the layout.
        return "div" if block.node in self.spine else block.node.tag

    @cached_property
    def _related(self) -> set[int]:
        return boilerplate.below_headings(self.blocks)

    def noise(self, placed: Placed) -> str:
        """Why a block is no part of what the article says; empty where it may be."""
        block = placed.block
        around = self.zones_at(block.node)
        if name := "volatile" if placed.place in self.volatile else zone_names.noise_in(around):
            return name
        if boilerplate.is_advertisement(block.text):
            return "promotion"
        if self._is_elsewhere(block):
            return "furniture"
        if placed.place in self._related or boilerplate.is_lead(block):
            return "related"
        tag = self.tag(block)
        is_marked = block.timed > 50 or bool(around & zone_names.BIT["stamp"])
        if stamps.is_stamp(block.text, is_marked=is_marked, is_cell=tag in CELLS):
            return "stamp"
        return "counter" if stamps.is_counter(block.text, is_bare=tag not in _PARAGRAPHS) else ""

    def _is_elsewhere(self, block: ComparedBlock) -> bool:
        """Whether other pages have a block too; paragraphs of articles are also told twice."""
        return (block.path, block.key) in self.boilerplate.blocks and block.path not in self._own_paths

    @cached_property
    def _own_paths(self) -> frozenset[str]:
        """Where paragraphs stand that no other page has."""
        known = self.boilerplate.blocks
        return frozenset(block.path for block in self._long if (block.path, block.key) not in known)

    @cached_property
    def _long(self) -> list[ComparedBlock]:
        """The article's longer blocks on the page."""
        found = map(self.blocks.__getitem__, self.places)
        return [block for block in found if block.words >= LEAST_PROSE]

    def is_beside(self, placed: Placed, *, is_alone: bool) -> bool:
        """Whether a block outside of what was extracted is likely a part of the article all the same.

        One that has a counterpart on the other page was rewritten where it stands; one that is alone must be
        like the article's own blocks, or say that it corrects them.
        """
        block = placed.block
        first, last = self.reach
        if self.zones_at(block.node) & zone_names.BESIDE:
            return False
        if not first <= placed.place <= last:
            return not is_alone and self._is_caption(block) and self._is_at_home(block.node)
        if self._is_caption(block) or _NOTE.match(block.text):
            return True
        if block.linked > _MOST_LINKED:
            return False
        if first < placed.place < self.span[0] and not is_alone and block.words >= _LEAST_STANDFIRST:
            return self.tag(block) in _PARAGRAPHS
        is_prose = block.words >= LEAST_PROSE and bool(_END.search(block.key))
        return is_prose and (not is_alone or block.path in self._paths)

    def is_among(self, placed: Placed) -> bool:
        """Whether a block stands between the article's, in an element like theirs."""
        is_between = bool(self.places) and self.places[0] < placed.place < self.places[-1]
        return is_between and placed.block.path in self._all_paths

    @cached_property
    def _all_paths(self) -> frozenset[str]:
        return frozenset(self.blocks[place].path for place in self.places)

    def _is_at_home(self, node: Node | None) -> bool:
        """Whether an element is within that which holds all of the article's paragraphs, and little else."""
        return self._home is not None and self._home in above(node)

    @cached_property
    def _home(self) -> Node | None:
        """The innermost element around the article's longer blocks that is not a paragraph."""
        around = [list(above(block.node)) for block in self._long]
        common = set(around[0]).intersection(*around[1:]) if around else set()
        held = (node for node in around[0] if node in common) if around else ()
        return next((node for node in held if node.tag not in _PARAGRAPHS), None)

    def _is_caption(self, block: ComparedBlock) -> bool:
        return any(node.zones & _CAPTION for node in islice(above(block.node), 2))

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(block.path for block in self._long)


def above(node: Node | None) -> Iterable[Node]:
    """A node and those around it, the outermost last."""
    return () if node is None else node.upwards()


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from (cell for cell in _MARKER.sub("", line).split("\t") if cell.strip())


def _is_long(key: str) -> bool:
    return len(key.split()) >= LEAST_CONTAINED or (not key.isascii() and len(key) > 4 * LEAST_CONTAINED)


def _contains(text: str, part: str) -> bool:
    """Whether a part stands in a text as whole words."""
    start = text.find(part)
    while start >= 0:
        around = text[max(0, start - 1) : start + 1], text[start + len(part) - 1 : start + len(part) + 1]
        if not any(len(pair) == 2 and pair.isalnum() for pair in around):
            return True
        start = text.find(part, start + 1)
    return False
