"""What expressions find: as libxml2 does for the same XPath, on pages made up for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import matches, owners, select
from archiver.documents.pages.dom import parse_markup
from tests.expressions.oracle import xpath
from tests.expressions.strategies import EXPRESSIONS, pages

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.expressions.model import Expression

PAGE = """<html><head><meta name="generator" content="WordPress 6.1"></head><body class="single blog">
<article class="post type-post"><h1 class="entry-title">A <b>ferry</b></h1>
<p class="postmeta">by <a rel="author" href="/jane">Jane</a></p>
<dl><dt>Price</dt><dd>12</dd><dt>Pages</dt><dd>90</dd></dl></article>
<ol><li class="comment" id="c1">First<ol><li class="comment" id="c2">Second</li></ol></li>
<li class="comment" id="c3">Third</li></ol></body></html>"""


def page(markup: str = PAGE) -> Element:
    tree = parse_markup(markup)
    assert tree is not None
    return tree


def found(text: str, place: Element | VirtualDocument | None = None) -> list[str]:
    results = select(parse(text), page() if place is None else place)
    return [one if isinstance(one, str) else f"<{one.tag}>" for one in results]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("h1.entry-title", ["<h1>"]),
        ("*.post//a/@href", ["/jane"]),
        ("meta[@name='generator'][contains(@content,'WordPress')]/@content", ["WordPress 6.1"]),
        ("meta/@content[contains(.,'Press')]", ["WordPress 6.1"]),
        ("p[has(@class,'post')]", []),
        ("p[contains(@class,'post')]", ["<p>"]),
        ("body.single.blog", ["<body>"]),
        ("h1[.='A ferry']", ["<h1>"]),
        ("dt[.='Pages']/following-sibling::dd[1]/text()", ["90"]),
        ("dl[dt='Price']/dd[1]/text()", ["12"]),
        ("dd[last()]/text()", ["90"]),
        ("dd[2]/text()", ["90"]),
        ("(dd)[2]/text()", ["90"]),
        ("b/../@class", ["entry-title"]),
        ("dt[.='Price']/following::dd[2]/text()", ["90"]),
        ("li.comment/@id", ["c1", "c2", "c3"]),
        ("li[not(@id='c2')]/@id", ["c1", "c3"]),
        ("/html/body/@class", ["single blog"]),
        ("h1 | p.postmeta", ["<h1>", "<p>"]),
        ("p.postmeta | h1", ["<h1>", "<p>"]),
        ("//@rel", ["author"]),
        ("h1/@*", ["entry-title"]),
    ],
)
def test_expressions_lead_where_they_say(text: str, values: list[str]) -> None:
    assert found(text) == values
    assert found(text, VirtualDocument(tree=page())) == values


def test_a_way_begins_at_the_place_unless_it_has_a_slash() -> None:
    comment = owners(parse("li[@id='c1']"), page())[0]
    assert found("@id", comment) == ["c1"]
    assert found("./@id", comment) == ["c1"]
    assert found(".", comment) == ["<li>"]
    assert found("li/@id", comment) == ["c2"]
    assert found(".//li/@id", comment) == ["c2"]
    assert found("./ol/li/@id", comment) == ["c2"]
    assert found("//li/@id", comment) == ["c1", "c2", "c3"]
    assert found("text()", comment) == ["First"]


def test_what_is_outside_is_not_found() -> None:
    comments = owners(parse("li.comment"), page())
    outside = set(comments)
    assert select(parse("li/@id"), comments[0], outside=outside) == []
    assert select(parse(".//text()"), comments[0], outside=outside) == ["First"]


def test_the_server_and_the_address_are_asked_like_elements() -> None:
    headers = [("Link", '<https://x/wp-json/>; rel="https://api.w.org/"'), ("Set-Cookie", "bb_sid=1; Path=/")]
    document = VirtualDocument(tree=page(), url="https://b.example/forum/a?t=1", status=404, headers=headers)
    assert matches(parse("http/header[@name='link'][contains(@value,'https://api.w.org/')]"), document)
    assert found("http/cookie[@name='bb_sid']/@value", document) == ["1"]
    assert found("http/@status", document) == ["404"]
    assert found("url[contains(@path,'/forum/')]/@query", document) == ["t=1"]
    assert not matches(parse("http/header[@name='x-none']"), document)


def test_a_value_has_its_element() -> None:
    assert [one.tag for one in owners(parse("a/@href"), page())] == ["a"]


def libxml2(expression: Expression, place: Element) -> list[str | Element]:
    return list(etree.XPath(xpath(expression), smart_strings=False)(place))


@given(EXPRESSIONS, pages())
def test_libxml2_finds_the_same_on_a_page(expression: Expression, tree: Element) -> None:
    theirs = libxml2(expression, etree.ElementTree(tree)) if expression.routes[0].absolute else None
    if theirs is not None:
        assert select(expression, tree) == theirs
        assert select(expression, VirtualDocument(tree=tree)) == theirs


@given(EXPRESSIONS, pages(), st.integers(0, 5))
def test_libxml2_finds_the_same_below_an_element(expression: Expression, tree: Element, number: int) -> None:
    below = list(tree.iterdescendants())
    place = below[number % len(below)]
    assert select(expression, place) == libxml2(expression, place)
