"""Which blocks of an article were added, removed or rewritten, and which only seem to be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.versions import related, stamps
from archiver.versions.reading import key_of
from archiver.versions.views import Placed
from archiver.versions.words import count_changes, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.versions.views import View

# How much two blocks must have in common to be one that was rewritten.
LEAST_ALIKE = 0.4
# Of pages that have nothing in common, so many blocks are paired.
MOST_PAIRED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A block that was added, removed or, with both, rewritten."""

    before: Placed | None
    now: Placed | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What changed in the text, and the names of what does not count."""

    edits: tuple[Edit, ...]
    noise: tuple[str, ...]

    def counts(self) -> tuple[int, int]:
        """Words added and removed."""
        pairs = [(_words(edit.before), _words(edit.now)) for edit in self.edits]
        counted = [count_changes(before, now) for before, now in pairs]
        return sum(added for added, _ in counted), sum(removed for _, removed in counted)


def edits_between(before: View, now: View) -> Edits:
    """The edits of the text, titles left out: they are a kind of their own."""
    gone = _missing(before, now)
    come = _missing(now, before)
    noise: list[str] = []
    edits = []
    for edit in _paired(gone, come):
        reason = _why_not(edit, before, now)
        if reason is None:
            edits.append(edit)
        elif reason:
            noise.append(reason)
    edits, rotated = _without_rotation(edits)
    noise += rotated
    return Edits(edits=tuple(edits), noise=tuple(dict.fromkeys(noise)))


def _missing(view: View, other: View) -> list[Placed]:
    """Blocks of the one page that are no block of the other."""
    placed = [Placed(block=block, place=place) for place, block in enumerate(view.blocks)]
    found = [one for one in placed if one.block.key not in other.page_keys]
    return [*found, *(one for one in view.strangers() if one.block.key not in other.page_keys)]


def _paired(gone: Sequence[Placed], come: Sequence[Placed]) -> list[Edit]:
    """The blocks that have most in common are one that was rewritten."""
    old = [Counter(words_of(one.block.text)) for one in gone[:MOST_PAIRED]]
    new = [Counter(words_of(one.block.text)) for one in come[:MOST_PAIRED]]
    scores = [
        (score, -abs(left - right), left, right)
        for left, words in enumerate(old)
        for right, others in enumerate(new)
        if (score := _alike(words, others)) >= LEAST_ALIKE
    ]
    edits, used, taken = [], set(), set()
    for _, _, left, right in sorted(scores, reverse=True):
        if left not in used and right not in taken:
            used.add(left)
            taken.add(right)
            edits.append(Edit(before=gone[left], now=come[right]))
    edits += [Edit(before=one, now=None) for place, one in enumerate(gone) if place not in used]
    edits += [Edit(before=None, now=one) for place, one in enumerate(come) if place not in taken]
    return edits


def _alike(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    if 2 * min(one.total(), other.total()) < LEAST_ALIKE * total:
        return 0.0
    return 2 * (one & other).total() / total


def _why_not(edit: Edit, before: View, now: View) -> str | None:
    """Why an edit is none: the name of the noise, empty where it is not of the article; None if it counts."""
    is_pair = edit.before is not None and edit.now is not None
    sides = [(view, one) for view, one in ((before, edit.before), (now, edit.now)) if one is not None]
    if _only_parted(edit, before, now) or _is_title(edit, before, now):
        return ""
    is_ours = any(view.is_of_article(one.block) for view, one in sides)
    if not is_ours and not all(view.is_beside(one, strict=not is_pair) for view, one in sides):
        return ""
    for view, one in sides:
        if name := view.noise(one):
            return name
    return _wobble(edit) if is_pair else None


def _only_parted(edit: Edit, before: View, now: View) -> bool:
    """Whether the words stand on both pages, and only other borders are drawn between them."""
    is_gone = edit.before is not None and not now.stands(edit.before.block.key)
    is_new = edit.now is not None and not before.stands(edit.now.block.key)
    return not is_gone and not is_new


def _is_title(edit: Edit, before: View, now: View) -> bool:
    sides = ((before, edit.before), (now, edit.now))
    known = [(view, one.block.key) for view, one in sides if one is not None]
    return all(key == key_of(view.article.title or "") for view, key in known)


def _wobble(edit: Edit) -> str | None:
    """What differs within a block that is otherwise the same: how long ago it was."""
    assert edit.before is not None and edit.now is not None  # noqa: S101, PT018 - asked of pairs only
    old, new = edit.before.block.text, edit.now.block.text
    return "stamp" if key_of(stamps.timeless(old)) == key_of(stamps.timeless(new)) else None


def _without_rotation(edits: Sequence[Edit]) -> tuple[list[Edit], list[str]]:
    """Without links that took the place of other links: such lists are made anew for every reader."""
    gone = [edit for edit in edits if edit.now is None and _is_link(edit.before)]
    come = [edit for edit in edits if edit.before is None and _is_link(edit.now)]
    if not gone or not come:
        return list(edits), []
    rotated = {id(edit) for edit in (*gone, *come)}
    return [edit for edit in edits if id(edit) not in rotated], ["related"]


def _is_link(placed: Placed | None) -> bool:
    return placed is not None and placed.block.linked >= related.LINKED


def _words(placed: Placed | None) -> list[str]:
    return words_of(placed.block.text) if placed else []
