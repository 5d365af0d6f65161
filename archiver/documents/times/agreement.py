"""Whether two statements can both be true, as exactly as they were written."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from archiver.documents.times.model import Bracket, Evidence

# So near each other, two programs mean one event.
NEAR = timedelta(minutes=5)
# Clocks differ by so much. Between the two limits nothing is said: neither for nor against.
SLACK = timedelta(minutes=15)
# How far the zones of the Earth are from Greenwich: it is a day somewhere before and after it is there.
EASTMOST = timedelta(hours=14)
WESTMOST = timedelta(hours=12)
# Zones are apart by half hours, apart from a few by quarters.
_ZONE_STEP = 30
_DAY = timedelta(days=1)


class Relation(Enum):
    AGREES = auto()
    APART = auto()
    OTHER_ZONE = auto()
    SILENT = auto()


def is_moment(said: Evidence) -> bool:
    return said.at is not None and not said.only_day


def earliest(said: Evidence) -> datetime:
    """The first moment that a statement may mean."""
    if said.day is None or is_moment(said):
        return _moment(said)
    return datetime.combine(said.day, time(), tzinfo=UTC) - EASTMOST


def latest(said: Evidence) -> datetime:
    if said.day is None or is_moment(said):
        return _moment(said)
    return datetime.combine(said.day, time(), tzinfo=UTC) + _DAY + WESTMOST


def _moment(said: Evidence) -> datetime:
    assert said.at is not None  # noqa: S101 - a statement without any time is refused before
    return said.at


def compare(one: Evidence, other: Evidence) -> Relation:
    """Two statements about the same event."""
    if not is_moment(one) and not is_moment(other) and one.day and other.day:
        return _compare_days(one.day, other.day)
    gap = _gap(one, other)
    if gap <= NEAR:
        return Relation.AGREES
    if is_other_zone(one, other):
        return Relation.OTHER_ZONE
    return Relation.APART if gap > SLACK else Relation.SILENT


def _compare_days(one: date, other: date) -> Relation:
    """A day and the next one may be the same moment, seen from two zones."""
    if one == other:
        return Relation.AGREES
    return Relation.SILENT if abs(one - other) <= _DAY else Relation.APART


def compare_written(said: Evidence, written: Evidence) -> Relation:
    """A statement about the article, and when its page was last written: that may be later for any reason."""
    relation = compare(said, written)
    if relation is Relation.APART and latest(written) > earliest(said):
        return Relation.SILENT
    return relation


def compare_bracket(said: Evidence, bracket: Bracket) -> Relation:
    """Whether a statement lies within what was seen; only within a day does that say anything for it."""
    after, before = bracket.after, bracket.before
    if after is not None and latest(said) < after - SLACK:
        return Relation.APART
    if before is not None and earliest(said) > before + SLACK:
        return Relation.APART
    if after is None or before is None or before - after > _DAY:
        return Relation.SILENT
    inside = latest(said) >= after - NEAR and earliest(said) <= before + NEAR
    return Relation.AGREES if inside else Relation.SILENT


def is_other_zone(one: Evidence, other: Evidence) -> bool:
    """Whether two moments are the same minute in different hours, as far apart as zones can be."""
    if not is_moment(one) or not is_moment(other):
        return False
    minutes = abs(_minute(one) - _minute(other))
    return 0 < minutes <= EASTMOST.total_seconds() / 60 and minutes % _ZONE_STEP == 0


def _minute(said: Evidence) -> int:
    return int(_moment(said).timestamp() // 60)


def _gap(one: Evidence, other: Evidence) -> timedelta:
    """How far two statements are from meaning the same moment."""
    return max(earliest(one) - latest(other), earliest(other) - latest(one), timedelta())
