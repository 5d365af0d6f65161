"""A forwarding desk: one feed that moved for good, one gone, one that never was, one that is too busy."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages
from sample.markup import joined, shortened, xml
from sample.site import Seed, Site
from sample.sites.stories import story, story_page

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import Article, TrueEntry

STORIES = tuple(story(f"desk-{rank}", number=60 + rank, day=rank - 3) for rank in range(3))
_BUSY = messages.error(429, "Too many requests.", headers={"Retry-After": "7200"})


class Moved(Site):
    name = "moved"
    host = "127.0.0.8"
    software = "openresty"
    seeds = (
        Seed("/culture.xml", "culture"),
        Seed("/gone.xml", "broken"),
        Seed("/missing.xml", "broken"),
        Seed("/busy.xml", "broken"),
    )
    styles: ClassVar = {"/weather.css": "weathercock.css"}

    def route(self, request: Request) -> Response | None:
        if request.path == "/culture.xml":
            return messages.redirect(301, f"{self.bases['magazine']}/culture/feed.json")
        if request.path == "/gone.xml":
            return messages.error(410, "This feed has ended. Thank you for reading.")
        if request.path == "/busy.xml":
            return self._busy(request.day)
        found = (article for article in STORIES if article.path == request.path)
        pages = (story_page(article.on(request.day), serial=request.serial) for article in found)
        return next((messages.page(page) for page in pages), None)

    def home(self, request: Request) -> Response:  # noqa: ARG002 - the same every day
        links = joined(f'<li><a href="{one.path}">{escape(one.title)}</a></li>' for one in STORIES)
        head = "<!DOCTYPE html><html><head><title>Forwarding desk</title></head>"
        return messages.page(f"{head}<body><h1>Forwarding desk</h1><ul>{links}</ul></body></html>")

    def truth(self, day: int) -> list[TrueEntry]:
        """Nobody can see the busy feed on day 0, so nothing is in it then."""
        entries = self.announced(STORIES, day, "/busy.xml", len(STORIES))
        return [replace(entry, in_feed=day >= 1) for entry in entries]

    def _busy(self, day: int) -> Response:
        if day < 1:
            return _BUSY
        items = joined(self._item(article) for article in reversed(STORIES))
        text = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>The busy desk</title>
<link>{self.base}/</link>
<description>Stories passed on from elsewhere</description>
{items}
</channel></rss>
"""
        return messages.page(text, content_type="text/xml; charset=utf-8")

    def _item(self, article: Article) -> str:
        return f"""<item>
<title>{xml(article.title)}</title>
<link>{self.url(article)}</link>
<guid isPermaLink="false">{article.entry_id}</guid>
<description>{xml(shortened(article.blocks[0].text))}</description>
<pubDate>{clock.rfc822(article.published)}</pubDate>
</item>"""
