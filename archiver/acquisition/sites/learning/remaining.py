"""What a crawl would leave behind if it ended: lists that show little may still lead to something.

Towards the end of a small site, a list of its categories shows a new page now and then: less than a request
is worth, and yet a few hundredths of the site. So a kind of lists that has led to pages with text is read on
until what may be behind the rest of it is less than a two-hundredth of the site, if there are few enough of
them. On a large site that is the case at once. Of pages that the site itself names in a sitemap no handful is
left. And pages that say a little that is new, such as those that introduce the chapters of a manual, are
asked for where they are few beside all that was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.labels import REST, SITEMAP, TAIL
from archiver.acquisition.sites.learning.values import WINDOW
from archiver.acquisition.sites.traps.forms import Rank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.acquisition.sites.learning.model import LabelRecord
    from archiver.acquisition.sites.learning.values import LabelValues

# The share of a site's text that may be left behind one kind of lists.
_LOSS = 0.005
# For all of them, requests against those that were made before.
_MOST_SHARE = 0.25
# How many pages of lists are asked for at once.
_AT_ONCE = 4
# Of a kind of pages in a sitemap; and for all of them, requests against those that were made before.
_HANDFUL, _HANDFUL_SHARE = 3, 0.01
# Of what a page usually brings, what the last pages of a kind bring that is asked for as it is little work:
# all that is left of it, against the requests that were made. Of a small site lists are read on instead.
_LITTLE, _LITTLE_WORK, _LARGE_SITE = 0.05, 0.05, 2000


def left_behind(records: Sequence[LabelRecord], values: LabelValues, requests: int) -> list[tuple[int, int]]:
    """The kinds of links of which more is asked for, though they hardly pay, and how many of each."""
    spent = sum(one.again for one in records)
    few = [one for one in records if one.path == SITEMAP and 0 < one.waiting <= _HANDFUL]
    if few and spent < _HANDFUL_SHARE * requests:
        one = min(few, key=lambda one: (one.waiting, one.id))
        return [(one.id, one.waiting)]
    room = int(_MOST_SHARE * (requests - spent)) - spent
    found = _list_behind_which_most_is(records, values, room)
    if found is None and requests >= _LARGE_SITE:
        found = _little_work(records, values, int(_LITTLE_WORK * requests) - spent)
    return [] if found is None else [(found.id, min(_AT_ONCE, found.waiting))]


def _list_behind_which_most_is(
    records: Sequence[LabelRecord], values: LabelValues, room: int
) -> LabelRecord | None:
    """Of the kinds of lists that can be read on with so many requests, the one that may lead to most."""
    least = _LOSS * sum(one.gained for one in records)
    worth = {one.id: one.gained / one.fetched for one in records if one.fetched}
    leading = {one.source for one in records if worth.get(one.id, 0.0) >= values.least}
    behind: list[tuple[float, int, LabelRecord]] = []
    for one in records:
        if one.id in leading and _may_be_read_on(one):
            pages, led = _seen(one, worth, values)
            most = one.waiting * (led + values.usual) / (pages + 1)
            # If none of them leads to anything, so many are asked for until little may be left.
            needed = (one.waiting * values.usual - least * (pages + 1)) / (values.usual + least)
            if most >= least and needed <= room:
                behind.append((most, -one.id, one))
    return max(behind, key=lambda three: three[:2])[2] if behind else None


def _little_work(records: Sequence[LabelRecord], values: LabelValues, room: int) -> LabelRecord | None:
    """Of the kinds of pages that still say something new, the one that says most."""
    worth = {
        one.id: sum(one.gains) / WINDOW
        for one in records
        if len(one.gains) >= WINDOW and _may_be_read_on(one) and one.waiting <= room
    }
    best = max(
        (one for one in records if one.id in worth), key=lambda one: (worth[one.id], -one.id), default=None
    )
    return best if best is not None and worth[best.id] >= _LITTLE * values.usual else None


def _may_be_read_on(record: LabelRecord) -> bool:
    is_one_kind = record.path not in {TAIL, REST}
    return bool(record.waiting) and is_one_kind and record.rank <= Rank.PAGES and not record.is_last


def _seen(record: LabelRecord, worth: Mapping[int, float], values: LabelValues) -> tuple[int, float]:
    """How many pages of a kind were seen since one led to anything; what the last ones led to."""
    led = sum(
        many * worth[label]
        for page in record.leads
        for label, many in page
        if worth.get(label, 0.0) >= values.least
    )
    # Pages that were asked for like this and led nowhere are no longer among the last ones.
    return len(record.leads) + (0 if led else max(0, record.again - WINDOW)), led
