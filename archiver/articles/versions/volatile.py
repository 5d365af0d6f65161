"""Lines that change by themselves: a tip of the day or a random quotation in the midst of an article.

They are found by two captures a moment apart, of an article that had changed at each look before. What is
remembered is the spot: between which blocks, in which kinds of elements.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.articles.versions.edits import is_missing
from archiver.articles.versions.model import Spot

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from archiver.articles.versions.edits import Edits
    from archiver.articles.versions.views import View

# Of a page: one on which more changes by itself is not an article.
_MOST_SPOTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Blocks in a row that are not on the other page."""

    places: tuple[int, ...]
    spot: Spot

    @property
    def around(self) -> tuple[str, str]:
        return self.spot.before, self.spot.after


def mark(old: View, new: View, known: Sequence[Spot]) -> tuple[Spot, ...]:
    """Make noise of what changed at known spots; the spots as they are known after it."""
    before, now = _by_place(old, new), _by_place(new, old)
    kept: list[Spot] = []
    for spot in known:
        around = (spot.before, spot.after)
        gone, come = before.get(around), now.get(around)
        if come is None and gone is None:
            kept.append(spot)
        elif _seen(come) != spot.seen:
            kept.append(replace(spot, seen=""))
        # Otherwise it stayed since it was seen: an edit like any other.
    # A spot may be told twice: with something in it, and with something else or nothing.
    shapes = {(one.before, one.after, one.paths) for one in kept}
    for around in before.keys() | now.keys():
        runs = [run for run in (before.get(around), now.get(around)) if run is not None]
        if all((*around, run.spot.paths) in shapes for run in runs):
            old.volatile |= set(before[around].places if around in before else ())
            new.volatile |= set(now[around].places if around in now else ())
    return tuple(kept)


def spots_of(old: View, new: View, edits: Edits) -> tuple[Spot, ...]:
    """Where two captures a moment apart differ in what they say."""
    changed = (
        {edit.before.place for edit in edits.edits if edit.before},
        {edit.now.place for edit in edits.edits if edit.now},
    )
    before, now = _by_place(old, new), _by_place(new, old)
    around = {
        run.around
        for runs, places in zip((before, now), changed, strict=True)
        for run in runs.values()
        if places & set(run.places)
    }
    found = []
    for place in sorted(around):
        seen = _seen(now.get(place))
        shapes = dict.fromkeys(runs[place].spot.paths for runs in (before, now) if place in runs)
        found += [Spot(before=place[0], after=place[1], paths=paths, seen=seen) for paths in shapes]
    return tuple(found[:_MOST_SPOTS])


def joined(known: Sequence[Spot], found: Sequence[Spot]) -> tuple[Spot, ...]:
    """The newest last, and only so many."""
    fresh = {(one.before, one.after, one.paths) for one in found}
    kept = [one for one in known if (one.before, one.after, one.paths) not in fresh]
    return (*kept, *found)[-_MOST_SPOTS:]


def _seen(run: _Run | None) -> str:
    """What stands at a spot; nothing is something, too."""
    return run.spot.seen if run is not None else _digest([])


def _by_place(view: View, other: View) -> dict[tuple[str, str], _Run]:
    """The runs by what is around them; those that are not told apart by it are left out."""
    found: dict[tuple[str, str], _Run] = {}
    twice = set()
    for run in _runs(view, other):
        if run.around in found:
            twice.add(run.around)
        found[run.around] = run
    return {around: run for around, run in found.items() if around not in twice}


def _runs(view: View, other: View) -> Iterator[_Run]:
    places: list[int] = []
    for place, block in enumerate(view.blocks):
        if is_missing(block, view, other):
            places.append(place)
        elif places:
            yield _run(view, places)
            places = []
    if places:
        yield _run(view, places)


def _run(view: View, places: Sequence[int]) -> _Run:
    def key(place: int) -> str:
        return view.blocks[place].key if 0 <= place < len(view.blocks) else ""

    return _Run(
        places=tuple(places),
        spot=Spot(
            before=_digest([key(places[0] - 1)]),
            after=_digest([key(places[-1] + 1)]),
            paths=tuple(view.blocks[place].path for place in places),
            seen=_digest([key(place) for place in places]),
        ),
    )


def _digest(keys: Collection[str]) -> str:
    """Short: a spot is kept with each page that has one."""
    return hashlib.blake2b("\n".join(keys).encode(), digest_size=8).hexdigest()
