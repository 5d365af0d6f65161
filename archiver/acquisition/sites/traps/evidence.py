"""What the pages of a family gave, and whether more of them are asked for: pure functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class PageVerdict(StrEnum):
    """What a page added to what is known of a site."""

    FRESH = "fresh"
    LISTED = "listed"  # what is new on it announces other pages
    BARREN = "barren"  # hardly a word that no other page has
    NOTHING = "nothing"  # not one
    SAME = "same"  # as another page
    MISSING = "missing"  # there is none
    NEUTRAL = "neutral"  # it says nothing of its family


class FamilyState(StrEnum):
    TRIED = "tried"  # one page at a time, until one has something new
    GOOD = "good"
    DOUBTED = "doubted"  # one page at a time again
    ASLEEP = "asleep"


_WEIGHTS = {PageVerdict.BARREN: 1, PageVerdict.MISSING: 1, PageVerdict.NOTHING: 2, PageVerdict.SAME: 2}
# Nothing new so many times in a row, counted by weight: a family that never gave anything sleeps. One that
# did is given more, up to the second figure.
_LEAST, _MOST = 3, 20
# Of what is a copy by its name, one page that has nothing new confirms it.
_LEAST_OF_COPIES = 2
_DOUBT_LEAST, _DOUBT_MOST = 2, 8
# New lists of a family, with hardly any other, after which they are asked for like other pages.
_ENOUGH_LISTED = 20
# Of parameters on a path: one page without a new word.
_LEAST_OF_KIN = 2
# In a series, after which the pages behind are not asked for.
MOST_STALE = 2
# What sleeps is tried again when nothing else is left, once in so many requests; a family not before so many
# of its addresses wait, then not before there are several times as many.
_AGAIN_SHARE, _LEAST_AGAIN = 400, 2
FIRST_AGAIN, _AGAIN_FACTOR = 64, 4
# A parameter says nothing where pages were the same without it, or with another value, so many times.
_SAME_ENOUGH, _SAME_ENOUGH_RANDOM = 3, 1
_TRUST = 50  # times as often as they were not


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRecord:
    """What is known of a family of addresses, or of a parameter."""

    state: FamilyState = FamilyState.TRIED
    fresh: int = 0
    listed: int = 0
    barren: int = 0
    run: int = 0  # without anything new, by weight
    # Of a parameter: pages that were the same with another value, and that were not. Of all series of a site:
    # pages behind one that shows nothing that showed nothing as well, and those that did.
    same: int = 0
    differ: int = 0


def after(record: FamilyRecord, verdict: PageVerdict, *, is_copy: bool = False) -> FamilyRecord:
    """The record after one more page of the family; `is_copy`: it is one of copies, by its name."""
    if verdict is PageVerdict.NEUTRAL:
        return record
    if verdict is PageVerdict.FRESH:
        # One may be the page that says that there is none. What slept has to show two again: of the others,
        # many may be what another family has shown.
        was_asleep = record.state is FamilyState.ASLEEP
        is_good = not was_asleep and (record.fresh > 0 or record.state is FamilyState.GOOD)
        state = FamilyState.GOOD if is_good else FamilyState.TRIED
        return replace(record, fresh=record.fresh + 1, run=0, state=state)
    if verdict is PageVerdict.LISTED:
        return _after_list(replace(record, listed=record.listed + 1, run=0))
    run = record.run + _WEIGHTS[verdict]
    changed = replace(record, barren=record.barren + 1, run=run)
    return replace(changed, state=_state(changed, is_copy=is_copy))


def _after_list(record: FamilyRecord) -> FamilyRecord:
    """Lists of what other lists show as well are new as long as these were not read: they come later."""
    is_good = record.listed >= _ENOUGH_LISTED and record.barren * 4 <= record.listed
    if record.state is FamilyState.GOOD or is_good:
        return replace(record, state=FamilyState.GOOD)
    return replace(record, state=FamilyState.TRIED)


def _state(record: FamilyRecord, *, is_copy: bool) -> FamilyState:
    least = _LEAST_OF_COPIES if is_copy and not record.fresh else _LEAST
    if record.state is FamilyState.ASLEEP or record.run >= min(least + 2 * max(0, record.fresh - 1), _MOST):
        return FamilyState.ASLEEP
    doubt = min(_DOUBT_LEAST + record.fresh // 20, _DOUBT_MOST)
    if record.state is FamilyState.GOOD and record.run >= doubt:
        return FamilyState.DOUBTED
    return record.state


def stale_after(stale: int, verdict: PageVerdict) -> int:
    """How long a series has shown nothing new, after one more page of it."""
    return stale + _WEIGHTS.get(verdict, 0) if verdict not in {PageVerdict.FRESH, PageVerdict.LISTED} else 0


def ends_behind(record: FamilyRecord) -> bool:
    """Whether the series of a site end with the first page that shows nothing, by what was behind such."""
    return record.same > 0 and record.differ == 0


def is_gated(state: FamilyState) -> bool:
    """Whether its pages are asked for one at a time."""
    return state in {FamilyState.TRIED, FamilyState.DOUBTED}


def is_kin_suspected(record: FamilyRecord) -> bool:
    """Whether a larger family gave nothing, so that what the same parameters gave elsewhere counts."""
    return record.run >= _LEAST_OF_KIN and not (record.fresh or record.listed)


def is_kin_barren(record: FamilyRecord, *, elsewhere: int = 0) -> bool:
    """Whether so little of a larger family gave anything that others of it need no trial.

    `elsewhere` is the run of the same parameters on other paths. It takes a page of this one to confirm it.
    """
    run = record.run + (elsewhere if is_kin_suspected(record) else 0)
    return run >= 2 * (_LEAST + record.fresh + record.listed)


def is_mute(record: FamilyRecord, *, random: bool) -> bool:
    """Whether a parameter says nothing: pages are the same whatever its value."""
    enough = _SAME_ENOUGH_RANDOM if random else _SAME_ENOUGH
    return record.same >= enough and record.same >= _TRUST * record.differ


def tries_again(requests: int) -> int:
    """How many pages of sleeping families a crawl of so many requests may ask for."""
    return max(_LEAST_AGAIN, requests // _AGAIN_SHARE)


def next_again(known: int) -> int:
    """How many addresses of a sleeping family have to be known for the next try."""
    return known * _AGAIN_FACTOR
