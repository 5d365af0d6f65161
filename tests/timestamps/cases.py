"""A contradiction between sources, and what is to come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from archiver.documents.times.model import Source, Trust, Why
from tests.timestamps.said import CAPTURED, SEEN, resolve

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.times.model import Bracket, Evidence, Stamp

SURE, LIKELY, WEAK = Trust
MARCH_2 = date(2026, 3, 2)
Told = set[tuple[Source, Why]]


@dataclass(frozen=True, kw_only=True)
class Case:
    says: str
    said: list[Evidence]
    source: Source
    trust: Trust
    at: datetime | None = None
    day: date | None = MARCH_2
    agrees: set[Source] = field(default_factory=set)
    other_zone: set[Source] = field(default_factory=set)
    told: Told = field(default_factory=set)
    neighbours: Bracket | None = None
    not_before: datetime | None = None
    unchanged_until: datetime | None = None


def holds(stamp: Stamp | None, case: Case) -> None:
    assert stamp is not None
    assert (stamp.at, stamp.day, stamp.source, stamp.trust) == (case.at, case.day, case.source, case.trust)
    assert set(stamp.agrees) == case.agrees
    assert set(stamp.other_zone) == case.other_zone
    assert {(one.source, one.why) for one in stamp.contradicted_by} == case.told


def holds_for_publication(case: Case) -> None:
    times = resolve(
        case.said,
        first_seen=SEEN,
        captured=CAPTURED,
        not_before=case.not_before,
        neighbours=case.neighbours,
    )
    holds(times.published, case)
