"""What a choice must not lack: text that the feed itself carries, and lists in mid-article without links.

What it must not have is taken out before, so that what the feed carries comes back.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from archiver.articles.methods.article.decisions import is_tag_row, vetoed
from archiver.articles.methods.article.pruning import pruned
from archiver.documents.pages.dom import is_comments_zone
from archiver.documents.pages.text import plain
from archiver.documents.pages.words import tokens
from archiver.lexicon.class_names import BIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.articles.methods.article.consensus import Verdict
    from archiver.articles.methods.article.hints import Hints
    from archiver.documents.pages.blocks import Block, Node, Outline

# Shorter ones may stand in any text: they must follow there on what is kept, by so many words.
_TELLING = 5
_CONTEXT = 3
_LISTS = frozenset({"ul", "ol", "dl"})
_FIGURES = frozenset({"figure", "figcaption", "caption"})


def completed(outline: Outline, kept: Sequence[int], content: str | None, hints: Hints) -> Sequence[int]:
    """The chosen blocks without those that certainly are not of the article, and with others that are."""
    listed = {*kept, *_lists_between(outline, set(kept), hints)}
    chosen = pruned(outline, kept if len(listed) == len(kept) else sorted(listed))
    found = {*chosen}
    if content and found:
        _Carried(outline, found, content, hints).add()
    return chosen if len(found) == len(chosen) else sorted(found)


def completed_verdict(verdict: Verdict, outline: Outline, content: str | None, hints: Hints) -> Verdict:
    kept = completed(outline, verdict.winner.kept, content, hints)
    return verdict if kept is verdict.winner.kept else verdict.revised(outline, kept)


def _lists_between(outline: Outline, kept: set[int], hints: Hints) -> Iterator[int]:
    """The lists in mid-article of which no item is a link, whatever the lists of other pages hold."""
    lists = [node for node in outline.nodes if node.tag in _LISTS and _is_between(node, kept)]
    refused = vetoed(outline, hints, frozenset()) if lists else ()
    for node in lists:
        places = range(node.start, node.end)
        if not any(place in refused or outline.blocks[place].linked for place in places):
            yield from places


def _is_between(node: Node, kept: set[int]) -> bool:
    """Whether a list is not kept, and what stands around it in the same element is."""
    if node.start == node.end or node.start - 1 not in kept or node.end not in kept or node.start in kept:
        return False
    around = node.parent
    return around is not None and around.start < node.start and around.end > node.end


class _Carried:
    """The blocks of a page whose words stand in the entry's full content."""

    def __init__(self, outline: Outline, found: set[int], content: str, hints: Hints) -> None:
        self._blocks = outline.blocks
        self._found = found
        self._said = _line(tokens(plain(content)))
        self._hints = hints
        self._pairs = set(chain.from_iterable(pairwise(outline.blocks[place].words) for place in found))

    def add(self) -> None:
        places = [place for place in range(len(self._blocks)) if place not in self._found]
        for place in places:
            words = self._blocks[place].words
            is_new = not self._pairs.issuperset(pairwise(words))
            if len(words) >= _TELLING and is_new and self._is_carried(place, words):
                self._found.add(place)
                self._pairs.update(pairwise(words))
        for order, step in ((places, -1), (places[::-1], 1)):
            for place in order:
                if place not in self._found and place + step in self._found:
                    self._add_beside(place, step)

    def _add_beside(self, place: int, step: int) -> None:
        context: list[str] = []
        beside, words = place + step, [*self._blocks[place].words]
        while beside in self._found and len(context) < _CONTEXT:
            more = self._blocks[beside].words
            context = [*more, *context] if step < 0 else [*context, *more]
            beside += step
        line = [*context[-_CONTEXT:], *words] if step < 0 else [*words, *context[:_CONTEXT]]
        if self._is_carried(place, line):
            self._found.add(place)

    def _is_carried(self, place: int, words: Sequence[str]) -> bool:
        return _line(words) in self._said and not self._is_refused(self._blocks[place])

    def _is_refused(self, block: Block) -> bool:
        """Captions, tags, links and the headline are told elsewhere; what readers quote is theirs."""
        if 2 * block.linked >= len(block.words) or is_tag_row(block) or self._hints.is_title(block.words):
            return True
        above = block.node.upwards()
        is_theirs = any(one.tag in _FIGURES or is_comments_zone(one.element) for one in above)
        return is_theirs or bool(block.node.kinds & BIT["media"])


def _line(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "
