"""The feed of an article's comments: its entries are comments, by the names that they have on the page."""

from __future__ import annotations

from archiver.documents.contributions import ReadBy
from archiver.documents.feeds.comments import comments_of_feed
from archiver.documents.feeds.parse import parse_feed

FEED = b"""<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Comments on: On weaving</title><link>http://example.org/a/</link>
<item><title>By: Bo</title><link>http://example.org/a/#comment-12</link><dc:creator>Bo</dc:creator>
<pubDate>Mon, 02 Mar 2026 06:00:00 +0000</pubDate>
<guid isPermaLink="false">http://example.org/?p=1#comment-12</guid>
<description><![CDATA[<p>See <a href="/b">this</a>.</p><script>x()</script>]]></description></item>
<item><title>By: Ada</title><link>http://example.org/a/</link><dc:creator>Ada</dc:creator>
<guid isPermaLink="false">tag:13</guid><description>Oil it.</description></item>
<item><title>By: Cy</title><link>http://example.org/a/#comment-14</link><description></description></item>
</channel></rss>"""


def test_entries_are_comments() -> None:
    feed = parse_feed(FEED, url="http://example.org/a/feed/", content_type="application/rss+xml")
    first, second = comments_of_feed(feed)
    assert (first.key, first.author, first.text) == ("comment-12", "Bo", "See this.")
    assert first.published is not None
    assert str(first.published.utc) == "2026-03-02 06:00:00+00:00"
    assert first.url == "http://example.org/a/#comment-12"
    assert "http://example.org/b" in first.html
    assert "script" not in first.html
    assert (second.key, second.text, second.read_by) == ("tag:13", "Oil it.", ReadBy.FEED)
