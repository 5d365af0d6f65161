"""A wrapper on a page: which rule gives the value, and what it costs at most."""

from __future__ import annotations

import time

import pytest

from archiver.documents.expressions.budget import Budget
from archiver.fields.execution import follow_rule, read_fields, rule_places, rule_values
from archiver.fields.model import Field, FieldRule, FieldType, PieceOf, Take
from archiver.fields.statements import stated_texts, statement_paths
from tests.fields.pages import page, rule, wrapper

BOOK = page("""
<html><head><base href="/shop/"><script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [{"@type": ["Book", "Product"], "isbn": "9780306406157",
 "author": [{"@type": "Person", "name": "Ann"}, {"@type": "Person", "name": "Bob"}],
 "offers": {"@type": "Offer", "price": 12.5}}]}
</script><script type="application/ld+json">{broken</script></head><body>
<h1>The <b>Sea</b></h1>
<dl><dt>Price</dt><dd>£12.50 (used)</dd><dt>Pages</dt><dd>n/a</dd></dl>
<div class="tags"><a href="t/1">Sea</a><a href="/t/2">Ships</a><a href="javascript:x()">No</a></div>
<p class="blurb" onclick="x()">Long <script>evil()</script><i>text</i></p>
<time datetime="2026-11-17T10:00:00Z">last Tuesday</time><img src="c.jpg" alt="Cover">
<ul><li>Ann</li><li></li><li>Bob</li></ul>
<div itemscope itemtype="http://schema.org/Offer"><span itemprop="price">13</span>
<a itemprop="url" href="/o">Go</a></div></body></html>""")


def first(kind: FieldType, *rules: FieldRule) -> str | None:
    read = read_fields(BOOK, wrapper(Field(field="x", type=kind, rules=rules))).readings["x"]
    return read.values[0].value if read.values else None


def test_the_first_rule_that_gives_a_value_of_the_type_is_taken() -> None:
    rules = (
        rule("h2"),
        rule("dt[.='Pages']/following-sibling::dd[1]"),
        rule("dt[.='Price']/following-sibling::dd[1]", Take(before="(")),
        rule("h1"),
    )
    read = read_fields(BOOK, wrapper(Field(field="price", type="price", rules=rules)))
    reading = read.readings["price"]
    assert (reading.rule, reading.mistyped, read.trouble) == (3, True, "")
    value = reading.values[0]
    assert (value.value, value.currency, value.text) == ("12.50", "GBP", "£12.50 (used)")


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("text", "h1", "The Sea"),
        ("text", "img", "Cover"),
        ("moment", "time", "2026-11-17T10:00:00Z"),
        ("text", "time", "last Tuesday"),
        ("url", "div.tags/a", "https://books.example/shop/t/1"),
        ("image", "body", "https://books.example/shop/c.jpg"),
        ("html", "p.blurb", "<div><p>Long <i>text</i></p></div>"),
        # A place that is not a value decides, so that the next one is not taken for it.
        ("price", "dl/dd[last()]", None),
        ("integer", "dt | dd", None),
    ],
)
def test_an_element_says_what_its_field_asks_for(kind: FieldType, path: str, expected: str | None) -> None:
    assert first(kind, rule(path)) == expected


def test_many_values_are_all_that_can_be_read() -> None:
    read = read_fields(
        BOOK,
        wrapper(
            Field(field="authors", many=True, rules=(rule("li"),)),
            Field(field="links", type="url", many=True, rules=(rule("div.tags/a"),)),
            Field(field="words", many=True, rules=(rule("h1", Take(split=PieceOf(by=" ", nth=0))),)),
        ),
    )
    values = {name: [one.value for one in reading.values] for name, reading in read.readings.items()}
    assert values == {
        "authors": ["Ann", "Bob"],
        "links": ["https://books.example/shop/t/1", "https://books.example/t/2"],
        "words": ["The", "Sea"],
    }


def test_statements_are_paths_over_all_things_of_a_page() -> None:
    assert stated_texts(BOOK, "Product.offers.price") == ["12.5"]
    assert stated_texts(BOOK, "Book.author") == ["Ann", "Bob"]
    assert stated_texts(BOOK, "Offer.price") == ["12.5", "13"]
    assert stated_texts(BOOK, "Offer.url") == ["/o"]
    assert stated_texts(BOOK, "Book.missing.name") == []
    assert first("isbn", FieldRule(statement="Book.isbn")) == "9780306406157"
    assert ("Book.author.name", "Bob") in statement_paths(BOOK)
    assert all(text in stated_texts(BOOK, path) for path, text in statement_paths(BOOK))


def test_what_a_rule_came_to_is_told() -> None:
    field = Field(field="x", type="price")
    told = [follow_rule(BOOK, rule(path), field, Budget()).problem for path in ("h2", "h1", "body/ul/li[2]")]
    assert told == ["nothing is there", "“The Sea” gives no price", "what is there has no text"]
    assert len(rule_places(BOOK, rule("li"))) == 3
    assert rule_values(BOOK, rule("h1"), field) == []


@pytest.mark.parametrize(
    "parts", [15_000, pytest.param(100_000, marks=pytest.mark.zoo)], ids=["45,000", "300,000"]
)
def test_a_page_of_many_elements_stops_the_rules_and_not_the_process(parts: int) -> None:
    deep = page("<html><body>" + "<div><p>a</p><p>b</p></div>" * parts + "</body></html>")
    fields = [
        Field(field=f"f{number}", rules=tuple(rule("//*//*[.='c']/..//*[contains(.,'x')]") for _ in range(8)))
        for number in range(20)
    ]
    last = Field(field="last", rules=(rule("/html/body/div[1]/p[1]"),))
    start = time.process_time()
    read = read_fields(deep, wrapper(last, *fields))
    assert time.process_time() - start < 10
    assert read.readings["last"].values[0].value == "a"
    assert any("looks at too much of this page" in told for told in read.trouble.split("; "))
    assert "not read, since the rules before it look at too much" in read.trouble


def test_the_whole_page_is_not_a_value() -> None:
    large = page("<html><body>" + "<p>word</p>" * 6_000 + "</body></html>")
    field = Field(field="x", rules=(rule("body"),))
    assert read_fields(large, wrapper(field)).readings["x"].values == ()
