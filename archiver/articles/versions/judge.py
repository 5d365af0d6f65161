"""Two captures of one article: did the article change, or only the page around it?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.articles.versions.boilerplate import LINKED
from archiver.articles.versions.edits import edits_between
from archiver.articles.versions.model import PARTS, Change, Judgement, Spot
from archiver.articles.versions.reading import key_of
from archiver.articles.versions.references import changed_images, changed_links
from archiver.articles.versions.sequences import longest_rising
from archiver.articles.versions.views import Placed, View
from archiver.articles.versions.volatile import joined, mark, spots_of
from archiver.articles.versions.words import plain_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.articles.versions.boilerplate import Boilerplate
    from archiver.articles.versions.edits import Edits
    from archiver.articles.versions.reading import ComparedBlock, Headline, Reading

_SEPARATOR = re.compile("[|\u00b7\u2022:-]")

# How many of the blocks that stayed must stand in elements of other types.
_MOST_STAYED = 0.5
_LEAST_BLOCKS = 2


def judge(
    before: Reading,
    now: Reading,
    boilerplate: Callable[[], Boilerplate] | None = None,
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
    if judgement.change is not None and boilerplate is not None:
        old.boilerplate = new.boilerplate = boilerplate()
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
    return {view.blocks[place].key: view.blocks[place].path for place in view.places}


def moved_words(before: View, now: View) -> int:
    """How many words stand elsewhere in the article than they did.

    Only among blocks of one kind: where a redesign moves captions or boxes, paragraphs keep their order.
    """
    old, new = _order(before), _order(now)
    groups: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for key, (place, block) in old.items():
        if key in new:
            kind = block.path, new[key][1].path
            groups.setdefault(kind, []).append((place, new[key][0], block.words))
    return sum(map(_moved, groups.values()))


def _moved(moves: list[tuple[int, int, int]]) -> int:
    """Of two that changed places either may be the one that moved: the shorter, whichever page came first."""
    back = [(new, old, words) for old, new, words in moves]
    return min(_moved_forward(sorted(moves)), _moved_forward(sorted(back)))


def _moved_forward(moves: list[tuple[int, int, int]]) -> int:
    stayed = set(longest_rising([place for _, place, _ in moves]))
    return sum(words for number, (_, _, words) in enumerate(moves) if number not in stayed)


def _order(view: View) -> dict[str, tuple[int, ComparedBlock]]:
    """The blocks of the article and of beside it that stand on the page once, with their places."""
    found = {}
    for place, block in enumerate(view.blocks):
        placed = Placed(block=block, place=place)
        if view.page_keys[block.key] > 1 or block.linked >= LINKED:
            continue
        is_ours = block.key in view.keys or view.is_beside(placed, is_alone=True)
        if is_ours and not view.noise(placed):
            found[block.key] = (place, block)
    return found


def is_title_changed(before: View, now: View) -> bool:
    """Whether readers see another title: the chosen one, or the headline in its place."""
    old, new = before.title, now.title
    is_other = old != new and not _is_same_but_for_site(old, new, before, now)
    return (is_other and not _is_flipped(old, new, before, now)) or _is_headline_changed(before, now)


def _is_flipped(old: str, new: str, before: View, now: View) -> bool:
    """Whether both titles stand on both pages, or the headline that readers see is as it was."""
    if new in before.page.titles and old in now.page.titles:
        return True
    stayed = before.headlines & now.headlines
    return old in stayed or new in stayed


def _is_same_but_for_site(old: str, new: str, before: View, now: View) -> bool:
    shorter, longer = sorted((old, new), key=len)
    sites = {"".join(plain_words(site)) for site in (*before.page.sites, *now.page.sites)}
    cuts = [match.span() for match in _SEPARATOR.finditer(longer)]
    parts = [(longer[:start], longer[end:]) for start, end in cuts]
    pairs = [*parts, *((tail, head) for head, tail in parts)]
    return any(key_of(title) == shorter and "".join(plain_words(rest)) in sites for title, rest in pairs)


def _is_headline_changed(before: View, now: View) -> bool:
    """Whether another headline stands where the title did, while machines may be told the same as before."""
    return any(
        before.is_headline(old.key)
        and old.path == new.path
        and not _is_same_but_for_site(old.key, new.key, before, now)
        for old, new in _replaced(before, now)
    )


def _replaced(before: View, now: View) -> list[tuple[Headline, Headline]]:
    """Headlines that are on one page only, in their order, where as many came as went."""
    gone = [one for one in before.page.headlines if one.key not in now.headlines]
    come = [one for one in now.page.headlines if one.key not in before.headlines]
    return list(zip(gone, come, strict=True)) if len(gone) == len(come) else []
