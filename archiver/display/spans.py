"""Times as a person types them: RFC 3339, a date, or the 14 digits of web archives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_DATE = re.compile(r"\d{4}-?\d\d-?\d\d")
_DIGITS = re.compile(r"\d{14}")
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The moments that a text means: a whole day for a date, otherwise a second. Both ends belong to it."""

    first: datetime
    last: datetime


def parse_span(text: str) -> Span:
    """Times without a zone are UTC. Raises ValueError for what is not a time."""
    text = text.strip()
    try:
        if _DIGITS.fullmatch(text):
            return _span(datetime.strptime(text, "%Y%m%d%H%M%S"), timedelta(seconds=1))  # noqa: DTZ007 - below
        length = timedelta(days=1) if _DATE.fullmatch(text) else timedelta(seconds=1)
        return _span(datetime.fromisoformat(text.upper()), length)
    except (ValueError, OverflowError) as error:
        told = f"{text!r} is not a time: write 2026-03-02, 2026-03-02T07:05:09Z or 20260302070509"
        raise ValueError(told) from error


def _span(moment: datetime, length: timedelta) -> Span:
    # The index knows no fractions of a second.
    first = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)
    return Span(first=first, last=first + length - _TICK)
