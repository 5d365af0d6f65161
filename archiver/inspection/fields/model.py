"""What is told of field wrappers, at a terminal, on pages and as JSON."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import Literal

import msgspec

WrapperState = Literal["unused", "working", "failing", "suspended", "flawed"]


class WeekRate(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the values that pages may have were found in a week."""

    week: date  # its Monday
    pages: int
    rate: float


class DayRate(msgspec.Struct, frozen=True, kw_only=True):
    """What a field came to on a day."""

    day: date
    pages: int
    filled: int
    mistyped: int

    @property
    def rate(self) -> float:
        return self.filled / self.pages if self.pages else 0.0


class FieldStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A field, and how it does."""

    field: str
    type: str
    required: bool
    rules: tuple[str, ...]
    pages: int = 0
    filled: int = 0
    failing_since: datetime | None = None
    why: str | None = None
    days: tuple[DayRate, ...] = ()


class WrapperStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A field wrapper, and how it does."""

    name: str
    scope: str
    state: WrapperState
    # Of the text that is in its file now.
    digest: str | None
    fields: tuple[str, ...]
    failing: tuple[str, ...]
    pages: int
    last_used: datetime | None
    weeks: tuple[WeekRate, ...]
    # Why it is not used.
    problem: str | None = None
    # New rules wait for a person to accept them.
    is_proposed: bool = False


class WrapperStatusList(msgspec.Struct, frozen=True, kw_only=True):
    wrappers: tuple[WrapperStatus, ...]
    now: datetime


class ReadPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that a wrapper read: when, and what it gave there, as far as an object has it."""

    url: str
    captured: datetime
    missing: tuple[str, ...]
    values: dict[str, str]


class UsedText(msgspec.Struct, frozen=True, kw_only=True):
    """A text that the file of a wrapper had."""

    digest: str
    first_used: datetime
    last_used: datetime
    pages: int
    suspended: datetime | None = None


class WrapperDetails(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a field wrapper."""

    wrapper: WrapperStatus
    fields: tuple[FieldStatus, ...]
    # The newest pages on which something is missing, and the newest of all.
    failing: tuple[ReadPage, ...]
    newest: tuple[ReadPage, ...]
    history: tuple[UsedText, ...]
    now: datetime
