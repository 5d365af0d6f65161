"""Dates held against each other and against what was seen: which agreed, which moved, which stood still."""

from __future__ import annotations

from collections import Counter, defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING

from archiver.documents.times.model import INFERRED, What

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from archiver.documents.times.model import Evidence, Source, Stamp, Times


class DateVerdict(StrEnum):
    """What came of a date. The values are columns of the state store."""

    AGREED = "agreed"  # another source says the same; or it moved with an edit
    CONTRADICTED = "contradicted"  # it was refused, or others say something else
    MOVED = "moved"  # it moved although the article is as it was
    STOOD = "stood"  # it stood still although the article was edited


# How often each came of what a source says of a publication or of a change.
Verdicts = Counter[tuple[What, "Source", DateVerdict]]


def verdicts_of_times(times: Times) -> Verdicts:
    """Who agrees with whom in the times of a new version."""
    found: Verdicts = Counter()
    for what, stamp in ((What.PUBLISHED, times.published), (What.MODIFIED, times.modified)):
        if stamp is not None:
            found += _of_stamp(what, stamp)
    for one in times.refused:
        found[one.what, one.source, DateVerdict.CONTRADICTED] += 1
    return Counter({key: count for key, count in found.items() if key[1] not in INFERRED})


def _of_stamp(what: What, stamp: Stamp) -> Verdicts:
    found: Verdicts = Counter()
    stated = [one for one in stamp.agrees if one not in INFERRED]
    if stamp.agrees:
        found.update((what, one, DateVerdict.AGREED) for one in {stamp.source, *stated})
    against = {(one.what, one.source) for one in stamp.contradicted_by}
    found.update((theirs, one, DateVerdict.CONTRADICTED) for theirs, one in against)
    return found


def change_dates(evidence: Iterable[Evidence]) -> dict[Source, str]:
    """What each source says of the last change, as text to compare: the latest where it says several."""
    found: defaultdict[Source, list[str]] = defaultdict(list)
    for one in evidence:
        if one.what is What.MODIFIED and (stamp := one.at or one.day) is not None:
            found[one.source].append(stamp.isoformat())
    return {source: max(stamps) for source, stamps in found.items()}


def verdicts_of_look(before: Mapping[str, str], now: Mapping[Source, str], *, is_edited: bool) -> Verdicts:
    """Whether dates of the last change moved as the article did; who is silent says nothing."""
    found: Verdicts = Counter()
    for source, stamp in now.items():
        if (old := before.get(source)) is None:
            continue
        if old != stamp:
            found[What.MODIFIED, source, DateVerdict.AGREED if is_edited else DateVerdict.MOVED] += 1
        elif is_edited:
            found[What.MODIFIED, source, DateVerdict.STOOD] += 1
    return found
