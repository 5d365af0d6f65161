"""A captured page of a channel with the articles of another time in its list, card by card."""

from __future__ import annotations

import pytest

from archiver.inspection.rebuild.model import Grounds, WordSource
from tests.rebuild.pages import AT, SITE, article, cards, drawn, home, text_of

CARD = """<div class="card post-{name}" id="p-{name}"><a href="/{name}"><img src="/{name}.png" alt="x"></a>
<h2><a href="/{name}?utm_source=home">Old story {name}</a></h2>
<time datetime="2026-03-04T10:00Z">4 March</time>
<p>A lead about the old story {name} of that day, as it was told.</p>
<span class="by">by Ann {name}</span> <a href="/{name}#more">Read more</a></div>"""
PAGE = """<html><head><title>A paper</title></head><body><header><h1>A paper</h1></header>
<main>{cards}</main><footer>Since 1838</footer></body></html>"""


def page(markup: str = CARD, names: str = "abc") -> str:
    return PAGE.format(cards="\n".join(markup.format(name=name) for name in names))


def test_the_list_holds_the_articles_of_then_and_no_others() -> None:
    drawing = drawn(page(), article("x"), article("y"))
    assert [card.xpath("string(.//h2/a/@href)") for card in cards(drawing)] == [f"{SITE}/x", f"{SITE}/y"]
    assert "Old story" not in text_of(drawing)


def test_what_stands_around_stays() -> None:
    words = text_of(drawn(page(), article("x")))
    assert "A paper" in words
    assert "Since 1838" in words


def test_a_card_has_title_lead_date_image_and_links_of_its_article() -> None:
    (card,) = cards(drawn(page(), article("x")))
    assert text_of(card.find(".//h2")) == "The story of x"
    assert card.xpath("string(.//p)").startswith("What is told first in the story of x")
    assert card.xpath("string(.//time/@datetime)") == "2026-03-01T08:30:00Z"
    assert card.xpath("string(.//@data-archiver-src)") == f"{SITE}/x.jpg"
    assert set(card.xpath(".//a/@href")) == {f"{SITE}/x"}


def test_nothing_of_the_other_article_is_left_in_a_card() -> None:
    (card,) = cards(drawn(page(), article("x")))
    assert "Ann" not in text_of(card)
    assert card.get("class") == "card"
    assert card.get("id") is None
    assert ".png" not in card.xpath("string(.//@data-archiver-src)")


def test_what_every_card_says_stays() -> None:
    (card,) = cards(drawn(page(), article("x")))
    assert "Read more" in text_of(card)


def test_what_an_article_does_not_have_is_not_shown() -> None:
    (card,) = cards(drawn(page(), article("x", image=None, lead="", published=None)))
    assert card.xpath(".//img | .//time | .//p") == []
    assert text_of(card).startswith("The story of x")


def test_each_card_says_where_it_is_from() -> None:
    (card,) = cards(drawn(page(), article("x")))
    assert {name: value for name, value in card.attrib.items() if name.startswith("data-")} == {
        "data-archiver": "rebuilt",
        "data-archiver-source": "version",
        "data-archiver-grounds": "shown",
        "data-archiver-object": "object-x",
        "data-archiver-version": "2",
        "data-archiver-record": "<urn:uuid:x>",
        "data-archiver-captured": f"{AT:%Y-%m-%dT%H:%M:%SZ}",
    }


def test_what_is_inferred_or_gone_or_of_the_feed_alone_is_told_in_words() -> None:
    inferred = article("x", grounds=Grounds.PUBLISHED, source=WordSource.FEED, version=None, object_id=None)
    first, second = cards(drawn(page(), inferred, article("y", gone="not_found")))
    assert text_of(first).endswith("[by its feed alone, inferred]")
    assert text_of(second).endswith("[version 2, gone (not_found)]")


def test_articles_in_the_list_that_no_feed_ever_had_go_too() -> None:
    drawing = drawn(page(names="abcd"), article("x"))
    assert "Old story d" not in text_of(drawing)


def test_of_several_lists_the_one_with_most_articles_is_it() -> None:
    aside = "<ul class=top><li><a href=/a>Old story a</a></li><li><a href=/z>Far</a></li></ul></main>"
    drawing = drawn(page().replace("</main>", aside), article("x"))
    (card,) = cards(drawing)
    assert card.getparent().tag == "main"
    assert "Far" in text_of(drawing)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("<li><a href='/{name}'>Old story {name}</a></li>", "The story of x [version 2]"),
        ("<a class=tile href='/{name}'><h3>Old story {name}</h3></a>", "The story of x [version 2]"),
        (
            "<tr><td>04/03/2026</td><td> <a href='/{name}'>Old story {name}</a></td></tr>",
            "2026-03-01 The story of x [version 2]",
        ),
        (
            "<div><a href='/{name}'><span><b>Old {name}</b></span></a> <i class=date>4 March 10:00</i></div>",
            "The story of x 2026-03-01 08:30 UTC [version 2]",
        ),
    ],
)
def test_cards_of_many_makes(card: str, words: str) -> None:
    markup = page(card)
    if card.startswith("<tr"):
        markup = markup.replace("<main>", "<main><table>").replace("</main>", "</table></main>")
    (made,) = cards(drawn(markup, article("x")))
    assert text_of(made) == words


def test_a_card_of_several_elements_in_a_row_is_one_card() -> None:
    card = "<h3><a href='/{name}'>Old story {name}</a></h3><p>A lead about the old story {name}, as told.</p>"
    drawing = drawn(page(card), article("x"), article("y"))
    (main,) = drawing.xpath("//main")
    assert [one.tag for one in main] == ["h3", "p", "h3", "p"]
    assert "old story" not in text_of(main).lower()
    assert text_of(main[2]) == "The story of y"


def test_a_date_before_each_card_goes_with_it() -> None:
    card = "<dt>4 March</dt><dd><a href='/{name}'>Old story {name}</a></dd>"
    drawing = drawn(page(card), article("x"))
    (main,) = drawing.xpath("//main")
    assert [one.tag for one in main] == ["dt", "dd"]


def test_rows_of_cards_keep_their_sizes() -> None:
    card = "<p class=c><a href='/{name}'>Old story {name}</a></p>"
    rows = "".join(
        f"<div class=row>{card.format(name=one)}{card.format(name=two)}</div>" for one, two in ("ab", "cd")
    )
    drawing = drawn(PAGE.format(cards=rows), *map(article, "vwxyz"), names="abcd")
    assert [len(row) for row in drawing.xpath("//main/div")] == [2, 3]


def test_more_articles_than_cards_and_fewer_are_both_shown() -> None:
    assert len(cards(drawn(page(names="ab"), *map(article, "tuvwxyz")))) == 7
    assert cards(drawn(page())) == []


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<!-- -->",
        f"<template>{CARD.format(name='a')}{CARD.format(name='b')}</template>",
        "<p>Hello",
        "<ul><li><a href=/a>One</a></ul>",
        "%PDF-1.4",
        "<rss><channel></channel></rss>",
    ],
)
def test_a_page_without_a_list_is_none_to_rebuild(markup: str) -> None:
    assert home(markup, article("x")) is None


def test_words_of_articles_are_words_and_no_markup() -> None:
    evil = "<script>alert(1)</script>&amp;\x00"
    (card,) = cards(drawn(page(), article("x", title=evil, lead=evil * 3)))
    assert text_of(card.find(".//h2")) == "<script>alert(1)</script>&amp;"
    assert card.xpath(".//script") == []
