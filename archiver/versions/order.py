"""Whether paragraphs of an article changed places."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from archiver.versions import related
from archiver.versions.sequences import longest_rising
from archiver.versions.views import Placed

if TYPE_CHECKING:
    from archiver.versions.reading import Block
    from archiver.versions.views import View


def moved_words(before: View, now: View) -> int:
    """How many words stand elsewhere in the article than they did.

    Only among blocks of one kind: where a redesign moves captions or boxes, paragraphs keep their order.
    """
    old, new = _order(before), _order(now)
    groups: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for key, (place, block) in old.items():
        if key in new:
            kind = before.path(block.node), now.path(new[key][1].node)
            groups.setdefault(kind, []).append((place, new[key][0]))
    return sum(_moved(before, sorted(pairs)) for pairs in groups.values())


def _moved(view: View, pairs: list[tuple[int, int]]) -> int:
    stayed = set(longest_rising([place for _, place in pairs]))
    return sum(view.blocks[place].words for number, (place, _) in enumerate(pairs) if number not in stayed)


def _order(view: View) -> dict[str, tuple[int, Block]]:
    """The blocks of the article that stand on the page once, with their places."""
    counts = Counter(view.blocks[place].key for place in view.places)
    found = {}
    for place in view.places:
        block = view.blocks[place]
        is_once = counts[block.key] == 1 and block.linked < related.LINKED
        if is_once and not view.noise(Placed(block=block, place=place)):
            found[block.key] = (place, block)
    return found
