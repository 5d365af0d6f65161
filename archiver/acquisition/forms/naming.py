"""Attributes named after the inputs that filter them, where nothing in the records names them better.

It is asked before anything is read: another name would make another version of each record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from archiver.acquisition.forms.mapping import learned_mappings
from archiver.acquisition.forms.mapping_turns import TRIES, telling_words
from archiver.acquisition.forms.model import Probe
from archiver.records.naming import slug

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.forms.model import Answered, ProbedInput, ProbedRecord
    from archiver.records.model import RecordColumn, RecordWrapper

MOST_NAMING = 12  # probes
_LONGEST = 3  # words of a label that is a name
_OTHERS = 2  # attributes whose words an input must not find
_HELD = 0.7  # of an answer's records
# What an input's label is better than. Probes are made for those that the page does not name at all.
_WEAK = frozenset({"header", "class", "text", "number"})
_NAMELESS = frozenset({"class", "text", "number"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What answers show so far of a wrapper's columns; `main` is the input that words are asked in."""

    wrapper: RecordWrapper
    inputs: Sequence[ProbedInput]
    answers: Sequence[Answered]
    main: str

    def named(self) -> RecordWrapper:
        """The wrapper with the labels of inputs that filter one of its columns."""
        names = self._names()
        return structs.replace(
            self.wrapper,
            columns=tuple(_renamed(one, names) for one in self.wrapper.columns),
            key=tuple(names.get(name, name) for name in self.wrapper.key),
        )

    def probes(self) -> list[Probe]:
        """What is asked next to find names: nothing once that is known, or cannot be."""
        columns = [one.name for one in self._columns(_NAMELESS)]
        made = sum(one.probe.chosen_by == "mapping" for one in self.answers)
        found = [
            probe
            for field in self._fields()
            if field.kind == "text"
            for column in columns
            for probe in self._of_pair(field, column)
        ]
        return list({one.key: one for one in found}.values())[: max(0, MOST_NAMING - made)]

    def _names(self) -> dict[str, str]:
        fields = {one.name: slug(one.label) for one in self._fields()}
        weak = {one.name for one in self._columns(_WEAK)}
        inputs = [one for one in self.inputs if one.name in fields]
        records = self._records(asked_for_names=True)
        found = learned_mappings(inputs, self.answers, records, self._excerpts)
        names: dict[str, str] = {}
        for one in sorted(found, key=lambda one: (-one.held, -one.confidence, one.input, one.attribute)):
            if one.attribute in weak - names.keys() and fields[one.input] not in names.values():
                names[one.attribute] = fields[one.input]
        return names

    def _columns(self, kinds: frozenset[str]) -> list[RecordColumn]:
        """Columns of these kinds of names that no input is called like."""
        labels = {slug(one.label) for one in self.inputs}
        columns = [one for one in self.wrapper.columns if not one.is_constant and not one.is_excerpt]
        return [one for one in columns if one.named_by in kinds and one.name not in labels]

    @property
    def _excerpts(self) -> frozenset[str]:
        """What is asked for stands in them whatever an input filters."""
        return frozenset(one.name for one in self.wrapper.columns if one.is_excerpt)

    def _fields(self) -> list[ProbedInput]:
        """Inputs whose label is a name that no column has."""
        taken = {one.name for one in self.wrapper.columns}
        return [
            one
            for one in self.inputs
            if one.kind != "range" and one.name != self.main and _is_name(one.label) - taken
        ]

    def _records(self, *, asked_for_names: bool) -> dict[str, ProbedRecord]:
        return {
            record.key: record
            for one in self.answers
            if asked_for_names or one.probe.chosen_by != "mapping"
            for record in one.records
        }

    def _of_pair(self, field: ProbedInput, column: str) -> Iterator[Probe]:
        """A word of the column, two more where it holds, then words that the input must not find."""
        records = self._records(asked_for_names=False)
        words = telling_words(column, records, 0, self._excerpts)[:TRIES]
        made = {one.probe.query: one for one in self.answers}
        probes = [Probe(inputs={field.name: word}, chosen_by="mapping") for word in words]
        held = [one for one in probes if one.query in made and _holds(made[one.query], column)]
        if len(probes) < TRIES or not any(one.query in made for one in probes):
            yield from probes[:1] if len(probes) == TRIES else ()
        elif held:
            yield from (one for one in probes if one.query not in made)
            if len(held) == TRIES:
                yield from self._controls(field, column, records, made)

    def _controls(
        self,
        field: ProbedInput,
        column: str,
        records: dict[str, ProbedRecord],
        made: dict[str, Answered],
    ) -> Iterator[Probe]:
        excerpts = self._excerpts
        others = [one.name for one in self.wrapper.columns if not one.is_constant and one.name != column]
        told = [telling_words(name, records, 0, excerpts) for name in others if name not in excerpts]
        words = [found[0] for found in told if found]
        for word in words[:_OTHERS]:
            probe = Probe(inputs={field.name: word}, chosen_by="mapping")
            if probe.query not in made:
                yield probe


def _is_name(label: str) -> set[str]:
    """The name that a label gives; none where it is a sentence."""
    name = slug(label)
    return {name} if name and len(label.split()) <= _LONGEST else set()


def _holds(answered: Answered, column: str) -> bool:
    words = {word.casefold() for word in answered.probe.words}
    held = [bool(words & record.column_words.get(column, frozenset())) for record in answered.records]
    return bool(held) and sum(held) >= _HELD * len(held)


def _renamed(column: RecordColumn, names: dict[str, str]) -> RecordColumn:
    if column.is_constant or column.name not in names:
        return column
    return structs.replace(column, name=names[column.name], named_by="input")
