"""The two clocks: what is recorded is machine time, what is scheduled may be shifted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


def machine_now() -> datetime:
    """The machine's UTC time: for everything that is recorded."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """The schedule's clock: machine time, moved by a fixed offset that only rehearsals set."""

    offset: timedelta = timedelta()

    def now(self) -> datetime:
        return machine_now() + self.offset


def rfc3339(moment: datetime) -> str:
    """`2026-03-02T07:05:09.123456Z`: the one way in which times are written down."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
