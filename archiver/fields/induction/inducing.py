"""From examples to ranked rules for a field."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from archiver.fields.induction.accepting import AcceptedTexts
from archiver.fields.induction.anchors import SharedAnchors
from archiver.fields.induction.candidates import ways_to
from archiver.fields.induction.choice import diverse, doubtful, ranked
from archiver.fields.induction.guessing import with_guessed_type
from archiver.fields.induction.model import Induced, RankedRule, RuleQuestion, ValueNotOnPageError
from archiver.fields.induction.page_index import index_of
from archiver.fields.induction.places import nearest_texts, places_at, places_of
from archiver.fields.induction.takes import takes_for
from archiver.fields.induction.trials import RuleCandidate, f1_on, tried
from archiver.fields.induction.ways import Walker
from archiver.fields.model import Take
from archiver.fields.statements import statement_paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.induction.choice import ScoredRule
    from archiver.fields.induction.model import ExamplePage
    from archiver.fields.induction.places import ValuePlace
    from archiver.fields.model import Field

# Pages besides the examples that are looked at.
MOST_OTHERS = 40
# Candidates that are tried on them.
_MOST_TRIED = 400
_MOST_RANKED = 20
_MOST_RULES = 4
# Candidates that are tried again with the part that reads as the type.
_MOST_RETRIED = 60


def induce(
    field: Field, examples: Sequence[ExamplePage], others: Sequence[VirtualDocument], *, guess: bool = True
) -> Induced:
    """Rules for a field, from one to five examples and other pages of the same template.

    A field of plain text gets the type that its values have, unless `guess` is false.
    """
    used = {id(example.document) for example in examples}
    rest = [one for one in others if id(one) not in used][:MOST_OTHERS]
    induction = _Induction(field, examples, rest)
    found = induction.ranked(induction.candidates())
    if guess and found and field.type == "text" and not field.many:
        texts = [text for text in found[0].trial.firsts[: len(examples)] if text]
        guessed = with_guessed_type(field, texts, found[0].trial.firsts[len(examples) :])
        if guessed is not field:
            induction = _Induction(guessed, examples, rest)
            found = induction.ranked(induction.typed([one.trial.candidate for one in found]))
    return induction.induced(found)


@dataclass(frozen=True)
class _Induction:
    """One field, with the pages that are looked at: those of the examples first."""

    field: Field
    examples: Sequence[ExamplePage]
    others: Sequence[VirtualDocument]

    @cached_property
    def walkers(self) -> list[Walker]:
        documents = [*(example.document for example in self.examples), *self.others]
        return [Walker(index_of(one)) for one in documents]

    @cached_property
    def accepted(self) -> list[AcceptedTexts]:
        return [
            AcceptedTexts(self._wanted(example), self.field, example.document.base_url)
            for example in self.examples
        ]

    def _wanted(self, example: ExamplePage) -> tuple[str, ...]:
        if example.wanted or example.node is None:
            return example.wanted
        index = index_of(example.document)
        return (index.shown(index.numbers[example.node], self.field),)

    @cached_property
    def texts(self) -> list[str]:
        return [text for example in self.examples for text in self._wanted(example)]

    @cached_property
    def anchors(self) -> SharedAnchors:
        return SharedAnchors([one.index for one in self.walkers], self.texts)

    def candidates(self) -> list[RuleCandidate]:
        """The cheapest of those that are most often right on the examples."""
        made: dict[str, RuleCandidate] = {}
        for number in range(len(self.examples)):
            for one in self._of_example(number):
                made.setdefault(one.key, one)
        return self._promising(list(made.values()))

    def _of_example(self, number: int) -> Iterator[RuleCandidate]:
        walker = self.walkers[number]
        for path, text in statement_paths(walker.index.document):
            if text in self.accepted[number]:
                yield RuleCandidate(statement=path)
        for place in self._places(number):
            takes = [None] if place.is_whole else self._takes(place, number)
            ways = [
                way
                for way in ways_to(place, walker, self.anchors)
                if self.field.type != "html" or not way.step.is_value
            ]
            yield from (RuleCandidate(way, take=take) for take in takes for way in ways)

    def _places(self, number: int) -> list[ValuePlace]:
        example, accepted = self.examples[number], self.accepted[number]
        index = self.walkers[number].index
        if example.node is not None:
            places = places_at(index, example.node, accepted, self.field)
        else:
            places = places_of(index, accepted, self.field)
        if not places:
            value = (*self._wanted(example), "")[0]
            nearest = nearest_texts(index, value, self.field)
            raise ValueNotOnPageError(example.document.url, value, nearest)
        return places

    def _takes(self, place: ValuePlace, number: int) -> list[Take]:
        values = self._wanted(self.examples[number])
        return [take for value in values for take in takes_for(place.text, value, self.field)]

    def typed(self, candidates: Sequence[RuleCandidate]) -> list[RuleCandidate]:
        """Candidates for a type, also with the one part of a text that reads as it."""
        plain = [one for one in candidates if one.take is None][:_MOST_RETRIED]
        token = Take(typed=True)
        again = [RuleCandidate(one.way, one.statement, token) for one in plain]
        return self._promising([*candidates, *again])

    def _promising(self, candidates: Sequence[RuleCandidate]) -> list[RuleCandidate]:
        walkers = self.walkers[: len(self.examples)]
        scored = [
            (f1_on(tried(one, walkers, self.field), self.accepted, self.field), one) for one in candidates
        ]
        scored = [one for one in scored if one[0] > 0]
        scored.sort(key=lambda one: (-one[0], one[1].cost, one[1].key))
        return [one for _, one in scored[:_MOST_TRIED]]

    def ranked(self, candidates: Sequence[RuleCandidate]) -> list[ScoredRule]:
        trials = [tried(one, self.walkers, self.field) for one in candidates]
        return ranked(trials, self.texts, self.accepted, self.field)

    def induced(self, found: Sequence[ScoredRule]) -> Induced:
        chosen = diverse(found, len(self.examples), _MOST_RULES)
        rules = tuple(one.trial.candidate.rule for one in chosen)
        return Induced(
            field=msgspec.structs.replace(self.field, rules=rules),
            ranked=tuple(_ranked_rule(one) for one in found[:_MOST_RANKED]),
            chosen=tuple(_ranked_rule(one) for one in chosen),
            question=self._question(found),
            missed=self._missed(found),
        )

    def _question(self, found: Sequence[ScoredRule]) -> RuleQuestion | None:
        doubt = doubtful(found) if found else None
        if doubt is None:
            return None
        number, page = doubt
        first, second = found[0].trial.firsts[page], found[number].trial.firsts[page]
        url = self.walkers[page].index.document.url
        return RuleQuestion(url=url, first=first, second=second, rules=(1, number + 1))

    def _missed(self, found: Sequence[ScoredRule]) -> tuple[str, ...]:
        if not found:
            return tuple(example.document.url for example in self.examples)
        pairs = zip(self.examples, self.accepted, found[0].trial.firsts, strict=False)
        return tuple(example.document.url for example, accepted, text in pairs if text not in accepted)


def _ranked_rule(one: ScoredRule) -> RankedRule:
    candidate = one.trial.candidate
    return RankedRule(
        rule=candidate.rule,
        score=one.score,
        cost=candidate.cost,
        f1=one.f1,
        fill=one.fill,
        typed=one.like,
        found=one.trial.firsts,
    )
