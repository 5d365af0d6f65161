"""Probes that could be made next, and what makes them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.forms.ledger import AnswerLedger, AskedQuery
    from archiver.acquisition.forms.model import ProbedInput

_MOST_PAIRS = 400


class ProbeChoice:
    """A probe that could be made next, and the new records that it promises for each request."""

    __slots__ = ("family", "probe", "worth")

    def __init__(self, probe: Probe, family: str, worth: float) -> None:
        self.probe, self.family, self.worth = probe, family, worth


def cut_pairs(ledger: AnswerLedger) -> Iterator[tuple[Probe, float]]:
    """Two queries whose answers were cut, together; and how many records that may find."""
    cut = [one for one in ledger.queries.values() if ledger.is_cut(one) and len(one.inputs) <= 2]
    pairs = ((one, other) for place, one in enumerate(cut) for other in cut[place + 1 :])
    apart = ((one, other) for one, other in pairs if not one.inputs.keys() & other.inputs.keys())
    keys = {one.number: set(one.keys) for one in cut}
    for one, other in islice(apart, _MOST_PAIRS):
        probe = Probe(inputs=one.inputs | other.inputs, chosen_by="pair")
        if probe.query not in ledger.queries:
            together = len(keys[one.number] & keys[other.number]) + 1
            yield probe, (one.total or 2 * len(one.keys)) * together / max(1, len(other.keys))


def main_text(inputs: Sequence[ProbedInput]) -> str:
    """The input for words: one that says so, else the first; empty where there is none."""
    texts = [one for one in inputs if one.kind == "text"]
    said = [one for one in texts if one.name.lower() in _ANY_WORDS or one.label.lower() in _ANY_WORDS]
    return (said or texts)[0].name if texts else ""


_ANY_WORDS = frozenset(
    {
        "q",
        "s",
        "query",
        "search",
        "keyword",
        "keywords",
        "kw",
        "any",
        "anywhere",
        "text",
        "suche",
        "all fields",
    }
)


def next_page(query: AskedQuery) -> Probe:
    return Probe(
        inputs=dict(query.inputs),
        chosen_by=query.chosen_by,
        page=query.pages + 1,
        url=query.next_url,
    )
