"""Records that a person pointed at become expressions; values within them, relative ones."""

from __future__ import annotations

import pytest
from lxml import html

from archiver.documents.expressions.selecting import owners
from archiver.fields.induction.lists import page_path, record_nodes, relative_path

PAGE = html.document_fromstring("""
<nav><a href="/">Home</a><a href="/a">About</a></nav>
<ul class="facets"><li>Red</li><li>Blue</li></ul>
<div class="offers">
<article class="offer"><h2><a href="/1">One</a></h2><p class="price">£1</p><p>Near the sea</p></article>
<article class="offer"><h2><a href="/2">Two</a></h2><p>In town</p></article>
<article class="offer sold"><h2><a href="/3">Three</a></h2><p class="price">£3</p></article>
<aside>Advertisement</aside>
</div>
<div class="pages"><a href="?p=1">Previous</a> <a href="?p=3">Next</a></div>
""")


def test_one_value_or_two_lead_to_all_records() -> None:
    offers = PAGE.xpath("//article")
    assert record_nodes([PAGE.xpath("//article[1]//a")[0]]) == offers
    assert record_nodes([PAGE.xpath("//article[1]/p")[0], PAGE.xpath("//article[3]/h2")[0]]) == offers
    assert record_nodes([PAGE.xpath("//aside")[0]]) == []


@pytest.mark.parametrize(
    ("marked", "texts"),
    [("//article[1]//a", ["One", "Two", "Three"]), ("//article[1]/p[@class]", ["£1", None, "£3"])],
)
def test_a_value_of_one_record_is_found_in_all(marked: str, texts: list[str | None]) -> None:
    records = PAGE.xpath("//article")
    path = relative_path(PAGE.xpath(marked), records)
    assert path is not None
    found = [owners(path, record) for record in records]
    assert [one[0].text if one else None for one in found] == texts


def test_a_link_of_the_page_is_told_by_what_it_says() -> None:
    path = page_path(PAGE.xpath("//a[.='Next']")[0])
    assert path is not None
    assert path.text == "a[.='Next']"
    assert relative_path([PAGE.xpath("//nav/a")[0]], PAGE.xpath("//article")) is None
