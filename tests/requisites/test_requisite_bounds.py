"""Bounds: the most important first, never more than asked for, in little time, and whatever the bytes are."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.requisites.css import style_requisites
from archiver.documents.requisites.model import IMPORTANCE, WANTED, Requisite
from archiver.documents.requisites.page import page_requisites
from archiver.urls import is_web

URL = "https://example.org/"
ONE_OF_EACH = b"""
<link rel=icon href=icon><iframe src=frame></iframe><video src=media></video><embed src=object>
<script src=script></script><link rel=preload as=font href=font><img src=image>
<link rel=stylesheet href=style>
"""
MEGABYTE = 1_000_000

PIECES = st.sampled_from(
    [
        *(
            b"<img src=",
            b" srcset='",
            b"<picture><source srcset=",
            b"<style>",
            b"</style>",
            b"<p style='",
            b"'>",
        ),
        *(
            b"<base href=",
            b"<link rel=stylesheet href=",
            b"<template>",
            b"<svg><use xlink:href=",
            b"<object data=",
        ),
        *(
            b"http://",
            b"//[",
            b"a",
            b":",
            b" 2x, ",
            b"url(",
            b"@import ",
            b"@font-face{",
            b'@charset "',
            b'";',
        ),
        *(b">", b"\xff", b"\0"),
    ]
)
MARKUP = st.lists(PIECES | st.binary(max_size=4)).map(b"".join)
CONTENT_TYPES = st.none() | st.sampled_from(
    ["text/html", "text/css; charset=utf-16", "x; charset=idna", "é;;="]
)
URLS = st.sampled_from([URL, "", "http://[", "nonsense", "http://\ud800/"]) | st.text(max_size=8)


@given(body=MARKUP | st.binary(), url=URLS, content_type=CONTENT_TYPES | st.text(max_size=8))
def test_no_page_and_no_style_is_an_error(body: bytes, url: str, content_type: str | None) -> None:
    page = page_requisites(body, url=url, content_type=content_type, scope="page", article_images=[url])
    style = style_requisites(body, url=url, content_type=content_type)
    for found in (page, style):
        assert all(is_web(one.url) and "#" not in one.url for one in found)
        assert len({one.url for one in found}) == len(found) <= 100


def page(body: bytes, **arguments: object) -> list[Requisite]:
    return page_requisites(body, url=URL, content_type="text/html", scope="page", **arguments)


def test_requisites_come_in_the_order_of_their_importance() -> None:
    assert [one.kind for one in page(ONE_OF_EACH, kinds=IMPORTANCE)] == list(IMPORTANCE)
    assert [one.kind for one in page(ONE_OF_EACH)] == [kind for kind in IMPORTANCE if kind in WANTED]


def test_the_limit_leaves_out_what_matters_least() -> None:
    assert [one.kind for one in page(ONE_OF_EACH, limit=3)] == ["style", "image", "font"]
    assert page(ONE_OF_EACH, limit=0) == page(ONE_OF_EACH, limit=-1) == []


def test_a_limit_is_filled_even_if_much_is_named_twice() -> None:
    names = [f"{number:03}" for number in range(300)]
    icons = "".join(f"<link rel=icon href={name}>" for name in names)
    scripts = "".join(f"<script src={name}></script>" for name in names[:90])
    found = page((icons + scripts).encode())
    assert [one.kind for one in found] == ["script"] * 90 + ["icon"] * 10
    assert len({one.url for one in found}) == 100


def test_only_wanted_kinds_are_given() -> None:
    assert [one.kind for one in page(ONE_OF_EACH, kinds={"style", "frame"})] == ["style", "frame"]
    assert page(ONE_OF_EACH, kinds={"font"}, article_images=[URL + "a"])[0].kind == "font"


def usual_page() -> bytes:
    block = (
        '<div class=c{0} style="color: red"><p>Some <b>text</b> that leads to <a href="/{0}">a page</a>.</p>'
        '<img src="/{0}.jpg" srcset="/{0}-1.jpg 320w, /{0}-2.jpg 640w" width=640></div>\n'
    )
    return "".join(block.format(number) for number in range(26_500)).encode()


def usual_style(size: int) -> bytes:
    rule = (
        '.button:hover > a[href^="x"], .title-{0} {{ color: #fff; background: url({0}.png) no-repeat 0 50%;'
        " margin: 0 auto 1.5rem -2px; border: 1px solid rgba(0, 0, 0, .125) }}\n"
    )
    return "".join(rule.format(number) for number in range(size // 180)).encode()


@pytest.mark.parametrize(
    "body",
    [
        usual_page(),
        b"<style>" + usual_style(5 * MEGABYTE),
        b"<img src=data:image/png;base64," + b"A" * 5 * MEGABYTE + b">",
        b"<img srcset='" + b",a " * 5 * (MEGABYTE // 3),
        b"".join(b"<img src=http://[%d>" % number for number in range(230_000)),
        b"<p style='" + b"url(" * 5 * (MEGABYTE // 4),
    ],
    ids=["usual", "style", "data", "srcset", "bad addresses", "open addresses"],
)
def test_a_page_of_five_megabytes_is_read_in_two_seconds(body: bytes) -> None:
    assert len(body) > 4.5 * MEGABYTE
    began = time.process_time()
    found = page(body)
    assert time.process_time() - began < 2
    assert len(found) <= 100


def test_a_style_of_half_a_megabyte_is_read_in_one_second() -> None:
    assert seconds_of_style(usual_style(MEGABYTE // 2)) < 1


@pytest.mark.parametrize("piece", [b"(", b"{}", b"'\n", b";", b"url('", b"@font-face{src:url(a)", b"/*/"])
def test_a_style_made_to_be_slow_takes_time_in_proportion(piece: bytes) -> None:
    # Anything quadratic would take minutes.
    assert seconds_of_style(piece * (MEGABYTE // 5 // len(piece))) < 2


def seconds_of_style(css: bytes) -> float:
    began = time.process_time()
    assert len(style_requisites(css, url=URL, content_type="text/css")) <= 100
    return time.process_time() - began
