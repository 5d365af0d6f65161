"""Planet Estuary: an aggregator, whose Atom feed announces the pages of the blog and of the history group."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sample import clock, messages
from sample.markup import joined, shortened, xml
from sample.model import TrueEntry, true_entry
from sample.site import Seed, Site
from sample.sites.blog import Blog
from sample.sites.blog import published_until as blog_posts
from sample.sites.wordpress import WordPress
from sample.sites.wordpress import published_until as history_posts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sample.messages import Request, Response
    from sample.model import Article

WINDOW = 20


class Planet(Site):
    name = "planet"
    host = "127.0.0.6"
    software = "nginx/1.18.0"
    seeds = (Seed("/atom.xml", "blogs"),)

    def __init__(self, bases: Mapping[str, str]) -> None:
        super().__init__(bases)
        self._blog, self._history = Blog(bases), WordPress(bases)

    def _posts(self, day: int) -> list[tuple[Site, Article]]:
        """Oldest first."""
        ours = [(self._blog, article) for article in blog_posts(day)]
        theirs = [(self._history, article) for article in history_posts(day)]
        both: list[tuple[Site, Article]] = [*ours, *theirs]
        return sorted(both, key=lambda pair: pair[1].published)

    def route(self, request: Request) -> Response | None:
        if request.path != "/atom.xml":
            return None
        listed = self._posts(request.day)[-WINDOW:][::-1]
        return messages.page(self._atom(listed), content_type="application/atom+xml")

    def home(self, request: Request) -> Response:
        rows = (
            f'<dt><a href="{site.url(article)}">{escape(article.title)}</a></dt>'
            f"<dd>{escape(shortened(article.blocks[0].text))}</dd>"
            for site, article in reversed(self._posts(request.day)[-WINDOW:])
        )
        feed = '<link rel="alternate" type="application/atom+xml" href="/atom.xml">'
        head = f"<html><head><title>Planet Estuary</title>{feed}"
        return messages.page(
            f"{head}</head><body><h1>Planet Estuary</h1><dl>{joined(rows)}</dl></body></html>"
        )

    def truth(self, day: int) -> list[TrueEntry]:
        posts = self._posts(day)
        return [
            true_entry(
                article,
                day,
                site=self.name,
                feed_url=f"{self.base}/atom.xml",
                entry_id=site.entry_id(article),
                link=site.url(article),
                in_feed=(site, article) in posts[-WINDOW:],
            )
            for site, article in posts
        ]

    def _atom(self, listed: list[tuple[Site, Article]]) -> str:
        return f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Planet Estuary</title>
<id>{self.base}/atom.xml</id>
<link rel="self" href="{self.base}/atom.xml"/>
<link rel="alternate" href="{self.base}/"/>
<updated>{clock.iso(listed[0][1].published)}</updated>
{joined(_entry(site, article) for site, article in listed)}
</feed>
"""


def _entry(site: Site, article: Article) -> str:
    return f"""<entry>
<title>{xml(article.title)}</title>
<id>{site.entry_id(article)}</id>
<link rel="alternate" href="{site.url(article)}"/>
<published>{clock.iso_offset(article.published)}</published>
<updated>{clock.iso_offset(article.published)}</updated>
<author><name>{xml(article.author)}</name></author>
<summary type="text">{xml(shortened(article.blocks[0].text))}</summary>
<source><id>{site.base}/</id><title>{site.name}</title></source>
</entry>"""
