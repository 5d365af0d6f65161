"""Sites whose feed is shorter than their bursts, each with one way to what it no longer shows."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

from tests.crawl.documents import atom, jsonfeed, rss
from tests.crawl.site import Answer, html, status, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.documents import Entry, Story
    from tests.crawl.site import Request, Site

WINDOW = 4


def latest(told: Sequence[Story], page: int = 1, size: int = WINDOW) -> list[Entry]:
    """The entries of a page of the feed, the newest first."""
    return [one.entry for one in told[::-1][size * (page - 1) : size * page]]


def parameter(request: Request, name: str) -> int | None:
    """A number among the parameters of a request."""
    pairs = [pair.partition("=") for pair in request.target.partition("?")[2].split("&")]
    return next((int(value) for key, _, value in pairs if key == name), None)


def linked(answer: Answer, rel: str, path: str) -> Answer:
    head, mark, rest = answer.body.partition(b"<updated>")
    return answer.but(body=head + f'<link rel="{rel}" href="{path}"/>'.encode() + mark + rest)


def archived_feeds(site: Site, told: Sequence[Story]) -> None:
    """RFC 5005: closed archives of five entries, the oldest first within each, that never change."""
    full = len(told) // 5
    for number in range(1, full + 1):
        archive = atom([one.entry for one in told[5 * (number - 1) : 5 * number]])
        site.add(f"/archive/{number}", linked(archive, "prev-archive", f"/archive/{number - 1}"))
    site.add("/feed.xml", linked(atom(latest(told)), "prev-archive", f"/archive/{full}"))


def wordpress(site: Site, told: Sequence[Story]) -> None:
    def feed(request: Request) -> Answer:
        shown = latest(told, parameter(request, "paged") or 1)
        return rss(shown) if shown else status(404)

    site.add("/feed.xml", feed)


def counted_from_0(site: Site, told: Sequence[Story]) -> None:
    """A feed made of a list that has pages, the first of them number 0."""
    site.add("/feed.xml", lambda request: rss(latest(told, 1 + (parameter(request, "page") or 0))))


def json_feed(site: Site, told: Sequence[Story]) -> None:
    def feed(request: Request) -> Answer:
        page = parameter(request, "cursor") or 1
        answer = jsonfeed(latest(told, page))
        following = f"/feed.xml?cursor={page + 1}"
        return answer.but(body=json.dumps(json.loads(answer.body) | {"next_url": following}).encode())

    site.add("/feed.xml", feed)


def listing(site: Site, told: Sequence[Story]) -> None:
    """Links of images, headlines and comments; a menu and a list of what was read most around them."""

    def page(request: Request) -> Answer:
        number = parameter(request, "page") or 0
        rows = "".join(
            f'<li><a href="{one.path}"><img src="/i.png"></a><h2><a href="{one.path}?utm_source=home">'
            f'{one.title}</a></h2><a href="{one.path}#comments">3 comments</a></li>'
            for one in told[::-1][6 * number : 6 * number + 6]
        )
        menu = '<nav><a href="/stories/99.html">Our best</a><a href="/about.html">About</a></nav>'
        pager = f'<p class="pages"><a href="/?page={number + 1}">{number + 2}</a></p>'
        aside = f'<aside><h3>Most read</h3><a href="{told[0].path}">{told[0].title}</a></aside>'
        return html(f"<body>{menu}<main><ul>{rows}</ul>{pager}</main>{aside}</body>")

    site.add("/feed.xml", rss(latest(told)))
    site.add("/", page)


def blog_in_documentation(site: Site, told: Sequence[Story]) -> None:
    """MkDocs: rel=next goes through the navigation, from a blog's first page to its first category."""

    def listed(stories: Sequence[Story], following: str, pager: str) -> Answer:
        rows = "".join(
            f'<article class="md-post"><h2><a href="{one.path}">{one.title}</a></h2></article>'
            for one in stories
        )
        return html(f'<head><link rel="next" href="{following}"></head><body>{rows}<nav>{pager}</nav></body>')

    newest, pages = told[::-1], -(-len(told) // 3)
    for number in range(1, pages + 1):
        pager = "".join(
            f'<a href="/blog/page/{one}/">{one}</a>' for one in range(2, pages + 1) if one != number
        )
        shown = listed(newest[3 * (number - 1) : 3 * number], "/blog/category/poets/", pager)
        site.add("/blog/" if number == 1 else f"/blog/page/{number}/", shown)
    site.add("/blog/category/poets/", listed(newest[::3], "/blog/category/tides/", ""))
    site.add("/blog/category/tides/", listed(newest[1::3], "/tags/", ""))
    site.add("/", html('<head><link rel="next" href="tags/"></head><body><a href="blog/">Blog</a></body>'))
    site.add("/tags/", html("<body>Tags</body>"))
    site.add("/feed.xml", rss(latest(told)))


def files_in_a_folder(site: Site, told: Sequence[Story]) -> None:
    """Pelican: index2.html among articles that are files as well, and nothing but signs to lead there."""
    newest, pages = told[::-1], -(-len(told) // 5)
    for number in range(1, pages + 1):
        rows = "".join(
            f'<li><article class="hentry"><h1><a href="{one.path}" rel="bookmark">{one.title}</a></h1>'
            f'<abbr class="published" title="{one.published.isoformat()}">then</abbr></article></li>'
            for one in newest[5 * (number - 1) : 5 * number]
        )
        newer = '<a href="/index.html">&Lang;</a>' if number > 1 else ""
        older = f'<a href="/index{number + 1}.html">&rang;</a><a href="/index{pages}.html">&Rang;</a>'
        pager = f"<nav>{newer}Page {number} / {pages}{older if number < pages else ''}</nav>"
        menu = '<nav id="menu"><a href="/category/poets.html">Poets</a></nav>'
        shown = html(f"<body>{menu}<section><ol>{rows}</ol></section>{pager}</body>")
        site.add("/" if number == 1 else f"/index{number}.html", shown)
    site.add("/feed.xml", rss(latest(told)))


def sitemaps(site: Site, told: Sequence[Story]) -> None:
    """An index in robots.txt, its sitemaps compressed, the old ones not worth asking for."""
    urls = "".join(
        f"<url><loc>{site.url(one.path)}</loc><lastmod>{one.published.isoformat()}</lastmod></url>"
        for one in told
    )
    other = f"<url><loc>{site.url('/about.html')}</loc><lastmod>{told[-1].published:%Y-%m-%d}</lastmod></url>"
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    index = "".join(
        f"<sitemap><loc>{site.url(path)}</loc><lastmod>{day}</lastmod></sitemap>"
        for path, day in (("/old.xml.gz", "2020-01-01"), ("/now.xml.gz", f"{told[-1].published:%Y-%m-%d}"))
    )
    site.add("/feed.xml", rss(latest(told)))
    site.add("/robots.txt", text(f"User-agent: *\nDisallow: /private\nSitemap: {site.url('/maps.xml')}\n"))
    site.add("/maps.xml", Answer(body=f"<sitemapindex {space}>{index}</sitemapindex>".encode()))
    document = f'<?xml version="1.0"?><urlset {space}>{other}{urls}</urlset>'
    site.add("/now.xml.gz", Answer(body=gzip.compress(document.encode())))


def closed(site: Site, told: Sequence[Story]) -> None:
    """Nothing but the feed."""
    site.add("/feed.xml", rss(latest(told)))
