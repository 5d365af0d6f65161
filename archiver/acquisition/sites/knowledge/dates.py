"""Dates as applications write them for readers: found in a text by their form, and certain or not at all."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.documents.feeds.dates import parse_date, written_day
from archiver.documents.feeds.model import FeedDate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

# What a form may have, as `strptime` calls it. Names of months are English: others are not understood.
_SIGNS = {
    "%Y": r"[0-9]{4}",
    "%m": r"[0-9]{1,2}",
    "%d": r"[0-9]{1,2}",
    "%H": r"[0-9]{1,2}",
    "%I": r"[0-9]{1,2}",
    "%M": r"[0-9]{2}",
    "%S": r"[0-9]{2}",
    "%B": r"[A-Za-z]{3,9}",
    "%b": r"[A-Za-z]{3}",
    "%p": r"[AaPp][Mm]",
    "%Z": r"(?:UTC|GMT)",
}
_SIGN = re.compile(r"%.")
_DAY = re.compile(r"(?<![0-9])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")
# Longer texts have their date at the end, such as a comment that is signed.
_LONGEST = 2000


def form_flaw(form: str) -> str:
    """Why a text is not the form of a date; empty if it is one."""
    unknown = [sign for sign in _SIGN.findall(form) if sign not in _SIGNS]
    if unknown:
        return f"{unknown[0]} is not known in a form: {', '.join(_SIGNS)} are"
    missing = [sign for sign in ("%Y", "%d") if sign not in form]
    if missing or not any(sign in form for sign in ("%m", "%B", "%b")):
        return f"The form {form} does not name year, month and day"
    return ""


def read_date(text: str, forms: Sequence[str] = (), days: Iterable[str] = ()) -> FeedDate | None:
    """The date that a text names in one of the forms, as ISO 8601; else as written; None where it names none.

    Where forms differ on what is meant, as with 04/11/2026, one of `days` must hold the day: it decides.
    """
    text = " ".join(text.split())
    known = {day for each in days for day in _days_in(each)}
    found = {each for form in forms for each in _dates_in(text[-_LONGEST:], form)}
    meant = {each for each in found if not known or each[0].date() in known}
    if len(meant) == 1:
        return _told(*meant.pop())
    # In a text that might have had a date, only what is one as a whole is.
    is_date = bool(found) or not forms or written_day(text) is not None
    return parse_date(text) if text and is_date else None


def _dates_in(text: str, form: str) -> Iterable[tuple[datetime, str]]:
    """The last date of that form: a signature stands behind the words."""
    written = [found[0] for found in _pattern(form).finditer(text)][-1:]
    for each in written:
        try:
            yield datetime.strptime(each, form).replace(tzinfo=UTC), _exactness(form)
        except ValueError:
            continue


def _exactness(form: str) -> str:
    clock = "%H" in form or "%I" in form
    return "moment" if clock and "%Z" in form else "clock" if clock else "day"


def _told(time: datetime, exactness: str) -> FeedDate:
    if exactness == "moment":
        return FeedDate(text=time.isoformat(), utc=time)
    return FeedDate(text=time.strftime("%Y-%m-%d %H:%M" if exactness == "clock" else "%Y-%m-%d"))


def _days_in(text: str) -> Iterable[date]:
    for found in _DAY.finditer(text):
        try:
            yield datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC).date()
        except ValueError:
            continue


@lru_cache(maxsize=256)
def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split(r"(%.)", form)
    middle = "".join(_SIGNS.get(part) or re.escape(part) for part in parts)
    # Half of a number is not a day, and 02:08 PM is not 02:08.
    return re.compile(f"(?<![0-9A-Za-z]){middle}(?![0-9A-Za-z])(?! ?[AaPp][Mm])")
