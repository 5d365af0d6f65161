"""Counts of how far sources can be trusted, as they are shown and written as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time

from archiver.articles.labels.model import SourceRecord  # noqa: TC001 - likewise


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """What was seen of a source of labels on a channel."""

    source: str
    channel: int
    name: str
    record: SourceRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class DateCounts:
    """What came of the dates of a source, on a host and a channel."""

    what: str
    source: str
    channel: int
    name: str
    host: str
    server: str
    generator: str
    agreed: int
    contradicted: int
    moved: int
    stood: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatorCounts:
    """What was seen of a validator on a host; see acquisition/reliability/validators."""

    host: str
    validator: str
    server: str
    generator: str
    agreed: int
    moved: int
    noise: int
    stood: int
    hid: int
    not_modified: int
    unchecked: int
    checks: int
    unsent_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Everything that was counted."""

    made: datetime
    labels: tuple[LabelCounts, ...] = ()
    dates: tuple[DateCounts, ...] = ()
    validators: tuple[ValidatorCounts, ...] = ()
