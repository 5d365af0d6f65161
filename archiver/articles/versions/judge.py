"""Two captures of one article: did the article change, or only the page around it?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.articles.versions.edits import edits_between
from archiver.articles.versions.model import PARTS, Change, Judgement, Spot
from archiver.articles.versions.order import moved_words
from archiver.articles.versions.references import changed_images, changed_links
from archiver.articles.versions.titles import is_title_changed
from archiver.articles.versions.views import View
from archiver.articles.versions.volatile import joined, mark, spots_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.articles.versions.edits import Edits
    from archiver.articles.versions.furniture import Furniture
    from archiver.articles.versions.reading import Reading

# How many of the blocks that stayed must stand in elements of other types.
_MOST_STAYED = 0.5
_LEAST_BLOCKS = 2


def judge(
    before: Reading,
    now: Reading,
    furniture: Callable[[], Furniture] | None = None,
    *,
    volatile: tuple[Spot, ...] = (),
    is_moment_later: bool = False,
) -> Judgement:
    """What changed in the article. Both captures were read by the same method with the same memory.

    What other pages of the site have too is asked for only where something changed. What differs between two
    captures a moment apart changes by itself.
    """
    old, new = View(before), View(now)
    known = mark(old, new, volatile) if volatile else ()
    judgement = _judged(old, new)
    if judgement.change is not None and furniture is not None:
        old.furniture = new.furniture = furniture()
        judgement = _judged(old, new)
    if judgement.change is not None and is_moment_later:
        found = spots_of(old, new, edits_between(old, new))
        # To mark them is to have seen them: what they hold now is still to be looked at.
        mark(old, new, [replace(one, seen="-") for one in found])
        known, judgement = joined(known, found), _judged(old, new)
    return judgement if known == volatile else replace(judgement, volatile=known)


def _judged(old: View, new: View) -> Judgement:
    edits = edits_between(old, new)
    moved = moved_words(old, new)
    is_changed = {
        "title": is_title_changed(old, new),
        "text": bool(edits.edits) or moved > 0,
        "links": changed_links(old, new, edits),
        "images": changed_images(old, new),
    }
    kinds = tuple(part for part in PARTS if is_changed[part])
    return Judgement(
        change=_change(kinds, edits, moved, old, new) if kinds else None,
        is_template_change=is_template_change(old, new),
        noise=edits.noise,
    )


def _change(kinds: tuple[str, ...], edits: Edits, moved: int, old: View, new: View) -> Change:
    added, removed = edits.counts()
    added, removed = added + moved, removed + moved
    total = old.article_words + new.article_words
    # Words beside what was extracted may be more than all that was.
    similarity = max(0.0, 1 - (added + removed) / total) if total else 1.0
    return Change(kinds=kinds, similarity=round(similarity, 4), added=added, removed=removed)


def is_template_change(before: View, now: View) -> bool:
    old, new = _paths(before), _paths(now)
    common = old.keys() & new.keys()
    if len(common) < min(_LEAST_BLOCKS, len(old)) or not common:
        return False
    same = sum(old[key] == new[key] for key in common)
    return same < _MOST_STAYED * len(common)


def _paths(view: View) -> dict[str, str]:
    return {view.blocks[place].key: view.path(view.blocks[place].node) for place in view.places}
