"""What a page needs to be shown: which elements count, where their addresses lead, and which are left out."""

from __future__ import annotations

import pytest
from lxml import etree

from archiver.documents.pages.dom import parse_html
from archiver.documents.requisites.model import IMPORTANCE
from archiver.documents.requisites.page import page_requisites

URL = "https://example.org/news/1.html"
ROOT = "https://example.org/news/"


def needed(html: str, *, every_kind: bool = False) -> list[tuple[str, str]]:
    kinds = {"kinds": IMPORTANCE} if every_kind else {}
    body = f"<!DOCTYPE html><title>A page</title>{html}".encode()
    found = page_requisites(body, url=URL, content_type="text/html; charset=utf-8", scope="page", **kinds)
    return [(one.kind, one.url.removeprefix(ROOT)) for one in found]


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<link rel=stylesheet href=a>", "style"),
        ("<link rel='StyleSheet preload' type='text/css; charset=utf-8' media=print href=a>", "style"),
        ("<link rel=preload as=style href=a>", "style"),
        ("<style>@import 'a';</style>", "style"),
        ("<style media=screen>p { background: url(a) }</style>", "image"),
        ("<noscript><style>p { background: url(a) }</style></noscript>", "image"),
        ("<p style='background: url(&quot;a&quot;)'>", "image"),
        ("<p data-bg='./a'>", "image"),
        ("<p data-background-image='url(a)'>", "image"),
        ("<table><tr><td background=a>", "image"),
        ("<body background=a>", "image"),
        ("<input type=IMAGE src=a>", "image"),
        ("<video poster=a></video>", "image"),
        ("<svg><image xlink:href=a /></svg>", "image"),
        ("<svg><image href=a /></svg>", "image"),
        ("<svg><use href='a#icon' /></svg>", "image"),
        ("<svg><filter><feImage href=a /></filter></svg>", "image"),
        ("<object data=a type=image/svg+xml></object>", "image"),
        ("<link rel=preload as=image href=a>", "image"),
        ("<link rel=preload as=image imagesrcset='a 2x, b 1x'>", "image"),
        ("<link rel=preload as=font href=a>", "font"),
        ("<style>@font-face { src: url(a) }</style>", "font"),
        ("<script src=a></script>", "script"),
        ("<script type=module src=a></script>", "script"),
        ("<link rel=preload as=script href=a>", "script"),
        ("<link rel=modulepreload href=a>", "script"),
        ("<object data=a type=application/pdf></object>", "object"),
        ("<embed src=a>", "object"),
        ("<link rel='shortcut icon' href=a>", "icon"),
    ],
)
def test_what_a_browser_fetches_is_needed(html: str, kind: str) -> None:
    assert needed(html) == [(kind, "a")]


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<iframe src=a></iframe>", "frame"),
        ("<iframe data-src=a></iframe>", "frame"),
        ("<frameset><frame src=a></frameset>", "frame"),
        ("<embed type=text/html src=a>", "frame"),
        ("<video src=a></video>", "media"),
        ("<audio><source src=a></audio>", "media"),
        ("<object data=a type=video/mp4></object>", "media"),
    ],
)
def test_frames_and_media_are_needed_only_when_asked_for(html: str, kind: str) -> None:
    assert needed(html) == []
    assert needed(html, every_kind=True) == [(kind, "a")]


@pytest.mark.parametrize(
    "html",
    [
        "<a href=a>",
        "<link rel=canonical href=a>",
        "<link rel=alternate type=application/rss+xml href=a>",
        "<link rel='alternate stylesheet' href=a>",
        "<link rel=stylesheet type=text/less href=a>",
        "<link rel=apple-touch-icon href=a>",
        "<link rel=preload as=fetch href=a>",
        "<link rel=prefetch href=a>",
        "<script type=application/ld+json src=a></script>",
        "<script nomodule src=a></script>",
        "<script>document.write('<img src=a>')</script>",
        "<style type=text/less>p { background: url(a) }</style>",
        "<template><img src=a><style>p { background: url(a) }</style></template>",
        "<!-- <img src=a> -->",
        "<p style='background: a(a)' data-bg=dark>",
        "<p style='@import url(a)'>",
        "<input type=text src=a>",
        "<svg><use href='#icon' /></svg>",
        "<div background=a>",
    ],
)
def test_what_no_browser_fetches_is_not_needed(html: str) -> None:
    assert needed(html) == []


def test_the_root_of_a_shadow_tree_is_shown() -> None:
    assert needed("<div><template shadowrootmode=open><img src=a></template></div>") == [("image", "a")]


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("a.png", ROOT + "a.png"),
        ("  a.png\n", ROOT + "a.png"),
        ("../a.png", "https://example.org/a.png"),
        ("//cdn.example/a.png#part", "https://cdn.example/a.png"),
        ("HTTP://cdn.example/a b.png", "http://cdn.example/a%20b.png"),
        ("images\\a.png?b\\c", ROOT + "images/a.png?b%5Cc"),
        ("https://user:secret@cdn.example/a.png", "https://cdn.example/a.png"),
        ("?a=1&amp;b=é", URL + "?a=1&b=%C3%A9"),
    ],
)
def test_addresses_are_absolute_and_may_be_requested(address: str, url: str) -> None:
    found = page_requisites(
        f'<img src="{address}">'.encode(), url=URL, content_type="text/html; charset=utf-8", scope="page"
    )
    assert [one.url for one in found] == [url]


@pytest.mark.parametrize(
    "address",
    [
        "data:image/gif;base64,R0lGOD",
        "DATA:,x",
        "blob:https://example.org/1",
        "javascript:void(0)",
        "about:blank",
        "ftp://example.org/a",
        "mailto:a@example.org",
        "http://",
        "http://[::1",
        "http://example.org:99999/a",
        "",
        "#top",
        "1.html",
        "1.html#top",
        "a" * 9000,
    ],
)
def test_what_cannot_be_requested_is_left_out(address: str) -> None:
    assert needed(f'<img src="{address}"><p style="background: url({address})">') == []


def test_the_base_of_the_page_counts_in_its_styles_too() -> None:
    html = (
        "<base href='//cdn.example/x/'><img src=a><style>p { background: url(b) }</style><p style='c:url(c)'>"
    )
    assert [url for _, url in needed(html)] == [f"https://cdn.example/x/{name}" for name in "abc"]


@pytest.mark.parametrize("base", ["data:text/plain,x", "http://[", "", "javascript:0"])
def test_a_base_that_is_none_is_ignored(base: str) -> None:
    assert needed(f"<base href='{base}'><img src=a>") == [("image", "a")]


@pytest.mark.parametrize(
    "body", [b"", b"   ", b"%PDF-1.7 <img src=a>", b"\x89PNG<img src=a>", b'{"a": "<img src=a>"}']
)
def test_what_is_no_page_needs_nothing(body: bytes) -> None:
    assert page_requisites(body, url=URL, content_type=None, scope="page") == []


def test_a_page_in_another_encoding_is_read() -> None:
    html = "<meta charset=windows-1251><img src='Ж.png'>".encode("cp1251")
    found = page_requisites(html, url=URL, content_type="text/html", scope="page")
    assert [one.url for one in found] == [ROOT + "%D0%96.png"]


def test_the_styles_of_a_page_are_found_in_the_tree_that_others_read_as_well() -> None:
    body = (
        b"<link rel=stylesheet href=a>"
        b"<template><link rel=stylesheet href=b><style>@import 'c'</style></template>"
        b"<div><template shadowrootmode=open><link rel=stylesheet href=d>"
        b"<template><link rel=stylesheet href=e></template></template></div>"
        b"<style>p { background: url(f) }</style><style>@IMPORT 'g'</style><style>@\\69mport 'h'</style>"
    )
    tree = parse_html(body, "text/html; charset=utf-8", URL)
    before = etree.tostring(tree)
    found = page_requisites(body, url=URL, content_type="text/html", scope="look", parsed=tree)
    assert [one.url.removeprefix(ROOT) for one in found] == ["a", "d", "g", "h"]
    assert found == page_requisites(body, url=URL, content_type="text/html", scope="look")
    assert etree.tostring(tree) == before
