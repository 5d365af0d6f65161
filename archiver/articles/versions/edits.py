"""Which blocks of an article were added, removed or rewritten, and which only seem to be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.versions import stamps
from archiver.articles.versions.boilerplate import LINKED
from archiver.articles.versions.reading import key_of
from archiver.articles.versions.views import CELLS, LEAST_PROSE, Placed
from archiver.articles.versions.words import count_changes, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.articles.versions.reading import ComparedBlock
    from archiver.articles.versions.views import View

# How much two blocks must have in common to be one that was rewritten.
LEAST_ALIKE = 0.4
# A line beside the article that is longer says more than a number.
MOST_COUNTED = 20
# Of pages that have nothing in common, so many blocks are paired.
MOST_PAIRED = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A block that was added, removed or, with both, rewritten."""

    before: Placed | None
    now: Placed | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What changed in the text, and what does not count: its names, and its places on both pages."""

    edits: tuple[Edit, ...]
    noise: tuple[str, ...]
    ignored: tuple[frozenset[int], frozenset[int]]

    def counts(self) -> tuple[int, int]:
        """Words added and removed."""
        pairs = [(_words(edit.before), _words(edit.now)) for edit in self.edits]
        counted = [count_changes(before, now) for before, now in pairs]
        return sum(added for added, _ in counted), sum(removed for _, removed in counted)


def edits_between(before: View, now: View) -> Edits:
    """The edits of the text, titles left out: they are a kind of their own."""
    found = [(edit, _why_not(edit, before, now)) for edit in _paired(before, now)]
    edits = [edit for edit, reason in found if reason is None]
    lists = _lists_of_links(edits)
    noise = [reason for _, reason in found if reason] + (["related"] if lists else [])
    ignored = [edit for edit, reason in found if reason] + lists
    return Edits(
        edits=tuple(edit for edit in edits if edit not in lists),
        noise=tuple(sorted(set(noise))),
        ignored=(
            frozenset(edit.before.place for edit in ignored if edit.before),
            frozenset(edit.now.place for edit in ignored if edit.now),
        ),
    )


def _missing(view: View, other: View) -> list[Placed]:
    """Blocks of the one page that are no block of the other."""
    placed = [Placed(block=block, place=place) for place, block in enumerate(view.blocks)]
    found = [one for one in placed if is_missing(one.block, view, other)]
    return [*found, *(one for one in view.strangers() if one.block.key not in other.page_keys)]


def is_missing(block: ComparedBlock, view: View, other: View) -> bool:
    """Whether a block of the one page is no block of the other."""
    return block.key not in other.page_keys or _is_fewer(block, view, other)


def _is_fewer(block: ComparedBlock, view: View, other: View) -> bool:
    """Whether the article lost a paragraph of which the page has a copy elsewhere."""
    is_lost = block.words >= LEAST_PROSE and block.key in view.keys and block.key not in other.keys
    return is_lost and view.page_keys[block.key] > other.page_keys[block.key]


def _paired(before: View, now: View) -> list[Edit]:
    """The blocks that have most in common are one that was rewritten."""
    gone, come = _missing(before, now), _missing(now, before)
    edits, used, taken = [], set(), set()
    for _, _, left, right in sorted(_scores(before, gone, now, come), reverse=True):
        if left not in used and right not in taken:
            used.add(left)
            taken.add(right)
            edits.append(Edit(before=gone[left], now=come[right]))
    left_over = [one for place, one in enumerate(gone) if place not in used]
    others = [one for place, one in enumerate(come) if place not in taken]
    return edits + _in_place(left_over, before, others, now)


def _in_place(gone: Sequence[Placed], before: View, come: Sequence[Placed], now: View) -> list[Edit]:
    """Items and cells that became others between the same neighbours; the rest came or went alone."""
    found = {place: one for one in come if (place := _between(one, now))}
    edits = [Edit(before=one, now=found.pop(_between(one, before), None)) for one in gone]
    paired = {edit.now.place for edit in edits if edit.now}
    return edits + [Edit(before=None, now=one) for one in come if one.place not in paired]


def _between(placed: Placed, view: View) -> tuple[str, ...]:
    """Between what an item of a list or a cell of a table stands; nothing for other blocks."""
    place, blocks = placed.place, view.blocks
    if place < 0 or view.tag(placed.block) not in CELLS:
        return ()
    return tuple(blocks[one].key if 0 <= one < len(blocks) else "" for one in (place - 1, place + 1))


def _scores(
    before: View, gone: Sequence[Placed], now: View, come: Sequence[Placed]
) -> Iterator[tuple[float, int, int, int]]:
    """How much two blocks have in common, where one of them may be of the article."""
    old, new = _weighed(before, gone), _weighed(now, come)
    for left, words, is_old in old:
        for right, others, is_new in new:
            score = _alike(words, others) if is_old or is_new else 0.0
            if score >= LEAST_ALIKE:
                yield score, -abs(left - right), left, right


def _weighed(view: View, placed: Sequence[Placed]) -> list[tuple[int, Counter[str], bool]]:
    """Places, words, and whether they may be of the article: of both sorts only so many."""
    ours = [view.is_of_article(one.block) or view.is_beside(one, is_alone=False) for one in placed]
    chosen = [
        place
        for sort in (True, False)
        for place in [place for place, is_ours in enumerate(ours) if is_ours is sort][:MOST_PAIRED]
    ]
    return [(place, Counter(words_of(placed[place].block.text)), ours[place]) for place in chosen]


def _alike(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    if 2 * min(one.total(), other.total()) < LEAST_ALIKE * total:
        return 0.0
    return 2 * (one & other).total() / total


def _why_not(edit: Edit, before: View, now: View) -> str | None:
    """Why an edit is none: the name of the noise, empty where it is not of the article; None if it counts."""
    sides = [(view, one) for view, one in ((before, edit.before), (now, edit.now)) if one is not None]
    if _only_parted(edit, before, now) or all(view.is_headline(one.block.key) for view, one in sides):
        return ""
    is_ours = any(view.is_of_article(one.block) for view, one in sides)
    if len(sides) == 1 and sides[0][0].parts.is_boxed(sides[0][1].block.node):
        return "box"
    is_ours = is_ours or _is_in_list(edit, before, now)
    if not is_ours and not all(view.is_beside(one, is_alone=len(sides) == 1) for view, one in sides):
        return ""
    # Beside an article numbers count: visits, issues, days.
    if not is_ours and _is_recounted(edit, MOST_COUNTED):
        return "counter"
    names = filter(None, (view.noise(one) for view, one in sides))
    return next(names, None) or _wobble(edit)


def _is_in_list(edit: Edit, before: View, now: View) -> bool:
    """Whether something changed in a list or table of the article that both pages have."""
    sides = [(edit.before, before, now), (edit.now, now, before)]
    return all(view.parts.is_kept(one, other) for one, view, other in sides if one)


def _only_parted(edit: Edit, before: View, now: View) -> bool:
    """Whether the words stand on both pages, and only other borders are drawn between them."""
    old, new = edit.before, edit.now
    is_gone = old is not None and (not now.stands(old.block.key) or _is_fewer(old.block, before, now))
    is_new = new is not None and (not before.stands(new.block.key) or _is_fewer(new.block, now, before))
    return not is_gone and not is_new


def _wobble(edit: Edit) -> str | None:
    """What differs within a block that is otherwise the same: how long ago it was."""
    if edit.before is None or edit.now is None:
        return None
    one, other = edit.before.block, edit.now.block
    if key_of(stamps.timeless(one.text)) == key_of(stamps.timeless(other.text)):
        return "stamp"
    # What leads to the comments below counts them.
    return "counter" if one.jumps and other.jumps and _is_recounted(edit) else None


def _is_recounted(edit: Edit, most: int = stamps.MOST_COUNT_WORDS) -> bool:
    if edit.before is None or edit.now is None:
        return False
    return stamps.is_recounted(edit.before.block.text, edit.now.block.text, most)


def _lists_of_links(edits: Sequence[Edit]) -> list[Edit]:
    """Blocks that are links and came, went or became others together: they are made for every reader."""
    found = [edit for edit in edits if all(_is_link(one) for one in (edit.before, edit.now) if one)]
    return found if len(found) > 1 else []


def _is_link(placed: Placed) -> bool:
    return placed.block.linked >= LINKED


def _words(placed: Placed | None) -> list[str]:
    return words_of(placed.block.text) if placed else []
