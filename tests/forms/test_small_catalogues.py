"""A small catalogue is found whole: what was begun is read to its end before probing ends."""

from __future__ import annotations

import pytest

from archiver.acquisition.forms.model import Answered, FormPlan, Probe, ProbedInput
from archiver.acquisition.forms.probed import as_probed
from archiver.acquisition.forms.prober import Prober
from archiver.documents.pages.forms.description import FormDescription
from archiver.records.model import RecordWrapper
from archiver.running.form_run import FormInquiry
from archiver.store.asked_forms.forms import AskedForm
from sample.shop.books import make_books
from sample.shop.catalogue import Catalogue, Query
from sample.shop.truth import attributes_of

PAGE = "https://books.example/"
INPUTS = tuple(ProbedInput(name=name, kind="text", label=name) for name in ("q", "title", "author"))
WORDS = ("harbour", "river", "bestsellers", "search", "catalogue")


class SmallCatalogue:
    """Made-up books, shown on pages, without a total."""

    def __init__(self, count: int, seed: int, page_size: int) -> None:
        books = make_books(count, seed)
        self._catalogue, self._page_size = Catalogue(books), page_size
        self._records = {one.number: as_probed(str(one.number), attributes_of(one)) for one in books}

    def answer(self, probe: Probe) -> Answered:
        texts = {name: value for name, value in probe.inputs.items() if name != "q"}
        found = self._catalogue.find(Query(q=probe.inputs.get("q", ""), texts=texts))
        start = self._page_size * (probe.page - 1)
        end = start + self._page_size
        return Answered(
            probe=probe,
            kind="results" if found else "none",
            records=tuple(self._records[book.number] for book in found[start:end]),
            next_url="next" if end < len(found) else "",
        )


def inquiry(run: int) -> FormInquiry:
    form = AskedForm(
        id=1,
        name="books",
        page=PAGE,
        definition="",
        folder="",
        state="running",
        why="",
        planned=None,
        behaviour=None,
        coverage=None,
        run=run,
        refusals=0,
        rest_until=None,
        next_run=None,
    )
    asked = FormInquiry(form, FormDescription(form="books", page=PAGE))
    asked.begin(FormPlan(action=PAGE, inputs=INPUTS), dict.fromkeys(WORDS, "page"))
    return asked


def seen_in(form: SmallCatalogue, run: int) -> int:
    """How many records a whole run finds, and that it ends."""
    asked = inquiry(run)
    assert asked.prober is not None
    for _ in range(300):
        probe = asked.next_probe()
        if probe is None and asked.is_ready:
            asked.wrapper = RecordWrapper(xpath="", signature=(), columns=())
            asked.note_behaviour()
            continue
        if probe is None:
            return asked.prober.ledger.seen
        asked.note_first(probe)
        asked.take(form.answer(probe))
    raise AssertionError("it does not end")


@pytest.mark.parametrize(("count", "run", "page_size"), [(20, 0, 5), (30, 2, 5), (45, 3, 8), (45, 0, 5)])
def test_a_small_catalogue_without_a_total_is_found_whole(count: int, run: int, page_size: int) -> None:
    assert seen_in(SmallCatalogue(count, run, page_size), run) == count


def test_what_the_empty_form_shows_is_read_to_its_end_first() -> None:
    prober = Prober(INPUTS)
    shown = [as_probed(str(number), {"title": [f"t{number}"]}) for number in range(12)]

    def take(probe: Probe, start: int) -> None:
        records = tuple(shown[start : start + 4])
        prober.take(Answered(probe=probe, kind="results", records=records, next_url="next"))

    take(Probe(inputs={"q": "old"}, chosen_by="word"), 0)
    take(Probe(chosen_by="empty"), 0)
    asked = []
    for start in (4, 8):
        found = prober.last_page()
        assert found is not None
        asked.append((found.query, found.page))
        take(found, start)
    assert asked == [("", 2), ("", 3)]


def test_pages_without_a_new_record_are_not_asked_for_ever() -> None:
    prober = Prober(INPUTS)
    shown = tuple(as_probed(str(number), {"title": [f"t{number}"]}) for number in range(40))
    for number in range(30):
        probe = Probe(inputs={"q": f"w{number}"}, chosen_by="word")
        records = (shown[number],)
        prober.take(Answered(probe=probe, kind="results", records=records, next_url="next"))
    asked = 0
    while (found := prober.last_page()) is not None:
        asked += 1
        prober.take(Answered(probe=found, kind="results", records=shown[:1], next_url=""))
    assert asked == 5


def test_nothing_is_asked_where_all_that_the_site_claims_was_seen() -> None:
    prober = Prober(INPUTS)
    shown = tuple(as_probed(str(number), {"title": [f"t{number}"]}) for number in range(4))
    every = Answered(probe=Probe(chosen_by="empty"), kind="results", records=shown, next_url="n", total=4)
    prober.take(every)
    assert prober.last_page() is None


def test_the_empty_form_claims_nothing_of_all_where_a_list_filters_it() -> None:
    """It is sent with the first value of a list that has none for all."""
    shelves = ProbedInput(name="shelf", kind="option", values=("novels", "poetry"), unset="novels")
    prober = Prober([*INPUTS, shelves])
    shown = tuple(as_probed(str(number), {"title": [f"t{number}"]}) for number in range(4))
    prober.take(Answered(probe=Probe(chosen_by="empty"), kind="results", records=shown, total=4))
    assert prober.coverage.lacks == 0
    other = Probe(inputs={"shelf": "poetry"}, chosen_by="option")
    prober.take(Answered(probe=other, kind="results", records=shown[:1], next_url="next", total=9))
    assert prober.coverage.claimed is None
    again = Probe(inputs={"shelf": "novels"}, chosen_by="option")
    prober.take(Answered(probe=again, kind="results", records=shown, total=4))
    assert prober.coverage.claimed == 13
