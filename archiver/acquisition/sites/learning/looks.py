"""Lists that a later crawl looks at again: which of them, and for how long.

What is new on a site mostly stands at the beginnings of its lists, and in several of them: in one by topic,
in one by author, in one that has all. So kinds of lists are looked at one after the other, the smallest
first, each until it shows nothing that is not known. Where one kind is read, a list of another kind with what
has come since, all of it known, says that nothing is missing. One on which nothing has changed says little.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from archiver.acquisition.sites.learning.labels import AGAIN, LOOKED_AT_AGAIN, ONWARD
from archiver.acquisition.sites.traps.forms import series_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.sites.learning.model import LabelRecord

# How many unknown things are expected of a kind of lists before one was looked at, in pages: for any, and in
# addition for the one that has led to all before.
_HOPE, _HOPE_OF_ALL = 0.5, 2.0
# How many unchanged pages a page with known news counts for where one large kind of lists is read, which may
# have all; and how much an unchanged page of another kind of lists counts.
_COVERED, _ELSEWHERE = 3.0, 0.25
_LARGE_SHARE = 0.1
# Below this chance that a page shows something unknown, no more are looked at.
_LEAST_CHANCE = 1 / 6


class Age(StrEnum):
    """Since when an item is known that a list shows."""

    UNKNOWN = "unknown"  # until now
    RECENT = "recent"  # since this crawl began
    OLD = "old"


class ListedItem(NamedTuple):
    path: str  # of the link
    age: Age


class ListLook(StrEnum):
    """What a page of a list showed."""

    FRESH = "fresh"  # something unknown
    COVERED = "covered"  # what has come since, all of which others have shown
    IDLE = "idle"  # nothing that has come since


def look_of(items: Sequence[ListedItem]) -> ListLook:
    ages = {one.age for one in items}
    if Age.UNKNOWN in ages:
        return ListLook.FRESH
    return ListLook.COVERED if Age.RECENT in ages else ListLook.IDLE


def goes_on(items: Sequence[ListedItem]) -> bool:
    """Whether the page behind this one may show something unknown as well.

    It does if the last item is new. Where old items stand above new ones, the list is not in the order of
    time, and what is new may stand anywhere.
    """
    if look_of(items) is not ListLook.FRESH:
        return False
    (path, _), *_ = Counter(one.path for one in items).most_common(1)
    ages = [one.age for one in items if one.path == path]
    return ages[-1] is not Age.OLD or (ages[0] is Age.OLD and Age.UNKNOWN in ages)


def next_page(url: str, further: Sequence[str]) -> str | None:
    """Of the further pages that a page leads to, the one behind it."""
    here = series_of(url)
    places = {one: place for one in further if (place := series_of(one)) is not None}
    behind = {
        one: place
        for one, place in places.items()
        if here is None
        or (place.before, place.after) != (here.before, here.after)
        or place.place > here.place
    }
    if behind:
        return min(behind, key=lambda one: behind[one].place)
    return next((one for one in further if one not in places), None)


def next_list(records: Sequence[LabelRecord]) -> LabelRecord | None:
    """The kind of lists of which one is looked at next; None: what is new is known, as far as can be told."""
    known = [one for one in records if one.path in LOOKED_AT_AGAIN]
    waiting = [one for one in known if one.path == AGAIN and one.waiting > 0]
    smallest = sorted(waiting, key=lambda one: (one.waiting + one.fetched, one.id))
    return next((one for one in smallest if _chance(one, known) >= _LEAST_CHANCE), None)


def _chance(record: LabelRecord, known: Sequence[LabelRecord]) -> float:
    """How likely one more page of a kind of lists shows something unknown."""
    covered, idle = sum(one.covered for one in known), sum(one.idle for one in known)
    is_read = any(_is_read(one) and _share(one, known) >= _LARGE_SHARE for one in known)
    against = record.idle + _ELSEWHERE * (idle - record.idle) + (_COVERED if is_read else 1) * covered
    hope = _HOPE + _HOPE_OF_ALL * _share(record, known)
    return (record.fresh + hope) / (record.fresh + against + 1)


def _share(record: LabelRecord, known: Sequence[LabelRecord]) -> float:
    """The share of all that lists have led to, in all crawls."""
    return record.found / max(1, sum(one.found for one in known))


def _is_read(record: LabelRecord) -> bool:
    """Whether lists of a kind are read: all of them, or their further pages as far as these show news."""
    return record.fetched > 0 and (record.path == ONWARD or not record.waiting)
