"""The day that a page shows is found as htmldate finds it, without making the page ready for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from htmldate import find_date
from lxml import etree
from lxml.html import HtmlElement

from archiver.articles.metadata.edit_dates import hide_edits
from archiver.articles.metadata.shown_days import ShownDays
from archiver.documents.pages.dom import cleaned, parse_markup

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

LATEST = "2199-12-31"
DAYS = ShownDays(latest=LATEST)
# htmldate finds each of these days before it searches the whole page.
TOLD = [
    '<meta name="date" content="2026-11-14">',
    '<meta name="lastmod" content="2026-11-20"><p class="byline">14 November 2026',
    '<p class="posted">Posted on <b>November</b> 14, 2026 by Ada',
    '<script>var date = "2001-01-01"</script><div id="meta">\n  <i>by Ada</i>\n\n 14 November\n2026 </div>',
    '<p class="byline"><label>1 May 2020</label> 14 November 2026',
    '<div class="date" title="November 14, 2026">yesterday</div>',
    "<h1>The ferry of 14 November 2026</h1>",
    '<time datetime="2026-11-14">then</time>',
    '<time datetime="2026-11-16">a</time><time pubdate="pubdate" datetime="2026-11-14">b</time>',
    "<p>a</p><footer>Printed on 14 November 2026</footer>",
    '<abbr class="published" title="2026-11-14T10:00:00">then</abbr>',
    '<abbr data-utime="1794650400">then</abbr>',
    '<p class="date">Updated 20 November 2026</p><p class="date">14 November 2026',
    '<p class="info">Updated: <time datetime="2026-11-20">now</time></p><p class="info">14 November 2026',
    '<noscript><p class="date">1 May 2020</p></noscript><p class="date">14 November 2026',
    '<p class="date" a"b="c">14 November 2026',
]  # fmt: skip
SHOWN_BY_NOTHING = [
    "<p>A ferry sails from the island.",
    '<p>A ferry sails.<img src="/2026/11.14/a.png"><a href="/3.12.2026">it</a>',
    '<meta property="og:image" content="/ferry.png"><p>A ferry sails.',
]
ONLY_IN_ALL_OF_IT = [
    "<p>It sailed at 2026-11-14T10:00:00 sharp",
    "<p>It sailed on 2026-11-14",
    "<p>Published: 14.11.2026",
    '<meta property="og:image" content="/2026/11/14/ferry.png"><p>A ferry sails.',
]


def tree_of(body: str) -> tuple[Element, bytes]:
    markup = f"<html><head><title>Ferry</title></head><body>{body}</body></html>"
    tree = parse_markup(markup)
    assert tree is not None
    return tree, markup.lower().encode()


def searched(tree: Element) -> str | None:
    """By htmldate itself, which is given a page of its own, without edits."""
    parser = etree.HTMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=HtmlElement))
    own = etree.fromstring(etree.tostring(cleaned(tree), encoding="unicode", method="html"), parser)
    hide_edits(own)
    return find_date(own, extensive_search=False, original_date=True, max_date=LATEST)


@pytest.mark.parametrize("body", TOLD)
def test_day_is_the_one_that_a_search_of_the_whole_page_finds(body: str) -> None:
    tree, markup = tree_of(body)
    before = etree.tostring(tree)
    assert DAYS.on_page(tree, markup) == searched(tree) == "2026-11-14"
    assert etree.tostring(tree) == before


@pytest.mark.parametrize("body", SHOWN_BY_NOTHING)
def test_page_without_a_day_is_known_by_its_bytes(body: str) -> None:
    tree, markup = tree_of(body)
    assert DAYS.on_page(tree, markup) == ""
    assert DAYS.on_page(tree) is None
    assert searched(tree) is None


@pytest.mark.parametrize("body", ONLY_IN_ALL_OF_IT)
def test_day_that_stands_anywhere_else_is_left_to_a_search_of_the_whole_page(body: str) -> None:
    tree, markup = tree_of(body)
    assert DAYS.on_page(tree, markup) is None
    assert searched(tree) == "2026-11-14"


def test_page_with_too_many_candidates_is_left_to_a_search_of_the_whole_page() -> None:
    many = '<p class="date">14 November 2026</p>'
    tree, markup = tree_of(many * 1000)
    assert DAYS.on_page(tree, markup) == searched(tree) == "2026-11-14"
    tree, markup = tree_of(many * 1001)
    assert DAYS.on_page(tree, markup) is None
    # Others are not counted.
    tree, markup = tree_of(many + "<p>a</p>" * 2000)
    assert DAYS.on_page(tree, markup) == searched(tree) == "2026-11-14"
