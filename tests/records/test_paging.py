"""How many records a page claims, and where they go on."""

from __future__ import annotations

import pytest

from archiver.records.paging import next_link, total_claimed
from tests.records.pages import HOST, page_of


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("<p>38 books for <b>atlas</b></p>", 38),
        ("<div>1 - 20 of 1,234 results</div>", 1234),
        ("<div>Treffer 1 bis 10 von 57</div>", 57),
        ("<h2>12.345 Ergebnisse</h2>", 12345),
        ("<span class='hit-count'>77</span>", 77),
        ("<p>Results: 9</p>", 9),
        ("<p>In 1998 we opened.</p>", None),
        ("<a href='/x'>12 results</a>", None),
    ],
)
def test_the_total_that_a_page_claims(text: str, total: int | None) -> None:
    assert total_claimed(page_of(text)) == total


@pytest.mark.parametrize(
    ("markup", "following"),
    [
        ("<a rel=next href='?q=a&page=2'>more</a>", "?q=a&page=2"),
        ("<a href='?q=a&page=1'>1</a><a href='?q=a&page=2'>2</a><a href='?q=a&page=3'>3</a>", "?q=a&page=2"),
        ("<a href='?q=a&start=20'>Next</a>", "?q=a&start=20"),
        ("<a href='?q=a&start=20'>Weiter »</a>", "?q=a&start=20"),
        ("<a href='/article/next-big-thing'>The next big thing is here to stay</a>", None),
        ("<a href='https://elsewhere.example/?page=2'>Next</a>", None),
    ],
)
def test_the_next_page(markup: str, following: str | None) -> None:
    url = f"{HOST}/find?q=a"
    found = next_link(page_of(markup, url))
    assert found == (f"{HOST}/find{following}" if following else None)


@pytest.mark.parametrize(
    ("given", "following"),
    [
        ("//p[@class='on']/a", "?q=a&from=20"),
        ("//p[@class='on']/a/@data-more", "?q=a&from=40"),
        ("//p[@class='off']/a", None),
    ],
)
def test_the_next_page_is_where_a_person_says(given: str, following: str | None) -> None:
    markup = (
        "<a rel=next href='?q=b'>Next</a><p class=on><a href='?q=a&from=20' data-more='?q=a&from=40'>→</a>"
    )
    found = next_link(page_of(markup, f"{HOST}/find?q=a"), given)
    assert found == (f"{HOST}/find{following}" if following else None)
