"""The bounds that no date may break, whatever states it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from archiver.documents.times.agreement import EASTMOST, SLACK, earliest, is_moment, latest
from archiver.documents.times.model import Against, Why
from archiver.documents.times.sources import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.documents.times.model import Evidence

# As for the dates of feeds: beyond are placeholders, and years of other calendars.
_YEARS = range(1900, 2200)
# Where the clocks of programs and the dates of reproducible builds begin.
_EPOCHS = tuple(datetime(year, 1, 1, tzinfo=UTC) for year in (1900, 1970, 1980))
# A zero of a clock may be shown in any zone.
_EPOCH_SLACK = timedelta(hours=14)
# No page was written on the web before it.
_WEB = datetime(1991, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """What can be true, and what cannot."""

    credible: tuple[Evidence, ...]
    refused: tuple[Against, ...]


def sift(said: Iterable[Evidence], *, not_after: datetime, not_before: datetime | None = None) -> Sifted:
    """Take out what breaks a bound; of a moment that only a wrong zone can explain, the day is left."""
    credible: list[Evidence] = []
    refused: list[Against] = []
    for one in said:
        why = why_refused(one, not_after=not_after, not_before=not_before)
        if why is None:
            credible.append(one)
            continue
        refused.append(against(one, why))
        if why is Why.FUTURE and (day := _only_its_day(one, not_after)):
            credible.append(day)
    return Sifted(credible=tuple(credible), refused=tuple(refused))


def why_refused(one: Evidence, *, not_after: datetime, not_before: datetime | None) -> Why | None:
    if one.doubt is not None:
        return one.doubt
    if _is_placeholder(one):
        return Why.PLACEHOLDER
    if earliest(one) > not_after + SLACK:
        return Why.FUTURE
    if not_before is not None and latest(one) < not_before - SLACK:
        return Why.BEFORE
    return None


def against(one: Evidence, why: Why) -> Against:
    return Against(what=one.what, source=one.source, why=why, at=one.at, day=one.day)


def _is_placeholder(one: Evidence) -> bool:
    years = [moment.year for moment in (one.at, one.day) if moment is not None]
    if not years or any(year not in _YEARS for year in years):
        return True
    first = earliest(one)
    if one.source in WRITTEN and first < _WEB:
        return True
    moment = one.at or (first + EASTMOST)
    return any(abs(moment - epoch) <= _EPOCH_SLACK for epoch in _EPOCHS)


def _only_its_day(one: Evidence, not_after: datetime) -> Evidence | None:
    """The day as written, where the moment is ahead by no more than a zone."""
    if one.day is None or not is_moment(one) or earliest(one) > not_after + EASTMOST + SLACK:
        return None
    day = replace(one, at=None)
    return day if why_refused(day, not_after=not_after, not_before=None) is None else None
