"""Which input filters which attribute: by the answers that were had, and by some that are asked for it."""

from __future__ import annotations

import itertools
import re
from random import Random
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.ranges import numbers_of
from archiver.acquisition.forms.words import is_harmless, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.acquisition.forms.model import Answered, ProbedInput, ProbedRecord

# Records of an attribute that have what was asked for, at least, and how many more than otherwise.
_HELD, _ABOVE = 0.7, 0.4
_KEYWORD = 0.9
_Z = 1.28  # of a bound that holds in 90 %
_TRIES = 3
_ENOUGH = 30  # answers that tell by themselves
_CONTROLS = 60  # records
_MOST_QUERIES = 60  # of an input that are looked at: the latest
_SPLIT = re.compile(r"[\W_]+")


class InputMapping(msgspec.Struct, frozen=True, kw_only=True):
    """An input and the attribute that it filters; without an attribute, it looks into all of them."""

    input: str
    attribute: str
    tried: int  # answers
    held: float  # share of their records in which the attribute has what was asked for
    control: float  # the same share among other records
    confidence: float
    how: str


def mapping_probes(field: ProbedInput, records: Mapping[str, ProbedRecord], seed: int) -> Iterator[Probe]:
    """Values of attributes to submit in an input by itself: those of attributes called like it first, then
    some of others, which show whether it looks into these as well."""
    columns = sorted({name for record in records.values() for name in record.values})
    told = set(_SPLIT.split(f"{field.name} {field.label}".casefold()))
    columns.sort(key=lambda name: not told & set(_SPLIT.split(name.casefold())))
    for place, column in enumerate(columns):
        if field.kind == "range":
            yield from _intervals(field, numbers_of(column, dict(records)))
        else:
            words = _instances(column, records, Random(f"{seed} {column}"))  # noqa: S311 - a choice
            for word in words[: _TRIES + 1 if place == 0 else 2]:
                yield Probe(inputs={field.name: word}, chosen_by="mapping")


def _instances(column: str, records: Mapping[str, ProbedRecord], chance: Random) -> list[str]:
    """Words that stand in this attribute and in no other of the records."""
    keys = sorted(records)
    drawn = chance.sample(keys, min(len(keys), 40))
    words = dict.fromkeys(_word_of(records[key].values.get(column, ())) for key in drawn)
    elsewhere = {
        word
        for key in keys[:: max(1, len(keys) // 500)]
        for name, found in records[key].column_words.items()
        if name != column
        for word in found
    }
    return [word for word in words if word and word not in elsewhere]


def _intervals(field: ProbedInput, values: list[float]) -> Iterator[Probe]:
    if len(set(values)) < _TRIES:
        return
    cuts = [int(values[len(values) * part // 5]) for part in range(1, 5)]
    for low, high in itertools.pairwise(cuts):
        if low <= high:
            yield Probe(inputs={field.name: str(low), field.until: str(high)}, chosen_by="mapping")


def _word_of(values: Sequence[str]) -> str:
    """The longest word of a value: the rarest, as a rule."""
    words = [word for value in values[:1] for word in words_in(value)]
    word = max(words, key=len, default="")
    return word if len(word) > 2 and is_harmless(word) else ""


def learned_mappings(
    inputs: Sequence[ProbedInput], answers: Sequence[Answered], records: Mapping[str, ProbedRecord]
) -> list[InputMapping]:
    """What all answers to a single input show, first pages and further ones."""
    columns = sorted({name for record in records.values() for name in record.values})
    found = []
    for field in inputs:
        names = {field.name, field.until} - {""}
        mine = [
            one for one in answers if one.probe.inputs and one.probe.inputs.keys() <= names and one.records
        ]
        latest = set(list(dict.fromkeys(one.probe.query for one in mine))[-_MOST_QUERIES:])
        mine = [one for one in mine if one.probe.query in latest]
        if len(latest) >= _TRIES and not _is_ignored(mine):
            found += list(_of_input(field, mine, columns, records))
    return found


def _is_ignored(answers: Sequence[Answered]) -> bool:
    """True where an input finds the same, whatever it says."""
    return len({frozenset(record.key for record in one.records) for one in answers}) == 1


def is_settled(field: ProbedInput, found: Sequence[InputMapping], answers: Sequence[Answered]) -> bool:
    """True where it is known what an input filters, and words of other attributes were tried as well."""
    if not found or field.kind != "text":
        return bool(found)
    mine = {one.probe.query: one for one in answers if set(one.probe.inputs) == {field.name}}
    others = sum(one.probe.chosen_by == "mapping" for one in mine.values())
    return others > _TRIES + 2 or len(mine) > _ENOUGH


def _of_input(
    field: ProbedInput,
    answers: Sequence[Answered],
    columns: Sequence[str],
    records: Mapping[str, ProbedRecord],
) -> Iterator[InputMapping]:
    rated = []
    for column in columns:
        queries = _held_by_query(field, answers, column)
        mean = sum(queries.values()) / len(queries)
        bound = mean - _Z * (mean * (1 - mean) / max(1, _weight(queries))) ** 0.5
        control = _control(field, answers, column, records)
        if bound >= _HELD and mean - control >= _ABOVE:
            rated.append((mean, column, control, len(queries)))
    if rated:
        best = max(rated)[0]
        for mean, column, control, tried in rated:
            # What merely goes together with the attribute holds less often than the attribute itself.
            if mean >= best - 0.05:
                confidence = (mean * tried + 1) / (tried + 2)
                yield _mapping(field, column, tried, mean, control, confidence)
    elif field.kind == "text":
        yield from _keyword(field, answers)


def _mapping(
    field: ProbedInput, column: str, tried: int, held: float, control: float, confidence: float
) -> InputMapping:
    return InputMapping(
        input=field.name,
        attribute=column,
        tried=tried,
        held=round(held, 3),
        control=round(control, 3),
        confidence=round(confidence, 3),
        how=field.kind,
    )


def _keyword(field: ProbedInput, answers: Sequence[Answered]) -> Iterator[InputMapping]:
    """What was asked for stands somewhere in the records, and in no attribute above all."""
    words = [(set(one.probe.words), record) for one in answers for record in one.records]
    held = sum(bool({word.casefold() for word in asked} & record.words) for asked, record in words) / len(
        words
    )
    if held >= _KEYWORD:
        tried = len({one.probe.query for one in answers})
        yield _mapping(field, "", tried, held, 0.0, (held * tried + 1) / (tried + 2))


def _weight(queries: Mapping[str, float]) -> int:
    """Answers count, and not their records: those of one answer are alike."""
    return 4 * len(queries)


def _held_by_query(field: ProbedInput, answers: Sequence[Answered], column: str) -> dict[str, float]:
    shares: dict[str, list[bool]] = {}
    for one in answers:
        held = [_holds(field, one.probe.inputs, record, column) for record in one.records]
        shares.setdefault(one.probe.query, []).extend(held)
    return {query: sum(held) / len(held) for query, held in shares.items()}


def _control(
    field: ProbedInput, answers: Sequence[Answered], column: str, records: Mapping[str, ProbedRecord]
) -> float:
    """How often the attribute has what was asked for anyway."""
    others = list(records.values())[:: max(1, len(records) // _CONTROLS)]
    asked = {one.probe.query: one.probe.inputs for one in answers}.values()
    held = [_holds(field, inputs, record, column) for inputs in list(asked)[-12:] for record in others]
    return sum(held) / max(1, len(held))


def _holds(field: ProbedInput, inputs: Mapping[str, str], record: ProbedRecord, column: str) -> bool:
    if field.kind == "range":
        number = record.numbers.get(column)
        low, high = (inputs.get(name) for name in (field.name, field.until))
        return (
            number is not None
            and (low is None or number >= int(low))
            and (high is None or number < int(high) + 1)
        )
    if field.kind == "option":
        texts = [text.casefold() for text in record.values.get(column, ())]
        value = inputs[field.name]
        shown = dict(zip(field.values, field.texts, strict=False)).get(value, value)
        return any(text in {value.casefold(), shown.casefold()} for text in texts)
    words = record.column_words.get(column, frozenset())
    asked = inputs[field.name].casefold().split()
    return any(one in words or any(word.startswith(one) for word in words) for one in asked)
