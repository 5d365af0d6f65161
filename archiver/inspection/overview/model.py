"""What is told of an archive as a whole; as JSON, these are the public field names."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations at run time

import msgspec

from archiver.inspection.channels.model import StateCount  # noqa: TC001 - likewise
from archiver.inspection.history.model import Event  # noqa: TC001 - likewise
from archiver.inspection.runs import RunNote  # noqa: TC001 - likewise


class DayCount(msgspec.Struct, frozen=True, kw_only=True):
    """What came for the first time on a day (UTC)."""

    day: date
    entries: int
    articles: int


class PollTally(msgspec.Struct, frozen=True, kw_only=True):
    """The polls of the runs that ended lately."""

    runs: int
    polls: int
    failed: int
    not_modified: int
    # Of the polls that were answered, 0 to 1; null where none was.
    not_modified_share: float | None = None


class KeptBytes(msgspec.Struct, frozen=True, kw_only=True):
    warc_files: int
    warc_bytes: int
    object_files: int
    object_bytes: int


class GapTally(msgspec.Struct, frozen=True, kw_only=True):
    """Gaps: those that are open, and what became of those that were seen lately."""

    open: int
    seen: int
    filled: int
    partly: int
    unfillable: int
    entries: int  # that were found behind them


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an operator should look at: an error or a note of the last run."""

    kind: str  # error, note
    text: str


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """A channel whose pages look different from what was learned of them."""

    number: int
    title: str | None = None
    url: str
    outdated: int  # wrappers that no longer fitted, lately
    last: datetime  # when the last of them was found not to fit
    in_use: int  # wrappers that fit


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the archive is well, at a glance."""

    now: datetime
    channels: int
    states: tuple[StateCount, ...]
    lately: int  # how many days "lately" is
    days: tuple[DayCount, ...]
    polls: PollTally
    kept: KeptBytes
    runs: tuple[RunNote, ...]
    gaps: GapTally
    alarms: tuple[Alarm, ...]
    # All channels that drift lately, and the first of them: those without any wrapper that fits come first.
    drifting: int
    drift: tuple[Drift, ...]
    events: tuple[Event, ...]
