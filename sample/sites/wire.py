"""The wire: a feed of five entries on a site that one day publishes fourteen, and keeps a list of all."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages
from sample.markup import joined, shortened, xml
from sample.site import Seed, Site
from sample.sites.stories import story, story_page

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import Article, TrueEntry

WINDOW = 5
_LISTED = 8
_BURST_DAY, _BURST = 2, 14
_A_DAY = 2


def _count(day: int) -> int:
    """How many are published on a day; before day 0 just as many as the feed shows."""
    if day < 0:
        return WINDOW if day == -1 else 0
    return _BURST if day == _BURST_DAY else _A_DAY * (day > 0)


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first."""
    found: list[Article] = []
    for one in range(-1, day + 1):
        ranks = range(len(found), len(found) + _count(one))
        today = [story(f"wire-{rank:03}", number=rank, day=one, path=f"/wire/{rank:03}") for rank in ranks]
        found += sorted(today, key=lambda article: article.published)
    return tuple(found)


class Wire(Site):
    name = "wire"
    host = "127.0.0.9"
    software = "lighttpd"
    seeds = (Seed("/wire.xml", "news"),)
    styles: ClassVar = {"/weather.css": "weathercock.css"}

    def route(self, request: Request) -> Response | None:
        articles = published_until(request.day)
        if request.path == "/wire.xml":
            return messages.page(self._feed(articles[-WINDOW:]), content_type="application/rss+xml")
        if request.path.startswith("/earlier/") and request.path.removeprefix("/earlier/").isdecimal():
            return self._list(request, int(request.path.removeprefix("/earlier/")))
        found = (article for article in articles if article.path == request.path)
        pages = (story_page(article.on(request.day), serial=request.serial) for article in found)
        return next((messages.page(page) for page in pages), None)

    def home(self, request: Request) -> Response:
        return self._list(request, 1) or messages.error(404, "Nothing was ever published.")

    def truth(self, day: int) -> list[TrueEntry]:
        return self.announced(published_until(day), day, "/wire.xml", WINDOW)

    def _list(self, request: Request, number: int) -> Response | None:
        """One page of the list, the newest first; None behind the last."""
        articles = published_until(request.day)[::-1]
        shown = articles[_LISTED * (number - 1) : _LISTED * number]
        if not shown:
            return None
        rows = joined(
            f'<li><a href="{one.path}">{escape(one.title)}</a> <time datetime="{clock.iso(one.published)}">'
            f"{clock.british(one.published)}</time></li>"
            for one in shown
        )
        more = f'<p><a rel="next" href="/earlier/{number + 1}">Earlier</a></p>'
        last = _LISTED * number >= len(articles)
        head = "<!DOCTYPE html><html><head><title>The wire</title></head>"
        return messages.page(
            f"{head}<body><h1>The wire</h1><main><ol>{rows}</ol>{'' if last else more}</main></body></html>"
        )

    def _feed(self, articles: tuple[Article, ...]) -> str:
        return f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>The wire of the Weathercock</title>
<link>{self.base}/</link>
<description>What comes in, the last five of it</description>
{joined(self._item(article) for article in reversed(articles))}
</channel></rss>
"""

    def _item(self, article: Article) -> str:
        return f"""<item>
<title>{xml(article.title)}</title>
<link>{self.url(article)}</link>
<guid isPermaLink="false">{article.entry_id}</guid>
<description>{xml(shortened(article.blocks[0].text))}</description>
<pubDate>{clock.rfc822(article.published)}</pubDate>
</item>"""
