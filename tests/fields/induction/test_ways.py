"""What a way finds on the index of a page is what its printed expression finds on the page."""

from __future__ import annotations

from hypothesis import given, settings

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.model import Axis, Expression, Subject
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import select
from archiver.fields.induction.anchors import SharedAnchors
from archiver.fields.induction.candidates import ways_to
from archiver.fields.induction.costs import rule_cost
from archiver.fields.induction.page_index import PageArrays, index_of
from archiver.fields.induction.places import ValuePlace
from archiver.fields.induction.ways import PathWay, Walker
from archiver.fields.model import Field, FieldRule
from tests.expressions.strategies import EXPRESSIONS, pages
from tests.fields.induction.pages import BOOKS, book

FIELD = Field(field="any")


def way_of(expression: Expression) -> PathWay:
    first, *rest = expression.steps
    return PathWay(first).then(*rest)


def is_made_here(expression: Expression) -> bool:
    """Whether candidates are of this form: absolute, without conditions on children and on values."""
    steps = expression.steps
    of_children = any(one.subject is Subject.CHILD for step in steps for one in step.conditions)
    of_values = steps[-1].is_value and bool(steps[-1].conditions)
    is_below = steps[-1].is_value and steps[-1].axis is Axis.DESCENDANT
    return expression.routes[0].absolute and not (of_children or of_values or is_below) and len(steps) > 1


@settings(deadline=None, max_examples=60)
@given(pages(), EXPRESSIONS.filter(is_made_here))
def test_a_way_finds_what_select_finds(tree: object, expression: Expression) -> None:
    document = VirtualDocument(tree=tree)  # type: ignore[arg-type]
    walker, way = Walker(PageArrays(document)), way_of(expression)
    found = select(expression, document)
    if way.step.is_value:
        texts = [" ".join(text.split()) for text in found if isinstance(text, str)]
        assert sorted(walker.texts(way, FIELD, 1000)) == sorted(text for text in texts if text)
    else:
        assert [walker.index.elements[one] for one in walker.elements(way)] == found


def test_every_candidate_is_printed_as_an_expression_that_leads_to_the_same_place() -> None:
    page = book(0)
    index = index_of(page)
    walker = Walker(index)
    anchors = SharedAnchors([index, *(index_of(book(number)) for number in (1, 2, 3))], BOOKS[0])
    (price,) = index.by_own_text["£12.50"]
    (facts,) = index.by_attribute["class", "facts"]
    places = [
        ValuePlace(element=price, text="£12.50"),
        ValuePlace(element=facts, own=1, text="240"),
        ValuePlace(element=index.by_tag["a"][2], attribute="href", text="/authors/0"),
    ]
    ways = [way for place in places for way in ways_to(place, walker, anchors)]
    assert len(ways) > 50
    for way in ways:
        expression = parse(way.text)
        assert expression == way.expression
        found = select(expression, page)
        if way.step.is_value:
            texts = [" ".join(one.split()) for one in found if isinstance(one, str)]
            assert walker.texts(way, FIELD, 1000) == [text for text in texts if text]
        else:
            assert [index.elements[one] for one in walker.elements(way)] == found


def test_the_cost_of_a_way_is_that_of_its_rule() -> None:
    for text in ("//dl/dt[.='Price']/following-sibling::dd[1]", "(//*.price)[2]/@content", "//h1/text()[2]"):
        way = way_of(parse(text))
        assert abs(way.cost - rule_cost(FieldRule(path=parse(text)))) < 1e-9


def test_what_machines_read_costs_least_and_places_among_siblings_most() -> None:
    texts = [
        "//*[@itemprop='price']",
        "//*.price",
        "//dt[.='Price']/following-sibling::dd[1]",
        "/html/body/div[2]/p",
    ]
    costs = [rule_cost(FieldRule(path=parse(text))) for text in texts]
    assert costs == sorted(costs)
    assert rule_cost(FieldRule(statement="Book.isbn")) <= costs[0]
