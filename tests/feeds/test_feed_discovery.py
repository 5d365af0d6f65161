"""The feeds of a page are found, in order, and nothing else is."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

from archiver.documents.feeds.discover import discover_feeds, feed_leads, looks_like_html
from archiver.documents.feeds.discovered import WELL_KNOWN_PATHS, DiscoveredFeed, is_of_comments, well_known

URL = "https://example.org/blog/post"


def urls(markup: str, url: str = URL) -> list[str]:
    return [feed.url for feed in discover_feeds(markup.encode(), url=url)]


def link(href: str, kind: str = "application/rss+xml", title: str = "", rel: str = "alternate") -> str:
    return f'<link rel="{rel}" type="{kind}" title="{title}" href="{href}">'


def test_feed_is_found_with_its_title_and_type() -> None:
    page = f"<html><head>{link('/rss', title=' All  news &amp; more ')}</head></html>".encode()
    assert discover_feeds(page, url=URL) == [
        DiscoveredFeed(url="https://example.org/rss", title="All news & more", type="application/rss+xml")
    ]


@pytest.mark.parametrize(
    "kind",
    [
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/json",
        "application/xml",
        "text/xml",
        "Application/RSS+XML; charset=utf-8",
    ],
)
def test_types_of_feeds_are_known(kind: str) -> None:
    assert urls(link("/feed", kind)) == ["https://example.org/feed"]


@pytest.mark.parametrize(
    "markup",
    [
        link("/de", "text/html"),
        link("/style.css", "text/css", rel="alternate stylesheet"),
        link("/feed.xsl", "text/xml", rel="stylesheet"),
        link("/oembed", "application/json+oembed"),
        link("/wp-json/wp/v2/posts/1", "application/json"),
        link(""),
        link("javascript:alert(1)"),
        link("https://[oops"),
        '<link rel="alternate" href="/rss">',
        '<link type="application/rss+xml" href="/rss">',
        "<link rel=alternate type=application/rss+xml>",
        f"<!-- {link('/old')} -->",
        "",
        "\x00",
        "no markup",
    ],
)
def test_other_links_are_left_alone(markup: str) -> None:
    assert urls(markup) == []


def test_rel_is_a_list_of_words_in_any_case() -> None:
    assert urls(link("/a", rel="ALTERNATE home") + link("/b", rel="nofollow Alternate")) == [
        "https://example.org/a",
        "https://example.org/b",
    ]
    assert urls('<LINK REL=feed HREF="/c">') == ["https://example.org/c"]


def test_links_start_at_the_page_or_at_its_base() -> None:
    assert urls(link("rss")) == ["https://example.org/blog/rss"]
    assert urls(f'<base href="/news/">{link("rss")}') == ["https://example.org/news/rss"]
    assert urls(f'<base target="_top"><base href="https://other.example.org">{link("rss")}') == [
        "https://other.example.org/rss"
    ]


def test_feed_named_twice_is_listed_once() -> None:
    assert urls(link("/rss") + link("https://example.org/rss", "application/xml")) == [
        "https://example.org/rss"
    ]


def test_feed_named_in_the_body_is_found() -> None:
    assert urls(f"<html><head></head><body><p>Hello{link('/rss')}</body></html>") == [
        "https://example.org/rss"
    ]


def test_feeds_of_comments_come_last() -> None:
    page = (
        link("/a/comments/feed") + link("/b", title="Kommentare zu B") + link("/c") + link("/d", "text/xml")
    )
    found = [url.removeprefix("https://example.org") for url in urls(page)]
    assert found == ["/c", "/d", "/a/comments/feed", "/b"]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/comments/feed/", None),
        ("/2024/05/post/feed/", "Site » Post Comments Feed"),
        ("/feeds/comments/default", None),
        ("/comments.xml", None),
        ("/x", "Comments on: Post"),
        ("/x", "Site » Kommentar-Feed"),
        ("/x", "Kommentare zu Beitrag"),
        ("/x", "Site » Flux des commentaires"),
        ("/x", "Site » Feed de los comentarios"),
        ("/x", "Site » Feed dei commenti"),
        ("/x", "Site » Лента комментариев"),
        ("/x", "Site » コメントフィード"),
    ],
)
def test_comments_of_readers_are_recognised(path: str, title: str | None) -> None:
    assert is_of_comments(DiscoveredFeed(url=f"https://example.org{path}", title=title))


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/feed", None),
        ("/commentisfree/rss", "Comment is free"),
        ("/comment/rss", "Comment & analysis"),
        ("/rss/kommentare", "Meinung und Kommentare"),
        ("/commentary.xml", "Commentary"),
        ("/feed", "Commentaire politique"),
    ],
)
def test_opinion_pages_are_not_comments(path: str, title: str | None) -> None:
    assert not is_of_comments(DiscoveredFeed(url=f"https://example.org{path}", title=title))


def test_site_about_comments_keeps_its_order() -> None:
    page = link("https://comments.example.org/a") + link("https://comments.example.org/b")
    assert urls(page) == ["https://comments.example.org/a", "https://comments.example.org/b"]


def test_page_in_another_encoding_is_read() -> None:
    page = link("/ñ", title="Añoranza").encode("cp1252")
    found = discover_feeds(page, url=URL, content_type="text/html; charset=iso-8859-1")
    assert [(feed.url, feed.title) for feed in found] == [("https://example.org/ñ", "Añoranza")]


def test_xhtml_page_with_a_declaration_is_read() -> None:
    page = f'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">{link("/rss")}</html>'
    assert urls(page) == ["https://example.org/rss"]


def test_well_known_addresses_are_beside_the_page_and_at_the_top() -> None:
    found = well_known("https://example.org/~ann/index.html?x=1")
    assert found[0] == "https://example.org/~ann/feed"
    assert "https://example.org/rss.xml" in found
    assert len(found) == 2 * len(WELL_KNOWN_PATHS)


def test_well_known_addresses_of_a_whole_site_are_tried_once() -> None:
    assert well_known("https://example.org") == [f"https://example.org{path}" for path in WELL_KNOWN_PATHS]


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><p>x",
        b"\xef\xbb\xbf\n <!-- hello --> <HTML>",
        b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html>',
        "<html><p>x".encode("utf-16"),
        b"<head><title>x</title>",
        b"<div>fragment</div>",
    ],
)
def test_html_is_recognised(body: bytes) -> None:
    assert looks_like_html(body)


@pytest.mark.parametrize(
    "body",
    [b"", b"<rss>", b"<?xml version='1.0'?><feed>", b'{"html": "<html>"}', b"text", b"\x1f\x8b", b"<abc>"],
)
def test_other_documents_are_not_taken_for_html(body: bytes) -> None:
    assert not looks_like_html(body)


def test_links_that_may_lead_to_a_feed_are_few_and_of_the_same_host() -> None:
    page = (
        '<a href="https://example.com/news">News</a><a href="/about">About the news</a>'
        '<a href="/">Home</a><a href="/blog/">Our blog</a><a href="http://www.example.org/timeline">When</a>'
        '<a href="#news">News</a>'
        '<a href="/x/17">News</a><a href="/nachrichten.html">Mehr</a><a href="/follow">RSS</a>'
    )
    assert feed_leads(page.encode(), url="https://example.org/") == [
        "https://example.org/follow",
        "https://example.org/blog/",
        "http://www.example.org/timeline",
    ]
    assert feed_leads(b"", url=URL) == []
    assert feed_leads(b"<a href='http://['>News</a><a>News</a>", url=URL) == []


@pytest.mark.parametrize("name", ["Timeline", "News", "Blog", "Feeds", "RSS", "Aktuelles"])
def test_link_leads_to_a_feed_by_what_it_says_or_by_its_address(name: str) -> None:
    assert feed_leads(f"<a href='/x/17'>{name}</a>".encode(), url=URL) == [urljoin(URL, "/x/17")]
    named = f"/{name.lower()}.html"
    assert feed_leads(f"<a href='{named}'>More</a>".encode(), url=URL) == [urljoin(URL, named)]
