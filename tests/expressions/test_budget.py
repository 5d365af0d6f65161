"""Large and deep pages: every expression ends, most of them soon, and none takes more than its budget."""

from __future__ import annotations

import contextlib
import time

import pytest
from lxml import etree

from archiver.documents.expressions.budget import MOST_NODES, Budget
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import select
from archiver.errors import OverBudget

LARGE, DEEP = 60_000, 10_000
# Of a processor, for one expression: what it may take here on a machine that is busy with other things.
SECONDS = 5


def large(count: int) -> etree._Element:
    """A list of elements beside each other."""
    html = etree.Element("html")
    for number in range(count):
        child = etree.SubElement(html, "p", {"class": f"x n{number}", "href": "a"})
        child.text = "word"
    return html


def deep(count: int) -> etree._Element:
    """Elements within each other, without help of a parser, which would stop much earlier."""
    html = inner = etree.Element("html")
    for number in range(count):
        inner = etree.SubElement(inner, "p", {"class": f"x n{number}", "href": "a"})
        inner.text = "word"
    return html


@pytest.fixture(scope="module")
def trees() -> dict[str, etree._Element]:
    return {"large": large(LARGE), "deep": deep(DEEP)}


WORST = [
    "p", "*", "p.x", "*.none", "zzz", "p//p", "p//p//p//p", "p//*//p//*//p", "//*//*//*//*/@href", "p/p/p",
    "p/../p/../p", "p[1]", "p[last()]//p[1]//p[2]", "p/following-sibling::p", "p/preceding-sibling::p",
    "p/following-sibling::p/following-sibling::p", "p//text()", "p//text()[contains(.,'zzz')]",
    "p[text()='zzz']", "p[.='zzz']", "p[starts-with(.,'zzz')]", "(p//p)[last()]/..", "p[p='zzz']", "p | p//p",
]  # fmt: skip
# What has to look at as much again for each element: it stops at its budget.
DEAR = [
    "p[contains(.,'zzz')]", "p/following-sibling::p[9999]", "p/preceding-sibling::p[@none][1]",
    "p/following::p[@none][1]", "p/following::zzz[1]", "p/following-sibling::zzz[last()]",
]  # fmt: skip


@pytest.mark.parametrize("tree", [large(3_000), deep(3_000)], ids=["large", "deep"])
@pytest.mark.parametrize("text", WORST)
def test_expressions_look_at_each_element_a_few_times(text: str, tree: etree._Element) -> None:
    budget = Budget()
    select(parse(text), VirtualDocument(tree=tree), budget)
    assert MOST_NODES - budget.left < 16 * 3_000


@pytest.mark.zoo
@pytest.mark.parametrize("kind", ["large", "deep"])
def test_expressions_end_soon_on_large_and_deep_pages(kind: str, trees: dict[str, etree._Element]) -> None:
    document = VirtualDocument(tree=trees[kind])
    for text in WORST:
        began = time.process_time()
        select(parse(text), document)
        assert time.process_time() - began < SECONDS, text


@pytest.mark.parametrize(
    ("text", "kind"),
    [(text, kind) for text in DEAR for kind in ("large", "deep") if ("sibling" in text) <= (kind == "large")],
)
def test_no_expression_takes_more_than_its_budget(
    text: str, kind: str, trees: dict[str, etree._Element]
) -> None:
    budget = Budget(100_000)
    with pytest.raises(OverBudget):
        select(parse(text), trees[kind], budget)


@pytest.mark.zoo
@pytest.mark.parametrize("kind", ["large", "deep"])
def test_the_dearest_expressions_stop_in_time(kind: str, trees: dict[str, etree._Element]) -> None:
    for text in DEAR:
        began = time.process_time()
        with contextlib.suppress(OverBudget):
            select(parse(text), trees[kind])
        assert time.process_time() - began < SECONDS, text


def test_a_budget_is_of_a_page_and_not_of_an_expression(trees: dict[str, etree._Element]) -> None:
    budget = Budget(LARGE + LARGE // 2)
    select(parse("p"), trees["large"], budget)
    with pytest.raises(OverBudget):
        select(parse("p"), trees["large"], budget)


def test_what_is_needed_on_the_largest_page_fits(trees: dict[str, etree._Element]) -> None:
    document, budget = VirtualDocument(tree=trees["large"]), Budget()
    for _ in range(15):
        select(parse("p[@href='b']"), document, budget)
    assert 0 < budget.left < MOST_NODES


def test_records_within_records_are_each_looked_at_once(trees: dict[str, etree._Element]) -> None:
    records = list(trees["deep"].iter("p"))
    outside, budget = set(records), Budget(5 * DEEP)
    found = [select(parse("text()"), one, budget, outside=outside) for one in records]
    found += [select(parse("p"), one, budget, outside=outside) for one in records]
    assert found.count(["word"]) == found.count([]) == DEEP
