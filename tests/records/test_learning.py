"""Records of result pages: found, parted into columns, typed, named, and found again at their paths."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec import structs

from archiver.documents.pages.forms.description import DescribedAttribute, FormDescription
from archiver.records.calling import called, unknown_names
from archiver.records.details import detail_record, learn_details, read_detail, with_detail
from archiver.records.excerpts import with_excerpts
from archiver.records.keys import digest
from archiver.records.learning import learn_records
from archiver.records.model import AnswerPage, RecordWrapper
from archiver.records.reading import is_outdated, read_records
from sample.shop.designs import DESIGNS
from sample.shop.truth import attributes_of, details_of
from tests.records.pages import BOOKS, HOST, answer, answers, detail, page_of, with_word

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBER = DescribedAttribute(name="number")
WORDS = ("the", "of", "and")
# What the mark-up of one design and the classes of another call them.
OTHERWISE = {
    "nested": {"author": "people"},
    "mute": {"title": "name", "year": "date-published", "category": "genre"},
}


@cache
def learned(design: str) -> RecordWrapper:
    wrapper = learn_records(answers(design, *WORDS))
    assert wrapper is not None
    return wrapper


def test_records_are_where_a_person_says() -> None:
    pages = answers("nested", *WORDS)
    given = "//div[@class='more']"
    wrapper = learn_records(pages, given)
    assert wrapper is not None
    assert (wrapper.xpath, wrapper.given) == (given, given)
    (found,) = {frozenset(one.attributes) for page in pages for one in read_records(page, wrapper)}
    assert found == {"publisher", "year", "category", "isbn"}, "not what stands around it"
    assert not is_outdated(answer("nested", BOOKS[:20], ""), wrapper)
    assert learn_records(pages, "//div[@class='nothing']") is None


def test_the_file_of_a_form_says_what_makes_two_records_one() -> None:
    by_isbn = FormDescription(form="a", page=HOST, key=("number",), attributes={"isbn": NUMBER})
    wrapper = called(learned("nested"), by_isbn)
    assert (wrapper.key, wrapper.learned_key) == (("number",), ("detail_url",))
    page = answer("nested", BOOKS[:5], "")
    keys = [one.key for one in read_records(page, wrapper)]
    assert keys == [digest(f"number={book.isbn}") for book in BOOKS[:5]]
    assert unknown_names(wrapper, by_isbn) == []
    assert unknown_names(wrapper, structs.replace(by_isbn, key=("shelf",))) == ["shelf"]
    assert called(wrapper, FormDescription(form="a", page=HOST)) == learned("nested"), "as it was learned"


def number_in(address: str) -> int:
    return int(address.rpartition("/")[2])


@pytest.mark.parametrize("design", DESIGNS)
def test_all_values_of_new_pages_are_read_and_named(design: str) -> None:
    names = OTHERWISE.get(design, {})
    page = answer(design, BOOKS[200:240], "")
    records = read_records(page, learned(design))
    assert [number_in(one.detail_url) for one in records] == [book.number for book in BOOKS[200:240]]
    for record, book in zip(records, BOOKS[200:240], strict=True):
        said = {name: [value.value for value in values] for name, values in record.attributes.items()}
        true = {names.get(name, name): values for name, values in attributes_of(book).items()}
        if design == "nested":
            true["people"] = list(book.authors)
        assert said == true


@pytest.mark.parametrize("design", DESIGNS)
def test_each_value_stands_at_its_path(design: str) -> None:
    page = answer(design, BOOKS[100:120], "")
    for record in read_records(page, learned(design)):
        (element,) = page.tree.xpath(record.xpath)
        for values in record.attributes.values():
            for value in values:
                (found,) = element.xpath(value.path)
                text = found if isinstance(found, str) else "".join(found.itertext())
                assert value.value.replace(".", "") in text.replace(".", "")


def test_types_are_told() -> None:
    types = {one.name: one.type for one in learned("table").columns}
    assert types["isbn"] == "isbn"
    assert types["year"] == "year"
    assert types["price"] == "price"
    assert types["title"] == "string"


def test_a_wrapper_travels_as_json() -> None:
    wrapper = learned("dl")
    assert msgspec.json.decode(msgspec.json.encode(wrapper), type=RecordWrapper) == wrapper
    assert wrapper.span == 3


def test_a_page_without_a_list_has_no_records() -> None:
    assert learn_records([page_of("<h1>Sorry</h1><p>Nothing was found.</p>")]) is None


def test_the_same_record_of_two_queries_has_one_key() -> None:
    def page(word: str, place: int) -> AnswerPage:
        rows = "".join(
            f"<li><a href='/show?id={number}&q={word}&pos={place + number}'>Paper {number} of the year</a>"
            f" <em>{1990 + number}</em></li>"
            for number in range(place, place + 8)
        )
        return page_of(f"<ul class=found>{rows}</ul>", f"{HOST}/find?q={word}", [word])

    pages = [page("paper", 1), page("year", 3)]
    wrapper = learn_records(pages)
    assert wrapper is not None
    assert "pos" in wrapper.volatile
    first, second = ({one.key: one.detail_url for one in read_records(page, wrapper)} for page in pages)
    assert len(first.keys() & second.keys()) == 6


REGISTER = ("Harbour", "Ferry", "River", "Bridge", "Lock", "Quay", "Buoy", "Pilot", "Tide", "Dyke", "Weir")


def register(word: str, names: Sequence[str], number: str = "", more: str = "") -> AnswerPage:
    """A table whose head is one of its rows, and whose records have no pages of their own."""
    rows = "".join(
        f"<tr>{number.format(place)}<td>{name} board</td><td>Court {REGISTER.index(name) % 3}</td>"
        f"<td>{1990 + REGISTER.index(name) % 4}</td>{more.format(word, name)}</tr>"
        for place, name in enumerate(names, 1)
    )
    head = f"<tr>{'<th>No.</th>' if number else ''}<th>Holder</th><th>Seat</th><th>Since</th></tr>"
    return page_of(f"<h1>{word}</h1><table>{head}{rows}</table>", f"{HOST}/?q={word}", [word])


def test_the_head_of_a_table_names_columns_and_is_no_record_without_a_key() -> None:
    pages = [
        register("water", REGISTER[:6]),
        register("ships", REGISTER[3:]),
        register("land", REGISTER[::2]),
    ]
    wrapper = learn_records(pages)
    assert wrapper is not None
    assert [one.name for one in wrapper.columns if not one.is_constant] == ["holder", "seat", "since"]
    assert wrapper.key == ("holder",)


@pytest.mark.parametrize(
    ("number", "more"),
    [("<td>{}</td>", ""), ("", "<td>What {1} has to say about {0} in the years before</td>")],
)
def test_a_rank_or_the_text_around_a_word_makes_no_other_record(number: str, more: str) -> None:
    pages = [
        register("water", REGISTER[:6], number, more),
        register("ships", REGISTER[3:], number, more),
        register("land", REGISTER[::2], number, more),
    ]
    wrapper = learn_records(pages)
    assert wrapper is not None
    assert wrapper.key == ("holder",)
    keys = {one.key for page in pages for one in read_records(page, wrapper)}
    assert len(keys) == len(REGISTER)
    marked = with_excerpts(wrapper, [read_records(page, wrapper) for page in pages])
    assert [one.name for one in marked.columns if one.is_excerpt] == ["no" if number else "col-4"]


@pytest.mark.parametrize("more", ["<td>{} {{1}}</td>", "<td>{}</td>"])
def test_what_may_be_of_the_record_tells_those_of_one_name_apart(more: str) -> None:
    """Each page shows other works of the same people."""
    pages = [register(word, REGISTER[:6], more=more.format(word)) for word in ("1990", "1994")]
    wrapper = learn_records(pages)
    assert wrapper is not None
    assert len({one.key for page in pages for one in read_records(page, wrapper)}) == 12


def test_a_label_within_the_text_names_the_column_and_is_not_part_of_the_value() -> None:
    rows = "".join(
        f"<div class=hit><b>Ruling {number}</b><p>Decided by: Judge {name}</p></div>"
        for number, name in enumerate(("Amber", "Brown", "Carver", "Dorn", "Evans", "Frost"))
    )
    wrapper = learn_records([page_of(rows)])
    assert wrapper is not None
    records = read_records(page_of(rows), wrapper)
    assert [one.attributes["decided-by"][0].value for one in records][:2] == ["Amber", "Brown"]


def test_what_is_hidden_is_not_read() -> None:
    rows = "".join(
        f"<li class=hit><a href=/{n}>Thing number {n}</a><span style='display: none'>secret {n}</span></li>"
        for n in range(8)
    )
    wrapper = learn_records([page_of(f"<ul>{rows}</ul>")])
    assert wrapper is not None
    told = [
        v.value
        for r in read_records(page_of(f"<ul>{rows}</ul>"), wrapper)
        for vs in r.attributes.values()
        for v in vs
    ]
    assert told
    assert not any("secret" in value for value in told)


def test_a_redesign_makes_a_wrapper_outdated() -> None:
    wrapper = learned("list")
    assert not is_outdated(answer("list", BOOKS[40:60]), wrapper)
    assert is_outdated(answer("table", BOOKS[40:60]), wrapper)


def test_own_pages_say_more_under_the_names_of_columns() -> None:
    wrapper = learned("nested")
    books = with_word("the")
    records = read_records(answer("nested", books), wrapper)
    pairs = [(one, detail(book, "nested")) for one, book in zip(records, books, strict=True)]
    wrapper = learn_details(wrapper, pairs)
    record, page = pairs[0]
    more = with_detail(record, read_detail(page, wrapper))
    for name, values in details_of(books[0]).items():
        assert [(one.value, one.origin) for one in more.attributes[name]] == [(values[0], "detail")]
    assert more.attributes["people"] == record.attributes["people"]
    alone = detail_record(page, wrapper)
    assert alone is not None
    assert alone.key == record.key
    assert [one.value for one in alone.attributes["people"]] == list(books[0].authors)
