"""Whether two documents of a feed leave a gap between them: identity decides, dates only help."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.digests import normalised
from archiver.documents.feeds.dates import written_day

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from archiver.documents.feeds.model import FeedEntry

# So many dated entries tell in which order a document stands.
_ENOUGH = 3
# Of so many entries, more than this share must have other words: else only their names have changed.
_SAME_WORDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An entry of a document: whether it was known before the document came, and its date."""

    known: bool
    at: datetime | None = None


def moment_of(entry: FeedEntry) -> datetime | None:
    """When an entry says that it was published; a date without an hour is taken for the day's end."""
    stamp = entry.published or entry.updated
    if stamp is None:
        return None
    if stamp.utc is not None:
        return stamp.utc
    day = written_day(stamp.text)
    return datetime.combine(day, time.max, tzinfo=UTC) if day else None


def is_too_old(at: datetime | None, floor: datetime | None) -> bool:
    return at is not None and floor is not None and at < floor


def overlaps(document: Sequence[Shown]) -> bool:
    """True if a document goes back to what was known; an entry that is pinned to its top does not count."""
    known = [place for place, one in enumerate(document) if one.known]
    if not known:
        return False
    new = [place for place, one in enumerate(document) if not one.known]
    if not new or known[-1] > new[0]:
        return True
    # All that is known stands above all that is new: pinned, or a document that has its oldest entries first.
    return not _newest_first([document[place].at for place in new])


def _newest_first(dates: Sequence[datetime | None]) -> bool:
    told = [date for date in dates if date is not None]
    pairs = list(pairwise(told))
    falling = sum(first > second for first, second in pairs)
    rising = sum(first < second for first, second in pairs)
    return len(told) >= _ENOUGH and falling > rising


def is_gap(
    document: Sequence[FeedEntry],
    new: Collection[int],
    *,
    known_words: Collection[str],
    shown_before: int | None,
) -> bool:
    """True if everything in a document is new, though entries of its channel were known.

    `new` has the places of the new entries, `known_words` the words of those that were known (see
    `words_of`), and `shown_before` how many the last document had, where that is remembered.
    """
    # A feed that was empty has not pushed anything out since.
    if not document or not new or not known_words or shown_before == 0:
        return False
    shown = [Shown(known=place not in new, at=moment_of(entry)) for place, entry in enumerate(document)]
    if overlaps(shown):
        return False
    words = [words_of(document[place]) for place in new]
    same = sum(one in known_words for one in words if one)
    return same <= _SAME_WORDS * len(new)


def words_of(entry: FeedEntry) -> str:
    """What tells an entry whose id and link are others at every poll: its title and its date."""
    stamp = entry.published or entry.updated
    text = entry.title or entry.summary or entry.content
    return normalised(f"{text} {stamp.text if stamp else ''}") if text else ""
