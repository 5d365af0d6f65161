"""From one value on one page to rules that hold on the others."""

from __future__ import annotations

import pytest

from archiver.fields.execution import rule_values
from archiver.fields.induction.inducing import induce
from archiver.fields.induction.model import ExamplePage, ValueNotOnPageError
from archiver.fields.model import Field
from tests.fields.induction.pages import BOOKS, book

TITLE, AUTHOR, PRICE, ISBN, DAY, PAGES = range(6)
# A row that some books have before those that are looked for.
ROW = "<dt>Weight</dt><dd>300 g</dd>"


def texts(field: Field) -> list[str]:
    """What the first rule takes on pages that induction did not see."""
    unseen = [book(number, row=ROW) for number in (3, 4, 5)]
    found = [rule_values(page, field.rules[0], field) for page in unseen]
    return [values[0].text if values else "" for values in found]


@pytest.mark.parametrize(
    ("name", "column", "type"),
    [
        ("title", TITLE, "text"),
        ("author", AUTHOR, "text"),
        ("price", PRICE, "price"),
        ("isbn", ISBN, "isbn"),
        ("published", DAY, "date"),
        ("pages", PAGES, "integer"),
    ],
)
def test_one_example_and_two_other_pages_are_enough(name: str, column: int, type: str) -> None:  # noqa: A002
    others = [book(1), book(2, row=ROW)]
    example = ExamplePage(document=book(0), value=BOOKS[0][column])
    induced = induce(Field(field=name), [example], others)
    assert induced.field.type == type
    assert texts(induced.field) == [BOOKS[number][column] for number in (3, 4, 5)]


def test_rules_behind_the_first_go_by_other_things() -> None:
    example = ExamplePage(document=book(0), value=BOOKS[0][ISBN])
    induced = induce(Field(field="isbn"), [example], [book(1), book(2), book(3)])
    rules = induced.field.rules
    assert len(rules) > 1
    assert rules[0].statement == "Book.isbn"
    assert all(rule.path is not None for rule in rules[1:])
    assert any("ISBN:" in str(rule.path) for rule in rules[1:])


def test_a_name_that_only_one_page_has_is_no_condition() -> None:
    example = ExamplePage(document=book(0), value=BOOKS[0][PRICE])
    induced = induce(Field(field="price"), [example], [book(1), book(2)])
    assert not any("css-1x" in str(one.rule.path) for one in induced.ranked)


def test_a_part_of_a_text_is_taken() -> None:
    example = ExamplePage(document=book(0), value="Night Ferry")
    induced = induce(Field(field="short"), [example], [])
    rule = induced.field.rules[0]
    assert rule.take is not None
    assert [value.value for value in rule_values(book(0), rule, induced.field)] == ["Night Ferry"]


def test_an_element_that_was_pointed_at_is_an_example_by_itself() -> None:
    page = book(0)
    node = page.tree.find(".//h1")
    induced = induce(Field(field="title"), [ExamplePage(document=page, node=node)], [book(1), book(2)])
    assert texts(induced.field) == [BOOKS[number][TITLE] for number in (3, 4, 5)]


def test_a_value_that_is_not_on_the_page_is_told_with_the_nearest_texts() -> None:
    example = ExamplePage(document=book(0), value="The Nigt Fery")
    with pytest.raises(ValueNotOnPageError) as raised:
        induce(Field(field="title"), [example], [])
    assert raised.value.nearest[0] == "The Night Ferry"


def test_all_values_of_a_field_of_many_are_found() -> None:
    example = ExamplePage(document=book(0), values=("Price", "Published"))
    induced = induce(Field(field="labels", many=True), [example], [book(1), book(2)])
    found = rule_values(book(3, row=ROW), induced.field.rules[0], induced.field)
    assert [value.value for value in found] == ["Price", "Weight", "Published"]


def test_the_same_examples_give_the_same_rules() -> None:
    made = [
        induce(
            Field(field="price"), [ExamplePage(document=book(0), value=BOOKS[0][PRICE])], [book(1), book(2)]
        )
        for _ in range(2)
    ]
    assert made[0].field == made[1].field
