"""Markup made clean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.text import nothing, text_of
from tests.extract.pages import BASE, node

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element as Element


def plain_html(element: Element, base_url: str, skip: Callable[[Element], bool] = nothing) -> str:
    return html_of(clean_tree(element, base_url, skip))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p class='x' style='y' onclick='z()' id='i'>a</p>", "<p>a</p>"),
        ("<p>a<script>b</script> c</p>", "<p>a c</p>"),
        ("<span>a <font color='red'>b</font></span>", "<p>a b</p>"),
        ("<p>a</p><p> </p><div><p></p></div>", "<p>a</p>"),
        ("<p>a<b> </b>b <i> c</i></p>", "<p>a b <i>c</i></p>"),
        ("1 &lt; 2 &amp; 3", "<p>1 &lt; 2 &amp; 3</p>"),
        ("<p>so\u00adft\u200b</p>", "<p>soft</p>"),
        ("<p>a<hr>b<hr></p>", "<p>a</p><hr/><p>b</p><hr/>"),
        ("<strike>a</strike> <tt>b</tt>", "<p><s>a</s> <code>b</code></p>"),
        ("<acronym title='t'>c</acronym>", "<p><abbr title='t'>c</abbr></p>"),
        ("<td>a</td><td>b</td>", "<p>a</p><p>b</p>"),
    ],
)  # fmt: skip
def test_only_words_and_what_they_are_is_kept(markup: str, expected: str) -> None:
    html = plain_html(node(markup), BASE)
    assert html == f"<div>{expected}</div>".replace("'", '"')
    assert etree.fromstring(html) is not None


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>"),
        ("<section><article><div><p>a</p></div></article></section>", "<p>a</p>"),
        ("a<p></p>b", "<p>a</p><p>b</p>"),
        ("a<br>b<br> <br>c<br><p>d</p>", "<p>a<br/>b</p><p>c</p><p>d</p>"),
        ("<h2><div>a</div></h2><h3></h3>b", "<h2>a</h2><p>b</p>"),
        ("<a href='c'><h2>a</h2><p>b</p></a>", "<h2><a href='C'>a</a></h2><p><a href='C'>b</a></p>"),
        ("<div dir='rtl'><div lang='ar'>a</div>b</div>", "<p dir='rtl' lang='ar'>a</p><p dir='rtl'>b</p>"),
    ],
)
def test_every_run_of_words_is_a_paragraph_or_heading(markup: str, expected: str) -> None:
    expected = expected.replace("'C'", "'https://example.org/a/c'")
    assert plain_html(node(markup), BASE) == f"<div>{expected}</div>".replace("'", '"')


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<ul><li>a</li><li></li><li><p>b</p><p>c</p></li></ul>",
            "<ul><li>a</li><li><p>b</p><p>c</p></li></ul>",
        ),
        ("<ul>\n<li>a <ol start='3'> <li>b</ol></ul>", "<ul><li>a<ol start='3'><li>b</li></ol></li></ul>"),
        ("<menu><li>a</menu>", "<ul><li>a</li></ul>"),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
        ("<blockquote>a<footer>b</footer></blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>"),
        ("<pre>\na\n  <b>b</b>\n</pre> c\n  d", "<pre>a\n  <b>b</b>\n</pre><p>c d</p>"),
        ("<pre>a<br>b<div>c</div></pre>", "<pre>a\nb\nc</pre>"),
        (
            "<table class='x'><tr><td></td><td colspan='2'>a</td><td> </td></tr><tr><td></td></tr></table>",
            "<table><tr><td></td><td colspan='2'>a</td><td></td></tr></table>",
        ),
        ("<table><caption>t<tbody><tr><th>a</table>",
         "<table><caption>t</caption><tbody><tr><th>a</th></tr></tbody></table>"),
    ],
)  # fmt: skip
def test_lists_quotes_code_and_tables_are_what_they_were(markup: str, expected: str) -> None:
    assert plain_html(node(markup), BASE) == f"<div>{expected}</div>".replace("'", '"')


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a href='c'>a</a>", "<p><a href='https://example.org/a/c'>a</a></p>"),
        ("<a href='javascript:x'>a</a><a name='n'>b</a>", "<p>ab</p>"),
        ("<img src='c.png' alt='x&quot;' onerror='y'>",
         "<img src='https://example.org/a/c.png' alt='x&quot;'/>"),
        ("<p><img src='data:image/gif;base64,R0'></p>a", "<p>a</p>"),
        ("<p>a <img src='c'> b</p>", "<p>a <img src='https://example.org/a/c' alt=''/> b</p>"),
        (
            "<figure class='x'><div><img src='/c'></div><figcaption>a <b>b</b></figcaption></figure>",
            "<figure><img src='https://example.org/c' alt=''/><figcaption>a <b>b</b></figcaption></figure>",
        ),
        ("<ul><li><img src='/c'></li></ul>", "<ul><li><img src='https://example.org/c' alt=''/></li></ul>"),
    ],
)  # fmt: skip
def test_links_and_images_have_absolute_addresses_or_are_none(markup: str, expected: str) -> None:
    assert plain_html(node(markup), BASE) == f"<div>{expected}</div>".replace("'", '"')


def test_language_and_direction_around_the_node_are_kept() -> None:
    tree = parse_markup("<html lang='he' dir='rtl'><body><div dir='ltr'><p>a</p></div></body></html>")
    assert tree is not None
    assert plain_html(tree.find("body/div/p"), BASE) == '<div dir="ltr" lang="he"><p>a</p></div>'


def test_what_is_skipped_leaves_what_follows_it() -> None:
    skipped = node("<p>a <b>b</b> c</p><div>d</div>e<div>f<aside>g</aside>h</div>")
    html = plain_html(skipped, BASE, lambda element: element.tag in ("b", "aside") or element.text == "d")
    assert html == "<div><p>a c</p><p>e</p><p>f</p><p>h</p></div>"


ARTICLE = """<div><h1>Ferry</h1><h2>Again</h2>By Ada<p>First, <em>with</em> a <a href="/l">link</a>.</p>
<blockquote><p>Said</p>she</blockquote><ul><li>one<ul><li>two</li></ul></li><li><p>three</p><p>four</p></li></ul>
<table><tr><th>A</th><th></th><th>C</th></tr><tr><td>1</td><td>2</td><td><p>3</p></td></tr></table>
<pre>
def f():
    return 1

</pre><figure><img src="s.jpg"><figcaption>A ship</figcaption></figure>five<br>six<br><br>seven</div>"""
ARTICLE_TEXT = (
    "Ferry\n\nAgain\n\nBy Ada\n\nFirst, with a link.\n\n> Said\n\n> she\n\n- one\n  - two\n- three\n\n"
    "four\n\nA\t\tC\n1\t2\t3\n\ndef f():\n    return 1\n\nA ship\n\nfive\nsix\n\nseven"
)


def test_text_of_a_whole_article() -> None:
    assert text_of(clean_tree(node(ARTICLE), BASE)) == ARTICLE_TEXT


PIECES = [
    "<div>", "</div>", "<p>", "</p>", "<ul>", "<li>", "</ul>", "<table><tr>", "<td>", "<th>", "<tr>",
    "</table>", "<blockquote>", "</blockquote>", "<pre>", "</pre>", "<h2>", "</h2>", "<a href='x'>", "</a>",
    "<b>", "</b>", "<br>", "<img src='i'>", "<figure>", "<figcaption>", "</figure>", "<hr>", "<dl><dt>",
    "<dd>", "one", " ", "\n", " two ", "<span>", "&#160;", "<caption>", "</li>", "\u00ad",
    "<center>", "<q>", "<code>", "</code>",
]  # fmt: skip


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_text_and_markup_never_differ(markup: str) -> None:
    clean = clean_tree(node(markup), BASE)
    text, html = text_of(clean), html_of(clean)
    assert text_of(etree.fromstring(html)) == text
    again = parse_markup(html)
    assert again is not None
    assert text_of(again) == text


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_clean_markup_is_as_clean_as_it_gets(markup: str) -> None:
    once = plain_html(node(markup), BASE)
    again = plain_html(etree.fromstring(once), BASE)
    assert again == once
