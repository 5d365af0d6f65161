"""The links of a page with what stands around them, and where on the page they are."""

from __future__ import annotations

import time

import pytest

from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.links import PageLink, links_of, outlinks_of
from archiver.documents.pages.model import RawPage

URL = "https://post.example.org/news/a.html"
PROSE = "<p>The last keeper of the lighthouse packed her books on Friday, after forty winters on a rock.</p>"
PAGE = f"""<html class="has-nav"><body class="page-with-sidebar">
<header><a href="/">Island Post</a> <a href="/login" rel="nofollow">Log in</a></header>
<div class="top-menu"><a href="/sport">Sport</a> <a href="/weather">Weather</a></div>
<div role="search"><p><a href="/find">Find an older story here</a></p></div>
<main><article class="story"><header><p>Told by <a href="/ada">Ada</a>, who has known her for many years.</p>
<h1><a href="/news/a.html">Lighthouse keeper leaves</a></h1></header>
{PROSE}<p>The museum asked for <a href="../diaries#all" title="In the museum">all of <b>the</b> diaries</a>
to be shown<br>in the old customs house next year.</p>{PROSE}<p>See <a href="/tower">here</a>.</p>{PROSE}
<h2><a href="/part">What comes after the lamp</a></h2>{PROSE}
<p><a href="/boats">The boat leaves at nine from the pier</a></p>
<div class="share-bar"><a href="/weather">Weather</a><a href="https://social.example/share">Share</a></div>{PROSE}
<p>The roses need <a href="/roses">those who get up early</a> and like the rain.</p></article>
<aside class="related"><ul><li><a href="/a1">Council votes on the new pier</a></li>
<li><a href="/more">More</a></li></ul></aside></main>
<noscript><a href="/noscript">Without scripts</a></noscript>
<map name="m"><area href="/chart" alt="Chart"></map>
<a href="mailto:post@example.org">Mail</a> <a name="top">Top</a>
<footer><a href="/imprint">Imprint</a></footer></body></html>"""
CARD = """<div class="card"><h3><a href="/{0}">Herring is back in the bay</a></h3>
<p>After twenty years without a single one the fishermen of the island have seen them again.
<a href="/{0}">Read more</a></p></div>"""


def links(markup: str) -> dict[str, PageLink]:
    tree = parse_html(markup.encode(), "text/html; charset=utf-8", URL)
    return {link.url.removeprefix("https://post.example.org"): link for link in links_of(tree, URL)}


def test_link_has_address_words_and_what_it_says_to_programs() -> None:
    found = links(PAGE)
    diaries = found["/diaries#all"]
    assert (diaries.text, diaries.label, diaries.rel) == ("all of the diaries", "In the museum", ())
    assert found["/login"].rel == ("nofollow",)
    assert diaries.path == "html.has-nav/body.page-with-sidebar/main/article.story/p/a"


def test_words_around_are_those_of_the_same_block() -> None:
    found = links(PAGE)
    assert found["/diaries#all"].before == "The museum asked for"
    assert found["/diaries#all"].after == "to be shown in the old customs house next year."
    assert (found["/a1"].before, found["/a1"].after) == ("", "")


def test_ten_words_around_are_enough() -> None:
    words = " ".join(map(str, range(20)))
    link = links(f"<p>{words} <a href='/x'>x</a> {words}</p>")["/x"]
    assert link.before == "10 11 12 13 14 15 16 17 18 19"
    assert link.after == "0 1 2 3 4 5 6 7 8 9"


def test_link_around_blocks_has_no_words_around() -> None:
    link = links("<p>one</p><a href='/x'><h2>Ferry</h2><p>sails</p></a><p>two</p>")["/x"]
    assert (link.before, link.text, link.after) == ("", "Ferrysails", "")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("/", "navigation"),
        ("/sport", "navigation"),
        ("/diaries#all", "article"),
        ("/tower", "article"),
        ("/find", "navigation"),
        ("/ada", "article"),
        ("/roses", "article"),
        ("/part", "list"),
        ("/boats", "list"),
        ("https://social.example/share", "boilerplate"),
        ("/a1", "list"),
        ("/more", "boilerplate"),
        ("/noscript", "boilerplate"),
        ("/imprint", "boilerplate"),
    ],
)
def test_place_is_told_by_names_and_by_blocks(url: str, place: str) -> None:
    assert links(PAGE)[url].place == place


def test_names_around_most_of_a_page_say_nothing() -> None:
    assert links(PAGE.replace('class="story"', 'class="newsletter"'))["/tower"].place == "article"


def test_links_of_cards_are_a_list() -> None:
    cards = "".join(CARD.format(number) for number in range(5))
    markup = f"<main><div class='posts'>{cards}</div></main>"
    tree = parse_html(markup.encode(), "text/html", URL)
    assert {link.place for link in links_of(tree, URL)} == {"list"}


def test_page_in_which_nothing_is_read_has_places() -> None:
    assert links("<a href='/x'><img src='/x.png'></a>")["/x"].place == "navigation"
    assert links("<body></body>") == {}


def test_outlinks_are_addresses_of_the_web_each_once() -> None:
    page = RawPage(url=URL, body=PAGE.encode(), content_type="text/html")
    found = outlinks_of(page)
    assert found[:3] == [f"https://post.example.org{one}" for one in ("/", "/login", "/sport")]
    assert "https://post.example.org/chart" in found
    assert len(found) == len(set(found)) == 18
    assert outlinks_of(RawPage(url=URL, body=b"%PDF-1.7", content_type=None)) == []


def test_place_of_each_of_very_many_links_is_told_in_a_moment() -> None:
    markup = "".join(f"<div><a href='/{number}'>item {number}</a></div>" for number in range(10_000))
    found = links(f"<main><div>{markup}</div></main>").values()
    started = time.process_time()
    assert {link.place for link in found} == {"navigation"}
    assert time.process_time() - started < 3
