"""Sites as well-known systems make them, from what is documented of their addresses and templates.

Addresses, markup, pagers and sitemaps are as those systems have them where nobody changes anything.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tests.crawl.documents import rss
from tests.crawl.gap_sites import latest, parameter
from tests.crawl.site import Answer, html, redirect, status, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.documents import Story
    from tests.crawl.site import Request, Site

PER_PAGE = 5


def ghost(site: Site, told: Sequence[Story]) -> None:
    """Ghost with its Casper theme: /page/2/, an index of sitemaps by kind; /rss/ knows no pages."""

    def card(one: Story) -> str:
        return (
            '<article class="post-card post"><a class="post-card-image-link" href="'
            f'{one.path}"><img class="post-card-image" src="/content/images/a.jpg" alt="" /></a>'
            f'<div class="post-card-content"><a class="post-card-content-link" href="{one.path}">'
            f'<header class="post-card-header"><h2 class="post-card-title">{escape(one.title)}</h2></header>'
            f'<div class="post-card-excerpt">{escape(one.paragraphs[0])}</div></a>'
            '<footer class="post-card-meta"><ul class="author-list"><li><a href="/author/ada-quill/">Ada'
            f"</a></li></ul><time datetime='{one.published:%Y-%m-%d}'>{one.published:%d %b %Y}</time>"
            "</footer></div></article>"
        )

    pages = -(-len(told) // PER_PAGE)
    for number in range(1, pages + 1):
        shown = told[::-1][PER_PAGE * (number - 1) : PER_PAGE * number]
        newer = f'<a class="newer-posts" href="/{"" if number == 2 else f"page/{number - 1}/"}">'
        older = f'<a class="older-posts" href="/page/{number + 1}/">Older Posts &rarr;</a>'
        pager = (
            '<nav class="pagination" role="navigation">'
            f"{newer + '&larr; Newer Posts</a>' if number > 1 else ''}"
            f'<span class="page-number">Page {number} of {pages}</span>'
            f"{older if number < pages else ''}</nav>"
        )
        site.add(
            "/" if number == 1 else f"/page/{number}/",
            html(
                '<!DOCTYPE html><html lang="en"><head><title>Quill</title><meta name="generator" '
                'content="Ghost 5.0"><link rel="alternate" type="application/rss+xml" href="/rss/"></head>'
                '<body class="home-template"><div class="viewport"><header id="gh-head" class="gh-head">'
                '<nav class="gh-head-menu"><ul class="nav"><li><a href="/">Home</a></li><li>'
                '<a href="/about/">About</a></li></ul></nav></header>'
                '<main id="site-main" class="site-main outer">'
                f'<div class="inner posts"><div class="post-feed">{"".join(map(card, shown))}</div></div>'
                f"{pager}"
                '</main><footer class="site-footer"><a href="/about-this-site/">About this site</a>'
                '<a href="https://ghost.org/">Powered by Ghost</a></footer></div></body></html>'
            ),
        )
    site.add("/page/1/", redirect("/", 301))
    site.add("/feed.xml", rss(latest(told)))


def drupal(site: Site, told: Sequence[Story]) -> None:
    """Drupal's front page: nodes promoted to it, a pager that counts from 0; rss.xml ignores it."""

    def node(one: Story) -> str:
        return (
            '<div class="views-row"><article class="node node--type-article node--promoted">'
            f'<h2 class="node__title"><a href="{one.path}" rel="bookmark"><span>{escape(one.title)}</span>'
            f'</a></h2><footer class="node__meta">By <a href="/user/1">ada</a>, {one.published:%a, %m/%d/%Y}'
            f'</footer><div class="node__content">{escape(one.paragraphs[0])}<ul class="links inline">'
            f'<li class="node-readmore"><a href="{one.path}" rel="tag" title="{escape(one.title)}">Read more'
            "</a></li></ul></div></article></div>"
        )

    def front(request: Request) -> Answer:
        number = parameter(request, "page") or 0
        pages = -(-len(told) // PER_PAGE)
        items = "".join(
            f'<li class="pager__item"><a href="?page={one}" title="Go to page {one + 1}">'
            f'<span class="visually-hidden">Page</span> {one + 1}</a></li>'
            for one in range(pages)
        )
        following = (
            f'<li class="pager__item pager__item--next"><a href="?page={number + 1}" title="Go to next page" '
            'rel="next"><span class="visually-hidden">Next page</span><span aria-hidden="true">&rsaquo;'
            "&rsaquo;</span></a></li>"
        )
        rows = "".join(map(node, told[::-1][PER_PAGE * number : PER_PAGE * (number + 1)]))
        return html(
            '<html><head><meta name="Generator" content="Drupal 10"></head><body class="path-frontpage">'
            '<nav role="navigation" class="menu--main"><ul><li><a href="/">Home</a></li><li>'
            '<a href="/contact">Contact</a></li></ul></nav><main role="main">'
            f'<div class="views-element-container">{rows}<nav class="pager" role="navigation">'
            f'<ul class="pager__items">{items}'
            f"{following if number + 1 < pages else ''}</ul></nav></div></main></body></html>"
        )

    site.add("/feed.xml", rss(latest(told)))
    site.add("/", front)


def hugo(site: Site, told: Sequence[Story]) -> None:
    """Hugo: a home page without a list, sitemap.xml of everything by date, no robots.txt."""
    kinds = [("/", told[-1]), ("/posts/", told[-1]), ("/tags/", told[-1]), ("/categories/", told[0])]
    everything = [*kinds, *((one.path, one) for one in told[::-1])]
    urls = "".join(
        f"<url><loc>{site.url(path)}</loc><lastmod>{one.published.isoformat()}</lastmod></url>"
        for path, one in everything
    )
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    document = f'<?xml version="1.0" encoding="utf-8" standalone="yes"?><urlset {space}>{urls}</urlset>'
    site.add("/feed.xml", rss(latest(told)))
    site.add(
        "/",
        html('<html><head><meta name="generator" content="Hugo 0.120.0"></head><body>Hello</body></html>'),
    )
    site.add("/sitemap.xml", Answer(headers=(("Content-Type", "application/xml"),), body=document.encode()))
    site.add("/robots.txt", status(404))


def jekyll(site: Site, told: Sequence[Story]) -> None:
    """Jekyll with jekyll-paginate: /page2, "Older"; GitHub Pages answers robots.txt with a sitemap."""
    pages = -(-len(told) // PER_PAGE)
    for number in range(1, pages + 1):
        shown = told[::-1][PER_PAGE * (number - 1) : PER_PAGE * number]
        posts = "".join(
            f'<li><span class="post-meta">{one.published:%b %d, %Y}</span><h3><a class="post-link" '
            f'href="{one.path}">{escape(one.title)}</a></h3></li>'
            for one in shown
        )
        older = f'<li><a class="older-posts" href="/page{number + 1}">{number + 1}</a></li>'
        site.add(
            "/" if number == 1 else f"/page{number}",
            html(
                '<html><body><header class="site-header"><a class="site-title" href="/">Quill</a></header>'
                '<main class="page-content"><div class="home"><h2 class="post-list-heading">Posts</h2>'
                f'<ul class="post-list">{posts}</ul><div class="pager"><ul class="pagination">'
                f"{older if number < pages else ''}</ul></div></div></main></body></html>"
            ),
        )
    site.add("/feed.xml", rss(latest(told)))
    site.add("/robots.txt", text(f"Sitemap: {site.url('/sitemap.xml')}\n"))
