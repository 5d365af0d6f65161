"""Probing: what is asked next, how many records there may be, and which input filters what."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.forms.coverage import RecordSample, interval, schnabel
from archiver.acquisition.forms.ledger import AnswerLedger
from archiver.acquisition.forms.mapping import learned_mappings
from archiver.acquisition.forms.mapping_turns import MappingTurns
from archiver.acquisition.forms.model import Answered, Probe, ProbedInput
from archiver.acquisition.forms.probed import as_probed
from archiver.acquisition.forms.prober import Prober
from archiver.acquisition.forms.yields import PageYields, SearchedColumns
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.forms.description import WordPlaces
from archiver.documents.pages.forms.finding import forms_of
from archiver.running.form_words import words_from_elsewhere
from sample.shop.books import make_books
from sample.shop.catalogue import Catalogue, Query
from sample.shop.truth import attributes_of

if TYPE_CHECKING:
    from pathlib import Path

BOOKS = 1200
REQUESTS = 60
TEXT = ProbedInput(name="q", kind="text", label="Keyword")


class ScriptedForm:
    """A search of made-up books: pages of 10, cut at 100, which tells no totals."""

    def __init__(self, seed: int) -> None:
        self._books = make_books(BOOKS, seed)
        self._catalogue = Catalogue(self._books)
        self.records = {one.number: as_probed(str(one.number), attributes_of(one)) for one in self._books}

    def answer(self, probe: Probe) -> Answered:
        texts = {name: value for name, value in probe.inputs.items() if name != "q"}
        found = self._catalogue.find(Query(q=probe.inputs.get("q", ""), texts=texts))[:100]
        start = 10 * (probe.page - 1)
        return Answered(
            probe=probe,
            kind="results" if found else "none",
            records=tuple(self.records[book.number] for book in found[start : start + 10]),
            next_url="next" if start + 10 < len(found) else "",
        )

    @property
    def first_words(self) -> list[str]:
        return [word for number in (1, 2, 3) for word in sorted(self.records[number].column_words["title"])]


def probed(seed: int, requests: int = REQUESTS) -> Prober:
    form = ScriptedForm(seed)
    prober = Prober([TEXT], seed=seed)
    prober.offer(form.first_words, "page")
    for _ in range(requests):
        probe = prober.next()
        assert probe is not None
        prober.take(form.answer(probe))
    return prober


def by_random_words(seed: int) -> int:
    """Each word with all its pages, as long as requests are left."""
    form, chance, seen, asked, spent = ScriptedForm(seed), Random(seed), dict[str, object](), set[str](), 0
    pool = set(form.first_words)
    while spent < REQUESTS:
        word = chance.choice(sorted(pool - asked))
        asked.add(word)
        page, next_url = 1, "first"
        while next_url and spent < REQUESTS:
            answer = form.answer(Probe(inputs={"q": word}, chosen_by="word", page=page))
            spent, page, next_url = spent + 1, page + 1, answer.next_url
            for record in answer.records:
                seen[record.key] = record
                pool |= {one for one in record.words if len(one) > 2}
    return len(seen)


def test_more_records_are_found_than_by_random_words_where_no_total_is_told() -> None:
    ours = sum(probed(seed).ledger.seen for seed in (1, 2, 3))
    assert ours >= 1.1 * sum(map(by_random_words, (1, 2, 3)))


def test_the_true_number_is_within_the_interval() -> None:
    found = [probed(seed, 100).coverage for seed in (1, 2, 3)]
    assert all(one.low is not None and one.high is not None for one in found)
    assert sum(one.low <= BOOKS <= one.high for one in found if one.low and one.high) >= 2
    assert all(one.width <= 3 for one in found)


def test_the_end_of_an_answer_is_worth_more_where_first_pages_bring_little() -> None:
    yields = PageYields()
    for _ in range(5):
        yields.note(0.0, 10, 1)
    first, *_, last = yields.ratios(10)
    assert first < 0.5
    yields.note(0.6, 10, 12)
    assert yields.ratios(10)[-1] > last
    rest = yields.worth(100, 50, 200, 0.5, 10)
    assert rest > yields.worth(100, 0, 10, 0.5, 10)


def test_words_of_a_column_that_is_not_searched_lose_their_worth() -> None:
    ledger, columns = AnswerLedger(10), SearchedColumns()
    shown = [as_probed(str(n), {"title": [f"alpha t{n}"], "shelf": ["poetry"]}) for n in range(4)]
    every = Probe(chosen_by="empty")
    ledger.take(Answered(probe=every, kind="results", records=tuple(shown)))
    for word, found in (("alpha", tuple(shown)), ("poetry", ())):
        probe = Probe(inputs={"q": word}, chosen_by="word")
        columns.begin(word, ledger)
        ledger.take(Answered(probe=probe, kind="results" if found else "none", records=found))
        columns.end(word, ledger.queries[probe.query], ledger)
    assert columns.chance("poetry", ledger) == 0.5
    assert columns.chance("t1", ledger) == 1


def test_the_interval_widens_with_the_spread_of_samples() -> None:
    even = [RecordSample(100, 50, 500)] * 10
    spread = [RecordSample(100, 20, 500), RecordSample(100, 80, 500)] * 5
    assert schnabel(even) == schnabel(spread) == 1000
    narrow, wide = interval(even), interval(spread)
    assert wide[0] < narrow[0] < 1000 < narrow[1] < wide[1]


@pytest.mark.parametrize("label", ["Title", "Field three"])
def test_what_an_input_filters_is_found_whatever_it_is_called(label: str) -> None:
    form = ScriptedForm(1)
    inputs = [
        ProbedInput(name="title", kind="text", label=label),
        ProbedInput(name="author", kind="text", label=label),
        ProbedInput(name="q", kind="text", label=label),
    ]
    records = {one.key: one for one in form.records.values()}
    turns, answers = MappingTurns(inputs, records, 1, 60), list[Answered]()
    while (probe := turns.next(answers, lambda _: False)) is not None:
        answers.append(form.answer(probe))
    assert len(answers) < 60
    found = {(one.input, one.attribute) for one in learned_mappings(inputs, answers, records)}
    assert found == {("title", "title"), ("author", "author"), ("q", "")}


def test_the_text_around_a_word_is_not_what_its_input_filters() -> None:
    """What was asked for stands in it whatever the input looks into."""
    form = ScriptedForm(1)

    def answer(word: str) -> Answered:
        found = form.answer(Probe(inputs={"q": word}, chosen_by="word"))
        shown = [
            as_probed(one.key, {**one.values, "excerpt": [f"and the {word} of {one.key}"]})
            for one in found.records
        ]
        return Answered(probe=found.probe, kind=found.kind, records=tuple(shown))

    known = [form.records[number].column_words for number in (1, 2, 3)]
    words = sorted({word for one in known for name in ("title", "author", "publisher") for word in one[name]})
    answers = [answer(word) for word in words]
    records = {record.key: record for one in answers for record in one.records}
    found = learned_mappings([TEXT], answers, records, {"excerpt"})
    assert {(one.input, one.attribute) for one in found} == {("q", "")}
    turns = MappingTurns([TEXT], records, 1, 60, {"excerpt"})
    asked = {word for _ in range(20) if (one := turns.next((), lambda _: False)) for word in one.words}
    assert asked & {word for one in records.values() for word in one.column_words["title"]}


def test_words_come_from_articles_and_from_an_ontology(tmp_path: Path) -> None:
    lines = [
        {"title": "The lighthouse of Velmar", "language": "en"},
        {"title": "A lighthouse", "language": "en"},
    ]
    (tmp_path / "articles-2026-01-01.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    ontology = tmp_path / "o.nt"
    ontology.write_text('<a:b> <a:label> "Amber Dunes" .\nnot RDF\n<a:b> <a:see> <a:c> .\n')
    said = WordPlaces(sources=("archive", "ontology"))
    found = words_from_elsewhere(said, ("velmar",), ontology, tmp_path)
    assert found == {"lighthouse": "archive", "velmar": "file", "amber": "ontology", "dunes": "ontology"}
    assert words_from_elsewhere(WordPlaces(), ("x",), ontology, tmp_path) == {"x": "file"}


def test_suggestions_of_a_text_input_are_read() -> None:
    page = parse_markup(
        '<form role="search"><input name="q" list="towns"><datalist id="towns"><option value="Velmar">'
        "</datalist></form>"
    )
    (form,) = forms_of(page, "https://a.example/").forms
    assert [one.value for one in form.fields[0].choices] == ["Velmar"]
    assert form.fields[0].kind == "text"


def test_an_input_that_is_asked_for_words_of_one_attribute_alone_still_looks_into_all() -> None:
    """Most words are of the title, since these find most; the few that are not tell what the input does."""
    form = ScriptedForm(1)
    words: dict[str, list[str]] = {}
    for record in form.records.values():
        for name, found in record.column_words.items():
            elsewhere = {one for other, some in record.column_words.items() if other != name for one in some}
            words.setdefault(name, []).extend(sorted(one for one in found - elsewhere if len(one) > 3))
    probes = [Probe(inputs={"q": word}, chosen_by="mapping") for word in dict.fromkeys(words["publisher"])][
        :4
    ]
    probes += [Probe(inputs={"q": word}, chosen_by="word") for word in dict.fromkeys(words["title"])][:80]
    answers = [found for probe in probes if (found := form.answer(probe)).records]
    (mapping,) = learned_mappings([TEXT], answers, {one.key: one for one in form.records.values()})
    assert (mapping.attribute, mapping.input) == ("", "q")
