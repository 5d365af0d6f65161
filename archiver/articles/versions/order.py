"""Whether paragraphs of an article changed places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.versions import related
from archiver.articles.versions.sequences import longest_rising
from archiver.articles.versions.views import Placed

if TYPE_CHECKING:
    from archiver.articles.versions.reading import Block
    from archiver.articles.versions.views import View


def moved_words(before: View, now: View) -> int:
    """How many words stand elsewhere in the article than they did.

    Only among blocks of one kind: where a redesign moves captions or boxes, paragraphs keep their order.
    """
    old, new = _order(before), _order(now)
    groups: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for key, (place, block) in old.items():
        if key in new:
            kind = before.path(block.node), now.path(new[key][1].node)
            groups.setdefault(kind, []).append((place, new[key][0], block.words))
    return sum(map(_moved, groups.values()))


def _moved(moves: list[tuple[int, int, int]]) -> int:
    """Of two that changed places either may be the one that moved: the shorter, whichever page came first."""
    back = [(new, old, words) for old, new, words in moves]
    return min(_moved_forward(sorted(moves)), _moved_forward(sorted(back)))


def _moved_forward(moves: list[tuple[int, int, int]]) -> int:
    stayed = set(longest_rising([place for _, place, _ in moves]))
    return sum(words for number, (_, _, words) in enumerate(moves) if number not in stayed)


def _order(view: View) -> dict[str, tuple[int, Block]]:
    """The blocks of the article and of beside it that stand on the page once, with their places."""
    found = {}
    for place, block in enumerate(view.blocks):
        placed = Placed(block=block, place=place)
        if view.page_keys[block.key] > 1 or block.linked >= related.LINKED:
            continue
        is_ours = block.key in view.keys or view.is_beside(placed, is_alone=True)
        if is_ours and not view.noise(placed):
            found[block.key] = (place, block)
    return found
