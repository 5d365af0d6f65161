"""Dates of feeds: right in UTC, or unknown, never wrong.

Unknown are dates without a time, times without a zone, and zones that mean several places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.documents.feeds.model import FeedDate
from archiver.documents.times.model import Bracket
from archiver.lexicon.dates import AM, CHINESE_TOO, MONTHS, MOSCOW_UNSURE, PM, ZONES, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.documents.feeds.model import FeedEntry

Fields = dict[str, str]

# No form below is longer; a paragraph in a date element is not worth the matching.
_LONGEST = 100
# Beyond are placeholders (0001, 9999) and years of other calendars (1403 in Iran, 2567 in Thailand).
_YEARS = range(1900, 2200)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Up to June 2032: from there on, ten digits may also be YYYYMMDDHH.
_EPOCH_SECONDS = range(1_000_000_000, 1_970_000_000)
_OFFSETS = range(-12 * 60, 14 * 60 + 1)
# No place on Earth uses others; "+0020" is a slip for "+0200".
_OFFSET_MINUTES = frozenset({0, 30, 45})


def parse_date(text: str) -> FeedDate:
    """The date as written, with its moment in UTC where that is certain."""
    return FeedDate(text=text, utc=moment(text))


def moment(text: str) -> datetime | None:
    """The moment in UTC that a date means, if it means exactly one."""
    fields, form = _read(text)
    return _moment(fields, form) if fields else None


def written_day(text: str) -> date | None:
    """The day that a date names, by its author's calendar, also where hour or zone are missing."""
    fields, _ = _read(text)
    day = _day(fields) if "year" in fields else None
    return day.date() if day else None


def _read(text: str) -> tuple[Fields, str]:
    """The parts of a date, and in which form it was written; none if in no form that is known."""
    if len(text) > _LONGEST:
        return {}, ""
    folded = _YEAR_LAST.sub(r"\1 \3 \2\4", " ".join(_COMMENT.sub(" ", fold(text)).split()))
    for form, pattern in _FORMS.items():
        if match := pattern.fullmatch(folded):
            return {k: v for k, v in match.groupdict().items() if v is not None}, form
    return {}, ""


# "(CEST)" behind a zone is a comment of RFC 822; so is the weekday within a Japanese date.
_COMMENT = re.compile(r"\([^()]*\)")
# "thu may 2 10:00:00 cest 2024" or "… 2024 cest": the year goes where all others have it.
_YEAR_LAST = re.compile(
    r"^((?:[^\W\d_]+\.?,? )?[^\W\d_]+ \d{1,2}) (\d{1,2}:[\d:.]+(?: [ap]m)?(?: \S+)?) (\d{4})( \S+)?$"
)

_WORD = r"[^\W\d_]+"
_WEEKDAY = rf"(?:{_WORD}(?:-{_WORD})?\.?(?:, ?| ))?"
_MONTH = rf"(?P<name>{_WORD})\.?"
_DAY = r"(?P<day>\d{1,2})(?:\.|er|st|nd|rd|th)?"
# 10:00 · 2:05:09.5 pm · 14h05 · 14:05 Uhr · 14時05分09秒 · 오후 2:05
_TIME = (
    r"(?:(?:at|um|om|alle|a|as|a las|в) )?(?:(?P<early>上午|下午|午前|午後|오전|오후) ?)?"
    r"(?P<hour>\d{1,2})(?:[:.h時时点]|시 ?)(?P<minute>\d{2})[分분]?"
    r"(?:(?:[:.]|(?<=[分분]) ?)(?P<second>\d{2})(?:[.,](?P<fraction>\d+))?[秒초]?)?"
    r"(?: ?(?P<late>[ap]\.?m\b\.?))?(?: uhr)?"
)
# Go prints the zone twice, as "+0200 CEST": the number counts.
_ZONE = r" ?(?:(?P<offset>(?:gmt|utc)?[+-]\d{1,2}(?::?\d{2})?)(?: [a-z]{3,5})?|(?P<zone>[a-z]{1,5}))"
_REST = rf"(?:(?:,? | ?t ?|(?<=[日일])){_TIME}(?:{_ZONE})?)?"

_FORMS = {
    form: re.compile(pattern)
    for form, pattern in {
        # Thu, 02 May 2024 10:00:00 GMT · Thursday, 02-May-24 10:00:00 GMT · 2. Mai 2024, 10:00 Uhr +0200
        "rfc822": rf"{_WEEKDAY}{_DAY}[ -](?:de )?{_MONTH}[ -](?:de )?(?P<year>\d{{2,4}}){_REST}",
        # 2024-05-02T10:00:00.5+02:00 · 2024/5/2 10:00 UTC
        "iso": rf"(?P<year>\d{{4}})([-/.])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}}){_REST}",
        # 20240502T100000Z
        "compact": r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"
        rf"t(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?:{_ZONE})?",
        "seconds": r"(?P<seconds>\d{10})(?:\.(?P<fraction>\d+))?",
        "milliseconds": r"(?P<seconds>\d{10})(?P<fraction>\d{3})",
        # May 2, 2024 10:00 PM EST
        "month first": rf"{_WEEKDAY}{_MONTH} {_DAY},? (?P<year>\d{{4}}){_REST}",
        # 2024年5月2日 14:05 +0900 · 2024년 5월 2일 오후 2:05 KST
        "cjk": rf"(?P<year>\d{{4}})[年년] ?(?P<month>\d{{1,2}})[月월] ?(?P<day>\d{{1,2}})[日일]{_REST}",
        # 02.05.2024 10:00 +0200: with dots, the day always comes first
        "dotted": rf"{_WEEKDAY}(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}}){_REST}",
        # 25/05/2024 10:00 GMT: readable where one number can only be the day
        "either": rf"{_WEEKDAY}(?P<a>\d{{1,2}})([/-])(?P<b>\d{{1,2}})\2(?P<year>\d{{4}}){_REST}",
    }.items()
}


def _moment(fields: Fields, form: str) -> datetime | None:
    fraction = timedelta(microseconds=int(fields.get("fraction", "0")[:6].ljust(6, "0")))
    if seconds := int(fields.get("seconds", "0")):
        return _EPOCH + timedelta(seconds=seconds) + fraction if seconds in _EPOCH_SECONDS else None
    day, time, offset = _day(fields), _time_of_day(fields), _offset(fields, form)
    if day is None or time is None or offset is None:
        return None
    try:
        return day + time + fraction - offset
    except OverflowError:
        return None


def _day(fields: Fields) -> datetime | None:
    month, day = _month_and_day(fields)
    year = _year(fields["year"])
    try:
        return datetime(year, month, day, tzinfo=UTC) if year in _YEARS else None
    except ValueError:
        return None


def _month_and_day(fields: Fields) -> tuple[int, int]:
    """0 stands for what cannot be told; no date has it."""
    if "name" in fields:
        return MONTHS.get(fields["name"], 0), int(fields["day"])
    if "month" in fields:
        return int(fields["month"]), int(fields["day"])
    smaller, larger = sorted((int(fields["a"]), int(fields["b"])))
    return (smaller, larger) if larger > 12 or smaller == larger else (0, 0)


def _year(digits: str) -> int:
    """RFC 2822, 4.3: two digits below 50 are of this century; three are years since 1900."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + 2000 if year < 50 and len(digits) == 2 else year + 1900


def _time_of_day(fields: Fields) -> timedelta | None:
    if "hour" not in fields:
        return None
    hour = _hour(int(fields["hour"]), fields.get("early") or fields.get("late"))
    minute, second = int(fields["minute"]), int(fields.get("second", "0"))
    # 24:00 is the end of the day, and 23:59:60 a leap second: both are the moment that follows.
    if hour is None or hour > 24 or (hour == 24 and (minute or second)) or minute > 59 or second > 60:
        return None
    return timedelta(hours=hour, minutes=minute, seconds=second)


def _hour(hour: int, half: str | None) -> int | None:
    """The hour of 24; "14:05 pm" is redundant, "14:05 am" contradicts itself."""
    if half is None:
        return hour
    half = half.replace(".", "")
    if half in AM:
        return hour % 12 if hour <= 12 else None
    return hour % 12 + 12 if half in PM and 0 < hour < 24 else None


def _offset(fields: Fields, form: str) -> timedelta | None:
    if "offset" in fields:
        return _numeric_offset(fields["offset"])
    zone = fields.get("zone", "")
    unsure = (zone in CHINESE_TOO and form != "rfc822") or (
        zone == "msk" and _year(fields["year"]) in MOSCOW_UNSURE
    )
    return None if zone not in ZONES or unsure else timedelta(minutes=ZONES[zone])


def _numeric_offset(text: str) -> timedelta | None:
    sign, digits = text.lstrip("gmtuc")[0], re.sub(r"\D", "", text)
    hours, minutes = (digits, "0") if len(digits) <= 2 else (digits[:-2], digits[-2:])
    offset = (int(hours) * 60 + int(minutes)) * (-1 if sign == "-" else 1)
    real = offset in _OFFSETS and int(minutes) in _OFFSET_MINUTES
    return timedelta(minutes=offset) if real else None


# With fewer, an order or an equality may be chance.
_FEWEST = 4
_SAME = timedelta(seconds=2)
# From writing the document to having it.
_JUST_NOW = timedelta(minutes=5)
# Before are the zeros of clocks.
_FIRST_YEAR = 1981

# Of longer documents the end is old, and was seen before.
_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Dating:
    """Between which dates a document lists an entry, and whether it dates its entries at all."""

    between: Bracket | None = None
    of_poll: bool = False


def datings(entries: Sequence[FeedEntry], fetched: datetime) -> list[Dating]:
    """One for each of the first entries of a document."""
    dates = [entry.published.utc if entry.published else None for entry in entries[:_MOST]]
    of_poll = are_of_poll(dates, fetched)
    return [Dating(between=neighbours_in(dates, place), of_poll=of_poll) for place in range(len(dates))]


def are_of_poll(dates: Sequence[datetime | None], fetched: datetime) -> bool:
    """Whether a document dates all its entries alike or as of now: then it tells its own age, not theirs.

    Whole days are no sign of that: many feeds give no hour.
    """
    known = _real(dates)
    if len(known) < _FEWEST:
        return False
    if all(abs(date - fetched) <= _JUST_NOW for date in known):
        return True
    first = known[0]
    is_midnight = (first.minute, first.second) == (0, 0)
    return not is_midnight and max(known) - min(known) <= _SAME


def neighbours_in(dates: Sequence[datetime | None], place: int) -> Bracket | None:
    """Between which dates an entry stands, by its place in a document that is in order without it."""
    before, after = _real(dates[:place]), _real(dates[place + 1 :])
    others = [*before, *after]
    if len(others) < _FEWEST or others[0] == others[-1]:
        return None
    if others[0] > others[-1]:  # the newest first, as nearly everywhere
        newer, older = before[-1:], after[:1]
        is_in_order = all(one >= other for one, other in pairwise(others))
    else:
        newer, older = after[:1], before[-1:]
        is_in_order = all(one <= other for one, other in pairwise(others))
    if not is_in_order:
        return None
    return Bracket(after=next(iter(older), None), before=next(iter(newer), None))


def _real(dates: Sequence[datetime | None]) -> list[datetime]:
    return [date for date in dates if date is not None and date.year >= _FIRST_YEAR]
