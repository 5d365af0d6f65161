"""The article that the feed itself carried."""

from __future__ import annotations

import pytest

from archiver.articles.methods.assembly import article_from_feed
from archiver.articles.model import Article, NoArticle

URL = "https://example.org/2024/ferry"


def test_content_of_the_feed_is_the_article() -> None:
    content = "<p>One <a href='map'>map</a>.</p><script>x</script><img src='/ship.jpg' alt='Ship'><p>Two.</p>"
    article = article_from_feed(content, url=URL, title="Ferry &amp; ship")
    assert isinstance(article, Article)
    assert article.method == "feed"
    assert article.text == "One map.\n\nTwo."
    assert article.title == "Ferry & ship"
    assert [link.url for link in article.links] == ["https://example.org/2024/map"]
    assert [image.url for image in article.images] == ["https://example.org/ship.jpg"]
    assert "script" not in article.html


@pytest.mark.parametrize("content", ["", " ", "<p></p>", "<img src='x.png'>", "<script>x</script>"])
def test_content_without_text_is_empty(content: str) -> None:
    article = article_from_feed(content, url=URL)
    assert isinstance(article, NoArticle)
    assert article.outcome == "empty"


def test_content_that_is_plain_text_is_kept() -> None:
    article = article_from_feed("Just words & more", url=URL)
    assert isinstance(article, Article)
    assert article.text == "Just words & more"
