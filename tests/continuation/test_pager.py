"""The pager of an article's zone: what leads on, what leads to all of it, and what leads elsewhere."""

from __future__ import annotations

import time

import pytest

from archiver.articles.continuation.addresses import may_continue
from archiver.articles.continuation.joining import where_next
from archiver.documents.pages.model import Announcement, RawPage
from tests.crawl.documents import prose

URL = "http://gazette.example/news/report.html"
TEXT = "".join(f"<p>{one}</p>" for one in prose(7))


def page(pager: str, *, head: str = "", after: str = "", text: str = TEXT) -> bytes:
    return f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>The long report | Gazette</title>
    {head}</head><body><header><nav><a href="/">Gazette</a> <a href="/news/">News</a></nav></header>
    <main><article><h1>The long report</h1><div class="body">{text}</div>{pager}</article>{after}</main>
    <footer>Imprint</footer></body></html>""".encode()


def leads_to(
    pager: str = "", *, head: str = "", after: str = "", url: str = URL, text: str = TEXT
) -> str | None:
    """The address to which it leads, below that of the site."""
    found = where_next(RawPage(url=url, body=page(pager, head=head, after=after, text=text)))
    return None if found is None else found.removeprefix("http://gazette.example")


@pytest.mark.parametrize(
    ("url", "second"),
    [
        ("/news/report.html", "/news/report-2.html"),
        ("/news/report.html", "/news/report,2.html"),
        ("/news/report.html", "/news/report/2"),
        ("/news/report.html", "/news/report.html?page=2"),
        ("/news/report.html?utm_source=feed", "/news/report.html?page=2"),
        ("/news/report/", "/news/report/2/"),
        ("/news/report/", "/news/report/page/2/"),
        ("/news/report/", "/news/report/seite-2.html"),
        ("/news/report1.html", "/news/report2.html"),
        ("/?p=41", "/?p=41&page=2"),
        ("/node/41", "/node/41?page=1"),
        ("/node/41", "/node/41?page=0,1"),
    ],
)
def test_a_numbered_pager_leads_on(url: str, second: str) -> None:
    third = second.replace("2", "3")
    pager = f'<div class="pages"><b>1</b> <a href="{second}">2</a> <a href="{third}">3</a></div>'
    assert leads_to(pager, url=f"http://gazette.example{url}") == second


@pytest.mark.parametrize(
    "text",
    [
        "Next page", "Next", "Continue reading: page 2", "Weiter", "Nächste Seite", "Page suivante",
        "Página siguiente", "Próxima página", "Pagina successiva", "Volgende pagina", "Nästa sida",
        "Następna strona", "Следующая страница", "Далее", "下一页", "次へ", "次のページ", "다음",
        "&rsaquo;", "&raquo;", "&rarr;", "&#10217;", "&gt;", "&gt;&gt;",
    ],
)  # fmt: skip
def test_next_alone_or_a_sign_alone_leads_on(text: str) -> None:
    assert leads_to(f'<p><a href="/news/report-2.html">{text}</a></p>') == "/news/report-2.html"


def test_an_arrow_that_is_drawn_has_a_label() -> None:
    pager = '<a href="/news/report/2" aria-label="Next page"><svg></svg></a>'
    assert leads_to(pager, url="http://gazette.example/news/report") == "/news/report/2"


def test_the_head_may_say_it_alone() -> None:
    assert leads_to(head='<link rel="next" href="/news/report-2.html">') == "/news/report-2.html"
    # The next article, as many blogs have it.
    assert leads_to(head='<link rel="next" href="/news/harvest.html">') is None


def test_numbers_in_a_row_lead_on_whatever_the_pages_are_called() -> None:
    pager = '<p>Pages: 1 <a href="methods.html">2</a> <a href="results.html">3</a></p>'
    assert leads_to(pager) == "/news/methods.html"


@pytest.mark.parametrize(
    "text",
    [
        "View as single page", "Single page", "View all", "Full article", "Auf einer Seite lesen",
        "Artikel auf einer Seite", "Lire sur une seule page", "Ver en una sola página",
        "Leggi in pagina unica", "Op één pagina", "Читать на одной странице", "全文", "Print",
        "Printable version", "Drucken", "Imprimer", "Версия для печати",
    ],
)  # fmt: skip
def test_a_view_on_one_page_is_taken_instead(text: str) -> None:
    pager = f'<p>1 <a href="/news/report-2.html">2</a> <a href="/print/77">{text}</a></p>'
    assert leads_to(pager) == "/print/77"
    found = where_next(RawPage(url=URL, body=page(pager)), passed=["http://gazette.example/print/77"])
    assert found == "http://gazette.example/news/report-2.html"
    # Without a pager, all of it is here.
    assert leads_to(f'<p><a href="/print/2">{text}</a></p>') is None
    beside = '<p>Read also <a href="/news/report-2.html">The second report</a>.</p>'
    assert leads_to(f'{beside}<p><a href="/print/77">{text}</a></p>') is None


@pytest.mark.parametrize(
    "pager",
    [
        '<nav><a rel="next" href="/news/harvest.html">Next &rsaquo;</a></nav>',
        '<nav><a rel="next" href="/news/report-on-the-harvest-2.html">Next article</a></nav>',
        '<nav><a href="/news/report-2.html">Next article: The other report</a></nav>',
        '<nav><a href="/news/report-2.html">Nächster Artikel</a></nav>',
        '<p>Read also our report of last year, <a href="/news/report-2.html">The second report</a>.</p>',
        '<p><a href="/gallery/2">2</a> <a href="/gallery/3">3</a> <a href="/gallery/2">Next</a></p>',
        '<p>1 <a href="/galleries/17?image=2">2</a> <a href="/galleries/17?image=3">3</a></p>',
        '<p><a href="#slide-2">2</a> <a href="#slide-3">3</a></p>',
        # Numbers that are not those of pages in order, or stand beside words for something else.
        '<p>1 <a href="snow.html">3</a> <a href="rain.html">2</a></p>',
        '<p>1 <a href="rain.html">2</a> <a href="snow.html">Next photo</a></p>',
        # A series: each number is an article, and the next one is marked.
        '<p>1 <a rel="next" href="rain.html">2</a> <a href="harvest.html">3</a></p>',
        '<p><a href="http://elsewhere.example/news/report-2.html">2</a></p>',
        '<p><a href="/news/report.html?cpage=2">2</a></p>',
        '<p><a href="/news/2">Next</a></p>',
        '<p>1 <a href="/news/report.html">2</a> <a href="/news/report.html">3</a></p>',
    ],
)
def test_what_leads_to_other_articles_is_not_followed(pager: str) -> None:
    assert leads_to(pager) is None


def test_the_article_behind_a_numbered_one_is_another() -> None:
    url = "http://gazette.example/notes/1"
    assert leads_to('<a rel="next" href="/notes/2">Next &rsaquo;</a>', url=url) is None
    url = "http://gazette.example/notes/41"
    assert (
        leads_to('<a rel="next" href="/notes/42">Next &rsaquo;</a> <a href="/notes/2">2</a>', url=url) is None
    )


@pytest.mark.parametrize(
    "comments",
    [
        '<section id="comments">{}<p><a href="?page=2">2</a> <a href="?page=2">Next</a></p></section>',
        '<section id="comments">{}</section><p><a href="?page=2">2</a> <a href="?page=2">Next</a></p>',
        '<nav class="comment-navigation"><a href="?cpage=2">2</a> <a href="?page=2">Next</a></nav>',
        '<div itemtype="https://schema.org/Comment">{}</div><a rel="next" href="?page=2">next &rarr;</a>',
    ],
)
def test_pages_of_comments_are_not_followed(comments: str) -> None:
    assert leads_to(after=comments.replace("{}", TEXT)) is None


def test_a_list_of_articles_is_no_article() -> None:
    pager = '<p>1 <a href="/news/report.html?page=2">2</a></p>'
    listed = "".join(f'<h2><a href="/{name}.html">A story</a></h2>{TEXT}' for name in "abcd")
    assert leads_to(pager, text=listed) is None
    assert leads_to('<a href="/?page=2">2</a>', url="http://gazette.example/") is None
    # Headings that link to themselves are the article's own.
    own = "".join(f'<h2><a href="#{name}">A part</a></h2>{TEXT}' for name in "abcd")
    assert leads_to(pager, text=own) == "/news/report.html?page=2"


@pytest.mark.parametrize(
    "hostile",
    [
        "<a " + "href=" * 40_000,
        "<base " * 40_000,
        f'<a href="report.html?x=1&{"page=2&" * 40_000}">x</a>',
        f'<a href="report-2.html">2</a><div class="{"nav" * 40_000}">x</div>',
    ],
    ids=["href", "base", "parameters", "class"],
)
def test_what_a_page_repeats_is_read_in_time(hostile: str) -> None:
    began = time.process_time()
    where_next(RawPage(url=URL, body=page("", after=hostile)))
    assert time.process_time() - began < 2


def test_only_a_few_views_of_the_whole_are_tried() -> None:
    """Where each section has a link that says "Print", they are not all asked for."""
    prints = "".join(f'<a href="/print/{number}">Print</a>' for number in range(100, 200))
    pager = '<p>1 <a href="report-2.html">2</a> <a href="report-3.html">3</a></p>'
    first = RawPage(url=URL, body=page(pager + prints))
    passed: list[str] = []
    while (found := where_next(first, passed=passed)) is not None and "/print/" in found:
        passed.append(found)
    assert found == "http://gazette.example/news/report-2.html"
    assert len(passed) == 3


def test_a_great_number_in_a_row_of_numbers_is_not_counted_up_to() -> None:
    """As where a row of pages ends with a telephone number."""
    row = '<p>1 <a href="b.html">2</a> <a href="tel.html">4930123456789012</a></p>'
    assert leads_to(row) is None


def test_an_article_does_not_go_on_where_comments_do() -> None:
    pager = '<p class="pages">1 <a href="/story?page=2">2</a> <a rel="next" href="/story?page=2">&gt;</a></p>'
    url = "http://gazette.example/story"
    assert where_next(RawPage(url=url, body=page(pager))) == f"{url}?page=2"
    said = Announcement(visited=(f"{url}?page=2#replies",))
    assert where_next(RawPage(url=url, body=page(pager), announcement=said)) is None


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://example.org/news/ferry-2", True),
        ("//EXAMPLE.org/news/ferry-2", True),
        ("/news/ferry-2", True),
        ("ferry-2", True),
        ("?page=2", True),
        ("https://share.example/?of=https://example.org/news/ferry-2", False),
        ("https://example.net/news/ferry-2", False),
        ("/news/island-2", False),
        ("/news/ferry-7", False),
    ],
)
def test_markup_tells_whether_a_page_may_go_on(link: str, expected: bool) -> None:
    body = f'<p>It sails.</p><a href="{link}">on</a>'.encode()
    assert may_continue(body, "https://example.org/news/ferry", 2) is expected


def test_number_alone_between_tags_may_lead_on() -> None:
    first = "https://example.org/news/ferry"
    assert may_continue(b"<a href='/x'>[ 2 ]</a>", first, 2)
    assert not may_continue(b"<a href='/x'>12</a><a href='/y'>2 ferries</a>", first, 2)
