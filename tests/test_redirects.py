"""Redirects of a campaign are left where they lead from page to page of one form."""

from __future__ import annotations

import pytest
from scrapy import Request
from scrapy.settings import Settings

from archiver.middlewares.redirects import RedirectMiddleware

ROUND = ["http://a.example/1", "http://a.example/2"]


@pytest.mark.parametrize(
    ("way", "url", "is_followed"),
    [
        (ROUND, "http://a.example/3", False),
        (ROUND[:1], "http://a.example/2", True),
        (["http://a.example/1", "https://a.example/1"], "https://www.a.example/1", True),
        (["http://a.example/old", "http://a.example/story/1"], "http://a.example/story/2", True),
    ],
)
def test_the_third_address_of_one_form_is_not_asked_for(way: list[str], url: str, is_followed: bool) -> None:
    middleware = RedirectMiddleware(Settings())
    request = Request(way[-1], meta={"campaign": "flood", "redirect_urls": way[:-1]})
    assert middleware.is_followed(request, url) is is_followed


def test_other_crawls_follow_redirects_as_ever() -> None:
    request = Request(ROUND[1], meta={"redirect_urls": ROUND[:1]})
    assert RedirectMiddleware(Settings()).is_followed(request, "http://a.example/3")
