"""The two clocks: what is recorded is machine time, what is scheduled may be shifted."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_tz

_LARGEST_OFFSET = 24 * 3600  # seconds, of any zone


def machine_now() -> datetime:
    """The machine's UTC time: for everything that is recorded."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """The schedule's clock: machine time, which only rehearsals move ahead or let go faster."""

    offset: timedelta = timedelta()
    speed: float = 1.0
    started: datetime = field(default_factory=machine_now)

    def now(self) -> datetime:
        machine = machine_now()
        ahead = self.offset if self.speed == 1 else self.offset + (machine - self.started) * (self.speed - 1)
        return machine + ahead

    def seconds_until(self, moment: datetime) -> float:
        """How long that takes by the machine's clock; negative where it has passed."""
        return (moment - self.now()).total_seconds() / self.speed


def rfc3339(moment: datetime) -> str:
    """`2026-03-02T07:05:09.123456Z`: the one way in which times are written down."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def http_date(text: str) -> datetime | None:
    """A date as HTTP writes it, in UTC; None where it is none. A leap second is the second after it."""
    found = parsedate_tz(text.strip())
    if found is None or abs(found[9] or 0) > _LARGEST_OFFSET:
        return None
    year, month, day, hour, minute, second, *_, offset = found
    try:
        moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    try:
        return moment + timedelta(seconds=second - min(second, 59) - (offset or 0))
    except OverflowError:  # at either end of all time, a zone makes no difference
        return moment
