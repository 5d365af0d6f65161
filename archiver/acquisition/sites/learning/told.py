"""What was learned of the links of a site, as navigation patterns with what they bring."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.labels import ENTRY
from archiver.acquisition.sites.learning.patterns import LinkStep, NavigationPattern
from archiver.acquisition.sites.learning.values import values_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.acquisition.sites.learning.model import LabelRecord
    from archiver.acquisition.sites.learning.values import LabelValues


class PatternRole(StrEnum):
    """What the pages are that a pattern leads to."""

    CONTENT = "content"  # they have text of their own
    LIST = "list"  # they lead to such pages
    ASIDE = "aside"  # neither
    UNKNOWN = "unknown"  # none was fetched


class PatternState(StrEnum):
    ACTIVE = "active"  # it pays
    SLEEPING = "sleeping"  # it does not, and is tried now and then
    EXPECTED = "expected"  # to pay, by a file; it was not tried
    UNTRIED = "untried"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelNote:
    """A label, and what the pages that were fetched by it have led to."""

    record: LabelRecord
    pages: int  # that were fetched, each counted once
    example: str = ""
    source: int | None = None  # the label of the page on which the first link stood
    led: Mapping[int, int]  # how many pages of each label were fetched that its pages led to


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedPattern:
    """Links to follow from the entry page to pages of one kind, and what these brought."""

    pattern: NavigationPattern
    role: PatternRole
    state: PatternState
    # New pairs of words a request, over all requests; of a list with those for what it led to.
    gain: float
    pages: int
    waiting: int
    example: str


def learned_patterns(notes: Sequence[LabelNote]) -> list[LearnedPattern]:
    """A pattern for each label of a site: content before lists and asides, what brought most first."""
    values = values_of([one.record for one in notes])
    own = {one.record.id: _own(one) for one in notes}
    known = {one.record.id: one for one in notes}
    sources = _sources(notes)
    found = [
        LearnedPattern(
            pattern=_pattern(one, known, sources),
            role=_role(one, own, values),
            state=_state(one.record, values),
            gain=_gain(one, own, values),
            pages=one.pages,
            waiting=one.record.waiting,
            example=one.example,
        )
        for one in notes
        if one.record.path != ENTRY
    ]
    return sorted(found, key=_order)


def _own(note: LabelNote) -> float:
    return note.record.gained / note.pages if note.pages else 0.0


def _gain(note: LabelNote, own: Mapping[int, float], values: LabelValues) -> float:
    """What a request brought over all of the crawl: the last pages of a list that ends bring nothing."""
    gain, requests = own[note.record.id], 1.0
    if not note.pages:
        return sum(note.record.gains) / max(1, len(note.record.gains))
    for label, many in note.led.items():
        if label != note.record.id and own.get(label, 0.0) >= values.least:
            gain += many * own[label] / note.pages
            requests += many / note.pages
    return max(own[note.record.id], gain / requests)


def _role(note: LabelNote, own: Mapping[int, float], values: LabelValues) -> PatternRole:
    if not note.pages:
        return PatternRole.UNKNOWN
    if own[note.record.id] >= values.least:
        return PatternRole.CONTENT
    return PatternRole.LIST if _gain(note, own, values) >= values.least else PatternRole.ASIDE


def _state(record: LabelRecord, values: LabelValues) -> PatternState:
    if not (record.fetched or record.gains):
        return PatternState.UNTRIED
    if not values.pays(record):
        return PatternState.SLEEPING
    return PatternState.ACTIVE if record.fetched else PatternState.EXPECTED


def _sources(notes: Sequence[LabelNote]) -> dict[int, int]:
    """The label that led to most pages of each."""
    best: dict[int, tuple[int, int]] = {}
    for one in notes:
        for label, many in one.led.items():
            if label != one.record.id:
                best[label] = max(best.get(label, (0, 0)), (many, -one.record.id))
    return {label: -number for label, (_, number) in best.items()}


def _pattern(
    note: LabelNote, known: Mapping[int, LabelNote], sources: Mapping[int, int]
) -> NavigationPattern:
    """The steps from the entry page on; where lists lead to each other, as they were first seen."""
    line: list[LabelNote] = []
    one: LabelNote | None = note
    while one is not None and one.record.path != ENTRY:
        line.append(one)
        used = {each.record.id for each in line}
        before = (sources.get(one.record.id, 0), one.source or 0)
        one = next((known[number] for number in before if number in known and number not in used), None)
    return NavigationPattern(tuple(map(_step, reversed(line))))


def _step(note: LabelNote) -> LinkStep:
    record = note.record
    is_repeated = record.is_series and (record.id in note.led or not record.fetched)
    return LinkStep(record.path, record.shape, None if is_repeated else 1)


def _order(one: LearnedPattern) -> tuple[int, float, str]:
    return (list(PatternRole).index(one.role), -one.gain * max(1, one.pages), str(one.pattern))
