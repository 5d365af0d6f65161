"""Which wrapper a page is read by."""

from __future__ import annotations

import pytest

from archiver.fields.model import Field, FieldScope
from archiver.fields.scopes import are_tied, is_in_scope, wrappers_for
from tests.fields.pages import rule, wrapper

A = Field(field="a", rules=(rule("b"),))
FEED = "https://books.example/feed.xml"


@pytest.mark.parametrize(
    ("scope", "url", "is_in"),
    [
        ({"site": "books.example"}, "https://www.books.example/x", True),
        ({"site": "books.example"}, "https://notbooks.example/x", False),
        ({"site": "127.0.0.1:8000"}, "http://127.0.0.1:8000/x", True),
        ({"site": "127.0.0.1:8000"}, "http://127.0.0.1:8001/x", False),
        ({"url": "/book/*"}, "https://a.example/book/1?utm=2", True),
        ({"url": "/book/*"}, "https://a.example/book/1/more", False),
        ({"url": "/book/**"}, "https://a.example/book/1/more", True),
        ({"url": "/b*k/*.html"}, "https://a.example/book/1.html", True),
        ({"url": "/show?id=*"}, "https://a.example/show?id=7", True),
        ({"url": "/show?id=*"}, "https://a.example/show?no=7", False),
        ({"channel": FEED}, "https://a.example/", True),
        ({"channel": FEED + "?utm_source=x", "site": "a.example"}, "https://a.example/", True),
        ({"channel": "https://other.example/feed"}, "https://a.example/", False),
        ({"site": "a.example", "url": "/x"}, "https://b.example/x", False),
    ],
)
def test_a_page_must_be_all_that_a_scope_says(scope: dict[str, str], url: str, is_in: bool) -> None:
    assert is_in_scope(FieldScope(**scope), url, {FEED}) is is_in


def test_the_more_specific_scope_wins_and_equal_ones_go_by_name() -> None:
    by_site = wrapper(A, name="a-site", site="a.example")
    by_feed = wrapper(A, name="b-feed", channel=FEED)
    by_form = wrapper(A, name="d-form", url="/book/*", site="a.example")
    also = wrapper(A, name="c-form", url="/*/1", site="a.example")
    found = wrappers_for([by_site, by_feed, by_form, also], "https://a.example/book/1", {FEED})
    assert [one.wrapper for one in found] == ["c-form", "d-form", "b-feed", "a-site"]
    assert are_tied(by_form, also)
    assert not are_tied(by_site, by_feed)


def test_a_form_of_many_stars_takes_no_time() -> None:
    assert not is_in_scope(FieldScope(url="/" + "a*" * 200 + "b"), "https://a.example/" + "a" * 5_000)
