"""What is taken from the chosen node, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.articles.methods.assembly import article_from, links_in
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import Article, NoArticle, ParsedPage, Selection
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.model import Link, RawPage

if TYPE_CHECKING:
    from lxml import etree

BASE = "https://example.org/a/b.html"


def node(markup: str) -> etree._Element:
    tree = parse_markup(f"<html><body><div>{markup}</div></body></html>")
    assert tree is not None
    found = cleaned(tree).find("body/div")
    assert found is not None
    return found


def taken(markup: str, *dropped: str) -> Article | NoArticle:
    """The article of a page whose body is chosen, without the elements at these paths."""
    page = parse_page(RawPage(url=BASE, body=markup.encode()))
    assert isinstance(page, ParsedPage)
    body = page.cleaned.find("body")
    assert body is not None
    out = frozenset(one for path in dropped for one in body.findall(path))
    return article_from(
        page, Selection(node=body, confidence=0.5, evidence={}, dropped=out, siblings=("1",)), "test"
    )


def article_of(markup: str, *dropped: str) -> Article:
    article = taken(markup, *dropped)
    assert isinstance(article, Article)
    return article


def test_links_are_absolute_and_once_each_in_order() -> None:
    markup = """<a href="/2"><img src="x"></a><a href="1"> one  more </a><a href="/2">two</a>
        <a href="#note">3</a><a href="mailto:x@example.org">mail</a><a>none</a>"""
    assert links_in(node(markup), BASE) == (
        Link(url="https://example.org/2", text="two"),
        Link(url="https://example.org/a/1", text="one more"),
    )


def test_what_was_dropped_is_nowhere_and_what_follows_it_stays() -> None:
    markup = """<p>The ferry sails <span>(ad: <a href="/ad">buy</a>)</span> on Friday.</p>
        <aside>Related: <a href="/other">Other</a><img src="other.jpg"></aside>From the old harbour."""
    article = article_of(markup, ".//span", "aside")
    assert article.text == "The ferry sails on Friday.\n\nFrom the old harbour."
    assert article.html == "<div><p>The ferry sails on Friday.</p><p>From the old harbour.</p></div>"
    assert (article.links, article.images) == ((), ())


def test_zones_of_comments_are_not_of_the_article() -> None:
    article = article_of("<p>The ferry sails.</p><div id='comments'><p>First!</p></div>")
    assert article.text == "The ferry sails."


def test_the_page_is_not_changed() -> None:
    page = parse_page(RawPage(url=BASE, body=b"<p>a</p><div class='comments'>b</div><aside>c</aside>"))
    assert isinstance(page, ParsedPage)
    body = page.cleaned.find("body")
    assert body is not None
    before = len(list(body.iter()))
    article_from(page, Selection(node=body, confidence=1, evidence={}), "test")
    assert len(list(body.iter())) == before


@pytest.mark.parametrize(
    ("markup", "outcome"),
    [
        ("<p>x</p><div>The ferry sails</div>", "empty"),
        (
            "<ul><li><a href='/1'>The ferry sails</a></li><li><a href='/2'>Fog again</a></li></ul>",
            "not_article",
        ),
    ],
)
def test_nothing_and_a_list_of_links_are_no_article(markup: str, outcome: str) -> None:
    found = taken(markup, "p", "div")
    assert isinstance(found, NoArticle)
    assert found.outcome == outcome
