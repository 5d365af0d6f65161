"""What readers may see of a page is the same with and without a clean copy of it."""

from __future__ import annotations

import pytest

from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.seen import seen, seen_text
from archiver.documents.pages.text import text_of


@pytest.mark.parametrize(
    "markup",
    [
        "<h1>A <b>ferry</b></h1><h2>to the island</h2>",
        "<h1>A<script>b()</script> ferry<style>c</style>s</h1>",
        "<noscript><h1>no</h1></noscript><h1>A <svg><title>d</title></svg>ferry</h1>",
        '<h1>A ferry <a href="#a">#</a> sails <a href="#b">again</a></h1>',
        '<h1>A ferry<a href="#a"><svg><title>Link</title></svg>¶</a></h1><p><a href="#c">#</a></p>',
        '<button><a href="/a">a</a></button><h2><a href="/b">b</a></h2>',
    ],
)
def test_elements_and_texts_are_those_of_the_clean_page(markup: str) -> None:
    tree = parse_markup(f"<body>{markup}")
    assert tree is not None
    for tags in (("h1",), ("h2", "a"), ("p", "a", "b")):
        expected = [text_of(one) for one in cleaned(tree).iter(*tags)]
        assert [seen_text(one) for one in seen(tree.iter(*tags))] == expected
