"""Where no page of the channel was captured: what pages of its articles have in common."""

from __future__ import annotations

import pytest
from lxml import html

from archiver.inspection.rebuild.page import html_of
from archiver.inspection.rebuild.shared import from_articles
from tests.rebuild.pages import SITE, article, captured, known, rebuilt, text_of

PAGE = """<html><head><title>{name}: a paper</title><style>p {{ top: 0 }}</style></head><body class="story">
<header><a href="/"><img src="/logo.gif" alt="A paper"></a>
<nav><ul><li><a href="/about">About</a></li></ul></nav></header>
<div class="path">You are at {name}</div>
<article><h1>The tale of {name}</h1><div class="body">{paragraphs}</div></article>
<aside><h3>Most read</h3><ul><li><a href="/a">The tale of a</a></li>
<li><a href="/b">The tale of b</a></li></ul></aside>
<footer>Since 1838 in {name}<p>All rights reserved</p></footer><script>x()</script></body></html>"""


def text(name: str) -> str:
    return "\n".join(
        f"Sentence {number} of the tale of {name}, long enough to be found." for number in range(4)
    )


def page(name: str) -> str:
    paragraphs = "".join(f"<p>{line}</p>" for line in text(name).splitlines())
    return PAGE.format(name=name, paragraphs=paragraphs)


def drawn(*siblings: str) -> html.HtmlElement:
    others = [captured(page(name), f"{SITE}/{name}") for name in siblings]
    one = rebuilt(article("x"), article("y"))
    frame = from_articles(captured(page("a"), f"{SITE}/a"), text("a"), others, one, known("a", "b"))
    assert frame is not None
    assert frame.kind == "article"
    return html.fromstring(html_of(frame, one))


def test_the_list_stands_where_the_article_stood() -> None:
    (place,) = drawn("b", "c").xpath("//*[@class='body']")
    assert place.xpath(".//li//a/@href") == [f"{SITE}/x", f"{SITE}/y"]
    assert "Sentence" not in text_of(place)


def test_what_the_pages_share_stays_and_what_one_of_them_says_goes() -> None:
    found = drawn("b", "c")
    words = text_of(found.find("body"))
    assert found.xpath("//nav//a/@href") == ["/about"]
    assert found.xpath("//header//*[@data-archiver-src]/text()") == ["A paper"]
    assert "All rights reserved" in words
    assert "You are at" not in words
    assert "in a" not in words


def test_articles_of_the_captures_time_go_with_their_headings() -> None:
    assert "The tale of" not in text_of(drawn("b", "c"))


def test_it_is_called_as_the_channel_is() -> None:
    assert text_of(drawn("b").find(".//title")) == "A paper"


def test_a_page_without_siblings_gives_its_header_and_its_footer() -> None:
    words = text_of(drawn().find("body"))
    assert "About" in words
    assert "All rights reserved" in words
    assert "You are at" not in words


def test_the_style_of_the_page_is_kept() -> None:
    assert drawn("b").xpath("//style/text()")[1] == "@layer page {\np { top: 0 }\n}"


@pytest.mark.parametrize("markup", ["", "<p>Something else entirely", "%PDF-1.4"])
def test_a_page_on_which_the_article_is_not_found_is_no_frame(markup: str) -> None:
    page_of_something = captured(markup)
    assert from_articles(page_of_something, text("a"), [], rebuilt(article("x")), known()) is None
