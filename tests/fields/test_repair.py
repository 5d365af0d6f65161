"""A field whose pages have changed is found again by what the archive remembers, or left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.pages.dom import parse_html
from archiver.fields.model import Field, FieldRule, FieldScope, FieldWrapper, Take
from archiver.fields.proving import PageValues, stands_on, tried_on
from archiver.fields.relaxing import relaxations
from archiver.fields.remembered import KnownValue
from archiver.fields.repair import repair, with_field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TITLES = ("The harbour", "Salt", "A year of rain", "Lamps", "North", "The long wall", "Bread", "Under glass")


def old(number: int, price: str) -> str:
    return f"""<div id="product"><h1>{TITLES[number % 8]} {number}</h1>
    <table><tr><th>Price</th><td class="price">{price}</td></tr>
    <tr><th>Pages</th><td>{100 + number}</td></tr></table></div>"""


def renamed(number: int, price: str) -> str:
    return old(number, price).replace('class="price"', 'class="amount"').replace("<table>", "<table class=f>")


def redesigned(number: int, price: str) -> str:
    return f"""<main><article><p class="top"><a href="/">Shop</a></p><h1>{TITLES[number % 8]} {number}</h1>
    <section class="buy"><span class="label">Our price</span><span class="now"><b>{price}</b></span>
    <button>Add to basket</button></section><p>{100 + number} pages</p></article></main>"""


def document(body: str, number: int) -> VirtualDocument:
    page = f"<html><head><title>Shop</title></head><body>{body}</body></html>"
    url = f"http://books.example/book/{number}"
    return VirtualDocument(tree=parse_html(page.encode(), "text/html", url), url=url)


def price_of(number: int) -> str:
    return f"{7 + number}.{10 + number % 80}"


def pages(
    template: Callable[[int, str], str], numbers: Sequence[int], known: Sequence[int] = ()
) -> list[PageValues]:
    return [
        PageValues(
            document=document(template(number, f"£{price_of(number)}"), number),
            values=(KnownValue(value=price_of(number), text=f"£{price_of(number)}"),)
            if number in known
            else (),
        )
        for number in numbers
    ]


def wrapper(*paths: str, take: Take | None = None) -> FieldWrapper:
    rules = tuple(FieldRule(path=parse(path), take=take) for path in paths)
    price = Field(field="price", type="price", required=True, rules=rules)
    return FieldWrapper(wrapper="bookshop", scope=FieldScope(site="books.example"), fields=(price,))


SHOP = wrapper("//td.price")
BEFORE = pages(old, range(12), range(12))


@pytest.mark.parametrize("template", [renamed, redesigned])
def test_known_values_lead_to_the_field_again(template: Callable[[int, str], str]) -> None:
    after = pages(template, range(20), known=range(8))
    found = repair(SHOP, "price", BEFORE, after)
    assert found is not None
    for page, number in zip(after, range(20), strict=True):
        (value,) = tried_on(page.document, found.field.rules, found.field).values
        assert value.value == price_of(number)
    assert found.field.rules[-1] == SHOP.fields[0].rules[0], "the old rule stays below"
    assert found.proof.known == found.proof.agreed > 0
    assert with_field(SHOP, found.field).fields == (found.field,)


def test_the_fields_other_rules_come_first() -> None:
    after = pages(lambda number, price: old(number, price).replace("<h1>", '<p class="price">£1</p><h1>')
        .replace("<td class", "<td data-x"), range(12), known=range(12))  # fmt: skip
    both = wrapper("//*.price", "//th[.='Price']/following-sibling::td[1]")
    found = repair(both, "price", BEFORE, after)
    assert found is not None
    assert found.way == "other rule"
    assert found.field.rules[0] == both.fields[0].rules[1]


def test_values_that_are_gone_from_the_pages_prove_nothing() -> None:
    sold_out = pages(lambda number, _: redesigned(number, "sold out"), range(12), known=range(12))
    assert repair(SHOP, "price", BEFORE, sold_out) is None


def test_what_cannot_be_proved_on_enough_pages_is_not_used() -> None:
    assert repair(SHOP, "price", BEFORE, pages(redesigned, range(3))) is None


def test_new_pages_alone_are_enough_where_two_ways_agree() -> None:
    """No page of today has a past, and the label beside the value stayed."""
    after = pages(renamed, range(40, 52))
    found = repair(SHOP, "price", BEFORE, after)
    assert found is not None
    for page, number in zip(after, range(40, 52), strict=True):
        (value,) = tried_on(page.document, found.field.rules, found.field).values
        assert value.value == price_of(number)


def test_new_pages_alone_with_nothing_left_of_the_old_template_are_left_to_a_person() -> None:
    assert repair(SHOP, "price", BEFORE, pages(redesigned, range(40, 52))) is None


def test_a_value_among_other_words_still_stands_on_the_page() -> None:
    price = Field(field="price", type="price")
    page = document("<p>Now only £12.50</p><p>7</p>", 1)
    assert stands_on(page, [KnownValue(value="12.50", text="£12.50")], price)
    assert not stands_on(page, [KnownValue(value="99.50", text="£99.50")], price)


def test_rules_are_relaxed_by_one_step_at_a_time() -> None:
    rule = FieldRule(path=parse("//div.info/table/tr[2]/td.price"))
    page = document(
        '<div class="infos"><div><table><tr><td class="prices">1</td></tr></table></div></div>', 1
    )
    found = [str(one.path) for one in relaxations(rule, [page])]
    assert "//div.info/table/tr/td.price" in found
    assert "//div.info//table/tr[2]/td.price" in found
    assert "//div.infos/table/tr[2]/td.price" in found
    assert "//div.infos//table/tr[2]/td.price" in found
    assert found.index("//div.infos/table/tr[2]/td.price") < found.index("//div.infos//table/tr[2]/td.price")
