"""Rules in plain words."""

from __future__ import annotations

import pytest

from archiver.documents.expressions.parsing import parse
from archiver.fields.model import FieldRule, PieceOf, Take
from archiver.fields.wording import rule_in_words


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("span.price", "the span with class “price”"),
        ("//div.book//span.price", "the span with class “price” in the div with class “book”"),
        ("//*[@itemprop='price']/@content", "“content” of the element with itemprop “price”"),
        ("//dt[.='Price']/following-sibling::dd[1]", "the 1st dd behind the dt that says “Price”"),
        ("/html/body/div[2]/span[last()]", "the last span in the 2nd div"),
        ("//td[contains(.,'Court')]/..", "what is around the td that mentions “Court”"),
        ("//h1/text()", "the text directly in the h1"),
        ("//p[not(@class)]", "the p that does not have class"),
        ("(//p)[12]", "the 12th p"),
        ("h1 | h2", "the h1, or the h2"),
    ],
)
def test_an_expression_is_told_in_words(path: str, words: str) -> None:
    assert rule_in_words(FieldRule(path=parse(path))) == words


def test_what_is_stated_for_machines_is_told() -> None:
    words = rule_in_words(FieldRule(statement="Book.isbn"))
    assert words == "what the page states for machines as isbn of Book"


@pytest.mark.parametrize(
    ("take", "words"),
    [
        (Take(after="£"), ": what stands behind “£”"),
        (Take(after="£", before="("), ": what stands behind “£” and before “(”"),
        (Take(split=PieceOf(by=",", nth=2)), ", piece 2 of what “,” divides"),
        (Take(match="(a+)"), ", as far as it matches (a+)"),
        (Take(typed=True), ", the part that reads as its type"),
    ],
)
def test_the_part_of_a_text_that_is_taken_is_told(take: Take, words: str) -> None:
    rule = FieldRule(path=parse("p"), take=take)
    assert rule_in_words(rule) == f"the p{words}"
