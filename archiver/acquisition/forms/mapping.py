"""Which input filters which attribute: by the answers that were had, and by some that are asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.forms.mapping_turns import TRIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from archiver.acquisition.forms.model import Answered, ProbedInput, ProbedRecord

# Records of an attribute that have what was asked for, at least, and how many more than otherwise.
_HELD, _ABOVE = 0.7, 0.4
_KEYWORD = 0.9
_Z = 1.28  # of a bound that holds in 90 %
_ENOUGH = 30  # answers that tell by themselves
_CONTROLS = 60  # records
_MOST_QUERIES = 60  # of an input that are looked at: the latest, and those that were asked for its attribute
# Queries that find records by other attributes: from so many on, an input looks into more than one.
_FEWEST_ELSEWHERE, _ELSEWHERE = 3, 0.05


class InputMapping(msgspec.Struct, frozen=True, kw_only=True):
    """An input and the attribute that it filters; without an attribute, it looks into all of them."""

    input: str
    attribute: str
    tried: int  # answers
    held: float  # share of their records in which the attribute has what was asked for
    control: float  # the same share among other records
    confidence: float
    how: str


def learned_mappings(
    inputs: Sequence[ProbedInput],
    answers: Sequence[Answered],
    records: Mapping[str, ProbedRecord],
    excerpts: AbstractSet[str] = frozenset(),
) -> list[InputMapping]:
    """What all answers to a single input show, first pages and further ones.

    Excerpts are around what was asked for: that it stands there tells nothing.
    """
    columns = sorted({name for record in records.values() for name in record.values} - excerpts)
    found = []
    for field in inputs:
        names = {field.name, field.until} - {""}
        mine = [
            one for one in answers if one.probe.inputs and one.probe.inputs.keys() <= names and one.records
        ]
        latest = set(list(dict.fromkeys(one.probe.query for one in mine))[-_MOST_QUERIES:])
        mine = [one for one in mine if one.probe.query in latest or one.probe.chosen_by == "mapping"]
        if len(latest) >= TRIES and not _is_ignored(mine):
            found += list(_of_input(field, mine, columns, records))
    return found


def _is_ignored(answers: Sequence[Answered]) -> bool:
    """True where an input finds the same, whatever it says."""
    return len({frozenset(record.key for record in one.records) for one in answers}) == 1


def is_settled(field: ProbedInput, found: Sequence[InputMapping], answers: Sequence[Answered]) -> bool:
    """True where it is known what an input filters; of text, where many words were asked."""
    if not found or field.kind != "text":
        return bool(found)
    return len({one.probe.query for one in answers if set(one.probe.inputs) == {field.name}}) > _ENOUGH


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
        if bound >= _HELD and mean - control >= _ABOVE and not _finds_elsewhere(field, answers, column):
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


def _finds_elsewhere(field: ProbedInput, answers: Sequence[Answered], column: str) -> bool:
    """True where what is asked of a text often stands in records, and in another attribute of them."""
    if field.kind != "text":
        return False
    shares: dict[str, list[bool]] = {}
    for one in answers:
        found = [
            _has_word(one.probe.words, record.words) and not _holds(field, one.probe.inputs, record, column)
            for record in one.records
        ]
        shares.setdefault(one.probe.query, []).extend(found)
    elsewhere = sum(sum(found) >= _HELD * len(found) for found in shares.values())
    return elsewhere >= max(_FEWEST_ELSEWHERE, _ELSEWHERE * len(shares))


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
    found = [_has_word(one.probe.words, record.words) for one in answers for record in one.records]
    held = sum(found) / len(found)
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
    return _has_word(inputs[field.name].split(), record.column_words.get(column, frozenset()))


def _has_word(asked: Sequence[str], words: frozenset[str]) -> bool:
    """True for words that are one of those that were asked for, or begin with it."""
    return any(
        one in words or any(word.startswith(one) for word in words) for one in map(str.casefold, asked)
    )
