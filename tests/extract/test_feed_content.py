"""The article that the feed itself carried."""

from __future__ import annotations

import pytest

from archiver.articles.methods.assembly import article_from_feed
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement

URL = "https://example.org/2024/ferry"


def test_content_of_the_feed_is_the_article() -> None:
    content = (
        "<p>One <a href='map'>map</a>.</p><script>x</script><img src='/ship.jpg' alt='Ship'><p>Two.</p>"
        "<audio src='/ferry.mp3'></audio><p>The ferries are late this year.</p>"
    )
    article = article_from_feed(Announcement(title="Ferry &amp; ship", content=content), url=URL)
    assert isinstance(article, Article)
    assert article.method == "feed"
    assert article.text == "One map.\n\nTwo.\n\nThe ferries are late this year."
    assert article.title == "Ferry & ship"
    assert [link.url for link in article.links] == ["https://example.org/2024/map"]
    assert [image.url for image in article.images] == ["https://example.org/ship.jpg"]
    assert [(one.kind, one.url) for one in article.media] == [("audio", "https://example.org/ferry.mp3")]
    assert article.terms[:2] == ("ferri", "ship")
    assert "script" not in article.html


@pytest.mark.parametrize("content", ["", " ", "<p></p>", "<img src='x.png'>", "<script>x</script>"])
def test_content_without_text_is_empty(content: str) -> None:
    article = article_from_feed(Announcement(content=content), url=URL)
    assert isinstance(article, NoArticle)
    assert article.outcome == "empty"


def test_content_that_is_plain_text_is_kept() -> None:
    article = article_from_feed(Announcement(content="Just words & more"), url=URL)
    assert isinstance(article, Article)
    assert article.text == "Just words & more"
