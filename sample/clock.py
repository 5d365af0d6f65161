"""The web's own time: days counted from Monday 2 March 2026, and the ways in which sites write dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

DAY_ZERO = datetime(2026, 3, 2, tzinfo=UTC)

# The weeks that the sample lives through; a month that is missing here fails loudly.
_FRENCH = {2: "février", 3: "mars", 4: "avril", 5: "mai", 6: "juin", 7: "juillet"}
_GERMAN = {2: "Februar", 3: "März", 4: "April", 5: "Mai", 6: "Juni", 7: "Juli"}


def moment(day: int, minutes: int = 0) -> datetime:
    """`minutes` after the midnight (UTC) at which `day` begins."""
    return DAY_ZERO + timedelta(days=day, minutes=minutes)


def now(day: int) -> datetime:
    """The hour that the web's clock shows all through `day`: late, so that the day's entries are out."""
    return moment(day, 23 * 60)


def rfc822(when: datetime) -> str:
    return when.strftime("%a, %d %b %Y %H:%M:%S +0000")


def http_date(when: datetime) -> str:
    return format_datetime(when, usegmt=True)


def iso(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_offset(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S+00:00")


def french(when: datetime) -> str:
    return f"{'1er' if when.day == 1 else when.day} {_FRENCH[when.month]} {when.year}"


def german(when: datetime) -> str:
    return f"{when.day}. {_GERMAN[when.month]} {when.year}"


def british(when: datetime) -> str:
    return f"{when.day} {when:%B %Y}"


def american(when: datetime) -> str:
    return f"{when:%B} {when.day}, {when.year}"
