"""Attributes that a page does not name are called as the input that filters them, and none by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from archiver.acquisition.forms.model import Answered, Probe, ProbedInput
from archiver.acquisition.forms.naming import MOST_NAMING, Naming
from archiver.acquisition.forms.probed import as_probed
from archiver.records.learning import learn_records
from archiver.records.reading import read_records
from tests.records.pages import BOOKS, answer, answers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.records.model import RecordWrapper
    from sample.shop.books import Book

    Search = Callable[[Book, str], bool]


def by_author(book: Book, word: str) -> bool:
    return any(word in one.casefold() for one in book.authors)


def by_anything(book: Book, word: str) -> bool:
    return by_author(book, word) or word in f"{book.title} {book.publisher} {book.isbn}".casefold()


def learned(design: str) -> RecordWrapper:
    wrapper = learn_records(answers(design, "the", "of", "and"))
    assert wrapper is not None
    return wrapper


def answered(wrapper: RecordWrapper, design: str, books: Sequence[Book], probe: Probe) -> Answered:
    found = read_records(answer(design, books), wrapper) if books else ()
    records = [
        as_probed(one.key, {name: [value.value for value in said] for name, said in one.attributes.items()})
        for one in found
    ]
    return Answered(probe=probe, kind="results", records=tuple(records))


def named(design: str, field: ProbedInput, search: Search, main: str = "q") -> tuple[set[str], int]:
    """The names after all that is asked for them, and how much that was."""
    wrapper = learned(design)
    had = [
        answered(wrapper, design, BOOKS[start : start + 20], Probe(inputs={"q": word}, chosen_by="word"))
        for start, word in ((0, "the"), (20, "of"), (40, "and"))
    ]
    asked = 0
    while asked <= MOST_NAMING:
        naming = Naming(wrapper=wrapper, inputs=(field,), answers=had, main=main)
        probes = naming.probes()
        if not probes:
            return {one.name for one in naming.named().columns if not one.is_constant}, asked
        asked += len(probes)
        for probe in probes:
            found = [book for book in BOOKS if search(book, probe.words[0])]
            had.append(answered(wrapper, design, found[:20], probe))
    raise AssertionError("it never ends")


def test_no_input_gives_its_name_to_an_excerpt() -> None:
    """What was asked for stands in it, so that it looks like what the input filters."""
    wrapper = learned("nested")
    columns = [structs.replace(one, is_excerpt=one.name == "people") for one in wrapper.columns]
    wrapper = structs.replace(wrapper, columns=tuple(columns))
    author = ProbedInput(name="a", kind="text", label="Author")
    books = {word: [one for one in BOOKS if by_author(one, word)][:20] for word in words_of_authors()}
    had = [answered(wrapper, "nested", BOOKS[:40], Probe(chosen_by="empty"))]
    had += [
        answered(wrapper, "nested", found, Probe(inputs={"a": word}, chosen_by="mapping"))
        for word, found in books.items()
    ]
    naming = Naming(wrapper=wrapper, inputs=(author,), answers=had, main="q")
    assert "people" in {one.name for one in naming.named().columns}
    plain = structs.replace(wrapper, columns=learned("nested").columns)
    naming = Naming(wrapper=plain, inputs=(author,), answers=had, main="q")
    assert "people" not in {one.name for one in naming.named().columns}


def words_of_authors() -> list[str]:
    return sorted({one.authors[0].casefold().split()[-1].strip(",") for one in BOOKS[:12]})[:5]


def test_a_column_is_called_as_the_input_that_filters_it() -> None:
    author = ProbedInput(name="a", kind="text", label="Author")
    names, asked = named("nested", author, by_author)
    assert "author" in names
    assert "people" not in names
    assert asked <= 8


@pytest.mark.parametrize(
    ("field", "search", "main"),
    [
        (ProbedInput(name="a", kind="text", label="Words"), by_anything, "q"),
        (ProbedInput(name="a", kind="text", label="Author"), lambda _book, _word: True, "q"),
        (ProbedInput(name="a", kind="text", label="Author"), lambda _book, _word: False, "q"),
        (ProbedInput(name="a", kind="text", label="Look for people and their books here"), by_author, "q"),
        (ProbedInput(name="a", kind="text", label="Keyword"), by_author, "a"),
        (ProbedInput(name="a", kind="text", label="Publisher"), by_author, "q"),
    ],
)
def test_what_does_not_filter_a_column_names_none(field: ProbedInput, search: Search, main: str) -> None:
    names, _ = named("nested", field, search, main)
    assert "people" in names


@pytest.mark.parametrize("design", ["mute", "dl"])
def test_what_the_page_names_itself_stays(design: str) -> None:
    field = ProbedInput(name="a", kind="text", label="Writer")
    before = {one.name for one in learned(design).columns if one.named_by in {"itemprop", "label"}}
    names, _ = named(design, field, by_author)
    assert before <= names
