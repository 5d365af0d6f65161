"""What is kept of the chosen node."""

from __future__ import annotations

import pytest
from lxml import etree

from archiver.extract.article import images_in, links_in, plain_html
from archiver.extract.dom import cleaned, parse_markup
from archiver.extract.model import Image, Link

BASE = "https://example.org/a/b.html"


def node(markup: str) -> etree._Element:
    tree = parse_markup(f"<html><body><div>{markup}</div></body></html>")
    assert tree is not None
    return cleaned(tree).find("body/div")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p class='x' style='y' onclick='z()'>a</p>", "<p>a</p>"),
        ("<p>a<script>b</script> c</p>", "<p>a c</p>"),
        ("<span>a <font color='red'>b</font></span>", "a b"),
        ("<p>a</p><p> </p><div><p></p></div>", "<p>a</p> "),
        ("<a href='c'>a</a>", "<a href='https://example.org/a/c'>a</a>"),
        ("<a href='javascript:x'>a</a>", "<a>a</a>"),
        (
            "<img src='c.png' alt='x&quot;' onerror='y'>",
            "<img src='https://example.org/a/c.png' alt='x&quot;'/>",
        ),
        ("<p><img src='data:image/gif;base64,R0'></p>a<br>b", "a<br/>b"),
        (
            "<table><tr><td></td><td colspan='2'>a</td></tr></table>",
            "<table><tr><td/><td colspan='2'>a</td></tr></table>",
        ),
        ("<pre>a\n  b</pre> <p>a\n  b</p>", "<pre>a\n  b</pre> <p>a b</p>"),
        ("1 &lt; 2 &amp; 3", "1 &lt; 2 &amp; 3"),
        ("a<b> </b>b", "a b"),
    ],
)
def test_markup_is_plain_and_well_formed(markup: str, expected: str) -> None:
    html = plain_html(node(markup), BASE)
    assert html == f"<div>{expected}</div>".replace("'", '"')
    assert etree.fromstring(html) is not None


def test_links_are_absolute_and_once_each_in_order() -> None:
    markup = """<a href="/2"><img src="x"></a><a href="1"> one  more </a><a href="/2">two</a>
        <a href="#note">3</a><a href="mailto:x@example.org">mail</a><a>none</a>"""
    assert links_in(node(markup), BASE) == (
        Link(url="https://example.org/2", text="two"),
        Link(url="https://example.org/a/1", text="one more"),
    )


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<img src='c.png'>", "https://example.org/a/c.png"),
        ("<img src='data:,x' data-src='c.png'>", "https://example.org/a/c.png"),
        ("<img src='s.png' srcset='m.png 640w, l.png 1280w, s.png 320w'>", "https://example.org/a/l.png"),
        ("<img src='s.png' srcset='m.png 1x,l,c.png 2.5x'>", "https://example.org/a/l,c.png"),
        ("<img srcset='m.png, l.png 3x'>", "https://example.org/a/l.png"),
        ("<picture><source srcset='l.webp 2x'><img src='s.png'></picture>", "https://example.org/a/l.webp"),
    ],
)
def test_image_is_the_best_of_what_is_offered(markup: str, expected: str) -> None:
    assert [image.url for image in images_in(node(markup), BASE)] == [expected]


def test_images_have_their_words_and_stand_once() -> None:
    markup = """<figure><img src="1.png" alt=" A  ship "><figcaption>The <b>ship</b>.</figcaption></figure>
        <img src="1.png"><img src="2.png"><img>"""
    assert images_in(node(markup), BASE) == (
        Image(url="https://example.org/a/1.png", alt="A ship", caption="The ship."),
        Image(url="https://example.org/a/2.png"),
    )
