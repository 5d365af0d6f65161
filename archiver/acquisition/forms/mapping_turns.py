"""Probes that show what an input filters: words of attributes, submitted in one input by itself."""

from __future__ import annotations

import itertools
import re
from random import Random
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.ranges import numbers_of
from archiver.acquisition.forms.words import is_harmless, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from archiver.acquisition.forms.model import Answered, ProbedInput, ProbedRecord

# Answers that tell of an attribute; and words of an attribute that find nothing, until it is left.
TRIES = 3
_MISSES = 2
# Words of other attributes, once one is found: an input that finds these as well looks into several.
_OTHERS = 4
_LOOKED_AT = 40  # records
_SPLIT = re.compile(r"[\W_]+")
PROBES_OF_INPUT = TRIES + _MISSES


class MappingTurns:
    """Inputs in turn: each gets its first probe before any gets its second."""

    def __init__(
        self,
        inputs: Sequence[ProbedInput],
        records: Mapping[str, ProbedRecord],
        seed: int,
        most: int,
        excerpts: AbstractSet[str] = frozenset(),
    ) -> None:
        self._turns = [_InputTurn(field, records, seed, excerpts) for field in inputs]
        self._left = most

    def next(self, answers: Sequence[Answered], is_settled: Callable[[ProbedInput], bool]) -> Probe | None:
        while self._turns and self._left > 0:
            turn = self._turns.pop(0)
            probe = None if is_settled(turn.field) else turn.next(answers)
            if probe is not None:
                self._left -= 1
                self._turns.append(turn)
                return probe
        return None


class _InputTurn:
    """Words for one input: of the attribute that is called like it first; as long as they find something."""

    def __init__(
        self,
        field: ProbedInput,
        records: Mapping[str, ProbedRecord],
        seed: int,
        excerpts: AbstractSet[str],
    ) -> None:
        self.field, self._records, self._seed, self._excerpts = field, records, seed, excerpts
        told = set(_SPLIT.split(f"{field.name} {field.label}".casefold()))
        columns = sorted({name for record in records.values() for name in record.values} - excerpts)
        columns.sort(key=lambda name: not told & set(_SPLIT.split(name.casefold())))
        self._left: dict[str, list[Probe]] = {name: self._probes(name) for name in columns}
        self._asked: dict[str, list[str]] = {name: [] for name in columns}

    def next(self, answers: Sequence[Answered]) -> Probe | None:
        found = {one.probe.query for one in answers if one.records}
        hits = {column: sum(query in found for query in asked) for column, asked in self._asked.items()}
        is_told = max(hits.values(), default=0) >= TRIES
        for column, asked in self._asked.items():
            # Once an attribute is found, one word of each of some others.
            most = 1 if is_told else TRIES + 1 if hits[column] else _MISSES
            if len(asked) < most and self._left[column]:
                return self._ask(column) if not is_told or self._others < _OTHERS else None
        return None

    @property
    def _others(self) -> int:
        """Attributes of which words were asked, but for the one of which most were."""
        return sum(bool(asked) for asked in self._asked.values()) - 1

    def _ask(self, column: str) -> Probe:
        probe = self._left[column].pop(0)
        self._asked[column].append(probe.query)
        return probe

    def _probes(self, column: str) -> list[Probe]:
        if self.field.kind == "range":
            return self._intervals(column)
        is_option = self.field.kind == "option"
        told = () if is_option else telling_words(column, self._records, self._seed, self._excerpts)
        chosen = list(self.field.values if is_option else told)[: TRIES + 1]
        return [Probe(inputs={self.field.name: word}, chosen_by="mapping") for word in chosen]

    def _intervals(self, column: str) -> list[Probe]:
        values = numbers_of(column, self._records)
        if len(set(values)) < TRIES:
            return []
        cuts = [int(values[len(values) * part // 5]) for part in range(1, 5)]
        return [
            Probe(inputs={self.field.name: str(low), self.field.until: str(high)}, chosen_by="mapping")
            for low, high in itertools.pairwise(cuts)
        ]


def telling_words(
    column: str, records: Mapping[str, ProbedRecord], seed: int, excerpts: AbstractSet[str] = frozenset()
) -> list[str]:
    """Words that stand in this attribute and in no other of the records, but for excerpts."""
    keys = sorted(records)
    chance = Random(f"{seed} {column}")  # noqa: S311 - a choice
    drawn = chance.sample(keys, min(len(keys), _LOOKED_AT))
    words = dict.fromkeys(_word_of(records[key].values.get(column, ())) for key in drawn)
    elsewhere = {
        word
        for key in keys[:: max(1, len(keys) // 500)]
        for name, found in records[key].column_words.items()
        if name != column and name not in excerpts
        for word in found
    }
    return [word for word in words if word and word not in elsewhere]


def _word_of(values: Sequence[str]) -> str:
    """The longest word of a value: the rarest, as a rule."""
    words = [word for value in values[:1] for word in words_in(value)]
    word = max(words, key=len, default="")
    return word if len(word) > 2 and is_harmless(word) else ""
