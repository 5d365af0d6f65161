"""What the answers of a form have shown so far: records, words, and how far each query was followed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archiver.acquisition.forms.model import Answered, ChosenBy, ProbedRecord

# Fewer records at the end of two answers are no limit of the site, but chance.
_LEAST_CUT = 40
# Records of other queries, to tell how frequent a word is among them. Guess.
_LEAST_OTHERS = 60
_WHOLE = 0.98  # of the number that a page claims


@dataclass(slots=True, kw_only=True)
class AskedQuery:
    """One answer over all its pages."""

    inputs: dict[str, str]
    chosen_by: ChosenBy
    number: int  # of queries before it
    keys: list[str] = field(default_factory=list)
    pages: int = 0
    fresh: int = 0  # records that it showed first
    fresh_share: float = 1.0  # of its last page
    last_size: int = 0
    total: int | None = None
    next_url: str = ""
    signature: int = 0


class AnswerLedger:
    """Takes answers; knows what was seen."""

    def __init__(self, pages_a_query: int) -> None:
        self.pages_a_query = pages_a_query
        self.records: dict[str, ProbedRecord] = {}
        self.order: dict[str, int] = {}  # record → how many were seen before it
        self.times: Counter[str] = Counter()
        # The records that have a word, and the query that showed a record first.
        self.having: dict[str, list[str]] = {}
        self.places: dict[str, Counter[str]] = {}  # word → the columns in which records have it
        self.found_by: dict[str, str] = {}
        self.valued: Counter[str] = Counter()  # values, in small letters → records that have them
        self.queries: dict[str, AskedQuery] = {}
        self.page_size = 0
        self.largest_total = 0  # as answers claim
        self._cut: float | None = None
        self._lengths: Counter[int] = Counter()  # of answers that ended on a full page

    def take(self, answered: Answered) -> int:
        """Note an answer; how many of its records are new."""
        probe, records = answered.probe, answered.records
        query = self.queries.setdefault(
            probe.query,
            AskedQuery(inputs=dict(probe.inputs), chosen_by=probe.chosen_by, number=len(self.queries)),
        )
        known = set(query.keys)
        fresh = sum(self._note(record, probe.query) for record in records if record.key not in known)
        query.keys += [record.key for record in records if record.key not in known]
        query.pages, query.fresh = probe.page, query.fresh + fresh
        query.fresh_share = fresh / len(records) if records else 0.0
        query.last_size = len(records)
        query.total = answered.total if answered.total is not None else query.total
        self.largest_total = max(self.largest_total, query.total or 0)
        self._cut = None
        # A page that only repeats what the one before had leads nowhere.
        is_on = len(query.keys) > len(known) and probe.page < self.pages_a_query
        query.next_url = answered.next_url if is_on else ""
        query.signature = hash(frozenset(query.keys))
        self.page_size = max(self.page_size, len(records) if probe.page == 1 else 0)
        if not answered.next_url and records and len(records) == self.page_size:
            self._lengths[len(query.keys)] += 1
        return fresh

    def _note(self, record: ProbedRecord, query: str) -> bool:
        """Count a sighting; True for a record that is new."""
        self.times[record.key] += 1
        if record.key in self.records:
            return False
        self.found_by[record.key] = query
        self.order[record.key] = len(self.records)
        self.records[record.key] = record
        for word in record.words:
            self.having.setdefault(word, []).append(record.key)
        for column, words in record.column_words.items():
            for word in words:
                self.places.setdefault(word, Counter())[column] += 1
        self.valued.update({value.casefold() for values in record.values.values() for value in values})
        return True

    @property
    def seen(self) -> int:
        return len(self.records)

    @property
    def cut(self) -> float:
        """The most records of an answer that the site shows; infinite where no limit showed."""
        if self._cut is None:
            self._cut = self._shown_at_most()
        return self._cut

    def _shown_at_most(self) -> float:
        claimed = [
            len(one.keys)
            for one in self.queries.values()
            if self._is_short(one) and len(one.keys) >= _LEAST_CUT
        ]
        lengths = [length for length, count in self._lengths.items() if count > 1 and length >= _LEAST_CUT]
        return max([*claimed, *lengths], default=float("inf"))

    def _is_short(self, query: AskedQuery) -> bool:
        return not query.next_url and query.total is not None and len(query.keys) < _WHOLE * query.total

    def is_cut(self, query: AskedQuery) -> bool:
        """True where there are more records than were shown, and no further page."""
        if query.next_url or not query.keys:
            return False
        return self._is_short(query) or len(query.keys) >= self.cut

    def is_complete(self, query: AskedQuery) -> bool:
        return not query.next_url and not self.is_cut(query) and query.fresh_share >= 0

    def frequency(self, word: str) -> float:
        """Of all records, about those that have a word, without those of the query that found most of them:
        what it was asked for may go together with the word."""
        keys = self.having.get(word, ())
        by_query = Counter(self.found_by[key] for key in keys)
        most, count = by_query.most_common(1)[0] if by_query else ("", 0)
        others = self.seen - (self.queries[most].fresh if most in self.queries else 0)
        return (len(keys) - count) / others if others >= _LEAST_OTHERS else len(keys) / max(1, self.seen)
