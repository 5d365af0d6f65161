"""What a form is asked before its records are known: nonsense, stop words, likely words, options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.words import misspelt, nonsense

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.acquisition.forms.model import ProbedInput

_STOP_WORD = "the"
# Where a word may find something, the likeliest first.
_SOURCES = ("file", "suggestions", "page", "options", "ontology", "archive")
_OPTIONS_OF_INPUT = 2
_TRIAL_WORDS = 2
_LONG_ENOUGH = 5  # for a mistake in the middle


def first_probes(text: str, form: str, words: Sequence[str], inputs: Sequence[ProbedInput]) -> list[Probe]:
    """The first probes of a form; `text` is its input for words, empty where it has none."""
    if not text:
        return [Probe(chosen_by="empty"), *_options(inputs)]
    return [
        Probe(inputs={text: nonsense(form)}, chosen_by="nonsense"),
        _other_nonsense(text, form),
        Probe(chosen_by="empty"),
        Probe(inputs={text: _STOP_WORD}, chosen_by="stop"),
        Probe(inputs={text: "e"}, chosen_by="letter"),
        *(Probe(inputs={text: word}, chosen_by="word") for word in words),
        *_options(inputs),
    ]


def trial_probes(text: str, form: str, words: Sequence[str], inputs: Sequence[ProbedInput]) -> list[Probe]:
    """Those that show most of a form: nonsense, nothing, words, an option."""
    if not text:
        return first_probes(text, form, words, inputs)
    chosen = [Probe(inputs={text: word}, chosen_by="word") for word in words[:_TRIAL_WORDS]]
    return [_other_nonsense(text, form), Probe(chosen_by="empty"), *chosen, *_options(inputs)]


def second_probes(text: str, hits: Sequence[str]) -> list[Probe]:
    """Two words of a record, apart and together; and one with a mistake in it."""
    probes = [Probe(inputs={text: word}, chosen_by="word") for word in hits]
    if len(hits) > 1:
        probes.append(Probe(inputs={text: f"{hits[0]} {hits[1]}"}, chosen_by="both"))
    long = next((word for word in hits if len(word) >= _LONG_ENOUGH and word.isalpha()), "")
    if long and misspelt(long) != long:
        probes.append(Probe(inputs={text: misspelt(long)}, chosen_by="typo"))
    return probes


def likeliest(words: Mapping[str, str]) -> list[str]:
    """Words by how likely they find something, from where each comes from; then the longer ones."""
    return sorted(words, key=lambda word: (_SOURCES.index(words[word]), len(word) < 5, -len(word)))


def _other_nonsense(text: str, form: str) -> Probe:
    return Probe(inputs={text: nonsense(form[::-1] + "2")}, chosen_by="nonsense")


def _options(inputs: Sequence[ProbedInput]) -> list[Probe]:
    return [
        Probe(inputs={field.name: value}, chosen_by="option")
        for field in inputs
        if field.kind == "option"
        for value in field.values[:_OPTIONS_OF_INPUT]
    ]
