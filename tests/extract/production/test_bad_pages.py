"""Whatever a page is, the production method comes to a decided outcome, in bounds of time."""

from __future__ import annotations

import time

import pytest

from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement, RawPage
from tests.extract.pages import ANNOUNCEMENT, BODY, TITLE, page

SECONDS = 20.0


def outcomes(*bodies: bytes, said: Announcement = ANNOUNCEMENT) -> list[Article | NoArticle]:
    pages = [
        RawPage(url=f"http://post.test/{place}", id=str(place), body=body, announcement=said)
        for place, body in enumerate(bodies)
    ]
    begun = time.process_time()
    found = extract_group(pages, "article")
    assert time.process_time() - begun < SECONDS
    return list(found.results)


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body><img src='a.png'></body></html>",
        b"<html><body><p>Fog</p></body></html>",
        b"<html><body><p>...</p><p>\xe2\x80\x94</p></body></html>",
        b"<html><body>" + b"<li><a href='/x'>Home and away</a></li>" * 500 + b"</body></html>",
        b"<html><body><nav>Home</nav><button>Accept all cookies and close</button></body></html>",
        b"<html><frameset><frame src='a.html'></frameset></html>",
    ],
)
def test_page_with_nothing_to_read_has_a_reason(body: bytes) -> None:
    (found,) = outcomes(body, said=Announcement())
    assert isinstance(found, NoArticle)
    assert found.reason


def test_pages_with_nothing_to_read_do_not_harm_their_siblings() -> None:
    good = page(f"<div id='story'><h1>{TITLE}</h1>{BODY}</div>")
    found = outcomes(b"", b"<p>Fog</p>", good, b"%PDF-1.4", b"<body></body>")
    assert [isinstance(one, Article) for one in found] == [False, False, True, False, False]


@pytest.mark.parametrize(
    "tag",
    [
        "div",
        "table><tr><td",
        *(pytest.param(tag, marks=pytest.mark.zoo) for tag in ("span", "ul><li", "b", "a href='x'")),
    ],
)
def test_ten_thousand_levels_do_not_hide_the_article(tag: str) -> None:
    body = page(f"{f'<{tag}>' * 10_000}</div></table></ul><div><h1>{TITLE}</h1>{BODY}</div>")
    (found,) = outcomes(body)
    assert isinstance(found, Article)
    assert "Fishermen fear" in found.text


def test_article_below_ten_thousand_levels_is_found() -> None:
    (found,) = outcomes(page("<div>" * 10_000 + f"<section><h1>{TITLE}</h1>{BODY}</section>"))
    assert isinstance(found, Article)
    assert "Fishermen fear" in found.text


@pytest.mark.zoo
def test_huge_table_beside_the_article_is_read_in_time() -> None:
    table = "<table>" + "<tr><td>1</td><td>2,5</td><td><a href='/x'>Ferry</a></td></tr>" * 10_000 + "</table>"
    (found,) = outcomes(page(f"<div id='story'><h1>{TITLE}</h1>{BODY}</div><div>{table}</div>"))
    assert found is not None


@pytest.mark.zoo
def test_thousands_of_blocks_and_of_names_are_read_in_time() -> None:
    names = "".join(f"<div class='c{one} widget-{one}' id='i{one}'>Ad {one}</div>" for one in range(8000))
    (found,) = outcomes(page(f"<article><h1>{TITLE}</h1>{BODY}</article>{names}"))
    assert isinstance(found, Article)
    assert "Fishermen fear" in found.text


def test_endless_word_is_read_in_time() -> None:
    (found,) = outcomes(page(f"<article><h1>{TITLE}</h1>{BODY}<p>{'a' * 1_000_000}</p></article>"))
    assert found is not None


def test_unclosed_statement_of_a_body_is_read_in_time() -> None:
    head = f"""<script type="application/ld+json">{'{"articleBody": "' + "a" * 500_000}</script>"""
    (found,) = outcomes(page(f"<article><h1>{TITLE}</h1>{BODY}</article>", head=head))
    assert isinstance(found, Article)
    many = """<script type="application/ld+json">""" + '"articleBody": "' * 20_000 + "</script>"
    (found,) = outcomes(page(f"<article><h1>{TITLE}</h1>{BODY}</article>", head=many))
    assert isinstance(found, Article)
