"""Which texts are expressions, what they mean, and what is said of those that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.model import Axis, Condition, Position, Subject, Test, has_class
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import select
from archiver.documents.pages.dom import parse_markup
from archiver.errors import ExpressionFlaw, OverBudget
from tests.expressions.strategies import EXPRESSIONS

if TYPE_CHECKING:
    from archiver.documents.expressions.model import Expression

CANONICAL = [
    ("body[has(@class,'blog')]", "body.blog"),
    ("//div[contains(concat(' ', normalize-space(@class), ' '), ' proplist_wrap ')]", "//div.proplist_wrap"),
    ('div[ @id = "it\'s" ]', 'div[@id="it\'s"]'),
    (".//span", "span"),
    ("./@id", "@id"),
    ("@id", "@id"),
    (".//@id", ".//@id"),
    ("./a", "./a"),
    ("../a", "./../a"),
    (".", "."),
    ("text()", "text()"),
    ("A.Next.page-numbers/@HREF", "a.Next.page-numbers/@href"),
    ("p[@a and contains(.,'x')]", "p[@a][contains(.,'x')]"),
    ("(//dt[normalize-space(.)='Price'])[1]/following::dd[2]", "(//dt[.='Price'])[1]/following::dd[2]"),
    ("td[last()]|th[1]", "td[last()] | th[1]"),
    ("tr[th='Author']/td/text()[1]", "tr[th='Author']/td/text()[1]"),
    ("dd/preceding-sibling::dt[1]", "dd/preceding-sibling::dt[1]"),
    ("a[not(has(@rel,'nofollow'))]/@href", "a[not(has(@rel,'nofollow'))]/@href"),
    ("http/header[@name='link'][contains(@value,'x')]", "http/header[@name='link'][contains(@value,'x')]"),
    ("*[has(@class,'md:flex')]", "*[has(@class,'md:flex')]"),
]


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_an_expression_has_one_way_to_be_written(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


def test_steps_are_values() -> None:
    first, second, third = parse("div.post[@id='x']/a[2]//@href").steps
    assert (first.axis, first.tag) == (Axis.DESCENDANT, "div")
    assert first.predicates == (has_class("post"), Condition(Test.EQUALS, Subject.ATTRIBUTE, "id", "x"))
    assert (second.axis, second.predicates) == (Axis.CHILD, (Position(2),))
    assert (third.axis, third.tag, third.is_value) == (Axis.DESCENDANT, "@href", True)
    assert parse("a/@href").gives == "values"
    assert parse("a").gives == "elements"


@given(EXPRESSIONS)
def test_what_is_printed_is_read_as_the_same(expression: Expression) -> None:
    assert parse(str(expression)) == expression


FLAWS = [
    ("", 1, "Here must stand", ""),
    ("div[", 5, "Here must stand", ""),
    ("div[@a='x'", 11, "] is missing here", ""),
    ("p[count(preceding::p)=5]", 3, "count() is not part of this language", ""),
    ("a[contain(@href,'x')]", 3, "contain() is not part of this language", "did you mean contains()?"),
    ("a/preceding::p", 3, "The axis preceding:: is not part of this language", "preceding-sibling::"),
    ("a/ancestor::p", 3, "The axis ancestor::", ""),
    ("div#main", 4, "An id is not written with #", "write div[@id='main']"),
    (".entry-title", 1, "A class has no element before it", "write *.entry-title"),
    ("div/.x", 5, "A class has no element before it", "write *.x"),
    ("a/@href/b", 9, "it is the last step", ""),
    ("a[@x!='y']", 5, "Only = compares", "write not(…='…')"),
    ("a[@x='1' or @y='2']", 12, "`or` is not part of this language", "write two expressions"),
    ("a[@x='1]", 6, "A text in quotes is missing here", ""),
    ("a/following::b", 15, "following:: needs a position", "write following::b[1]"),
    ("a/following::b[last()]", 23, "following:: needs a position", ""),
    ("a.b.c.d.e.f", 12, "more than 4 conditions", ""),
    ("/".join("a" * 13), 26, "more than 12 steps", ""),
    ("a" * 513, 1, "513 characters", ""),
    ("a[0]", 3, "Positions are 1 to", ""),
    ("a[.]", 4, "A dot alone is no condition", ""),
    ("a[contains(@x,'')]", 18, "An empty text is in everything", ""),
    ("a[has(.,'x')]", 13, "has() looks for one word of an attribute", "write has(@class,'word')"),
    ("(a)", 4, "needs a position behind", "write (…)[1]"),
    ("(a[1]", 6, "A parenthesis is not closed", ""),
    ("//a[b/c='x']", 6, "] is missing here", ""),
    ("a b", 3, "b is not understood", ""),
    ("a[$x]", 3, "Here must stand", ""),
    ("document('file')", 1, "document() is not part of this language", ""),
    ("a/@href[1]", 11, "An attribute has no position", ""),
    ("a/@href[@x]", 11, "compared by a dot", ""),
]


@pytest.mark.parametrize(("text", "column", "message", "suggestion"), FLAWS)
def test_a_flaw_says_where_and_what_to_do(text: str, column: int, message: str, suggestion: str) -> None:
    with pytest.raises(ExpressionFlaw) as caught:
        parse(text)
    assert message in caught.value.message
    assert suggestion in caught.value.suggestion
    assert caught.value.column == column


PIECES = st.sampled_from(
    [
        "a", "b", "*", "@", "@href", "@*", "text()", "/", "//", ".", "..", ".x", "[", "]", "(", ")", "[1]",
        "[last()]", "'", '"', "'x'", "=", ",", "|", "#", "has(", "contains(", "starts-with(", "not(",
        "following::", "following-sibling::", "preceding-sibling::", "and", "or", "normalize-space(", "12",
        "http", "url", "!", "é",
    ]
)  # fmt: skip
TREE = parse_markup("<p class=x>a<a href=b>b</a>" * 30)


def parsed(text: str) -> Expression | None:
    try:
        return parse(text)
    except ExpressionFlaw as error:
        flaw = error
    assert 1 <= flaw.column <= len(text) + 1
    return None


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join)))
@example("(" * 400)
@example("a[" + "not(" * 120)
@example("a[" + "normalize-space(" * 31)
def test_whatever_is_typed_is_refused_or_ends_within_its_budget(text: str) -> None:
    assert TREE is not None
    expression = parsed(text)
    if expression is None:
        return
    assert parse(str(expression)) == expression
    budget = Budget(100_000)
    try:
        select(expression, TREE, budget)
    except OverBudget:
        assert budget.left < 0
