"""Which link of a list leads to its next page, and which to its archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.documents.lists.listing import read_listing
from archiver.documents.lists.pager import numbered_page

if TYPE_CHECKING:
    from archiver.documents.lists.model import ArchivePage

BASE = "http://example.org/"
STATIC = [f"{BASE}on-hidden-pollen.html", f"{BASE}the-plain-poet.html", f"{BASE}welcome.html"]
FOLDERS = [f"{BASE}on-hidden-pollen/", f"{BASE}the-plain-poet/", f"{BASE}welcome/"]


def read(body: str, *, url: str = BASE, number: int = 2, examples: list[str] = STATIC) -> ArchivePage:
    return read_listing(body.encode(), url=url, content_type=None, examples=examples, number=number)


def following(body: str, *, url: str = BASE, number: int = 2, examples: list[str] = STATIC) -> str | None:
    found = read(body, url=url, number=number, examples=examples).following
    return found.removeprefix(BASE) if found else None


def test_a_numbered_page_of_the_list_goes_before_the_next_of_the_navigation() -> None:
    """As MkDocs has it: rel=next of a blog's first page is its first category."""
    head = '<link rel="next" href="category/common-poets/">'
    pager = '<nav><a href="page/2/">2</a><a href="page/3/">3</a></nav>'
    assert following(head + pager, url=f"{BASE}blog/", examples=FOLDERS) == "blog/page/2/"
    further = '<a href="../3/">3</a><a href="../../">1</a>'
    assert following(head + further, url=f"{BASE}blog/page/2/", number=3, examples=FOLDERS) == "blog/page/3/"


@pytest.mark.parametrize(
    "named", ["category/poets/", "tag/soot.html", "authors/ada/", "on-hidden-pollen.html"]
)
def test_the_next_of_the_navigation_is_no_page_of_the_list(named: str) -> None:
    assert following(f'<link rel="next" href="{named}">') is None


def test_a_category_has_pages_of_its_own() -> None:
    pager = '<a rel="next" href="poets2.html">&rarr;</a>'
    assert following(pager, url=f"{BASE}category/poets.html") == "category/poets2.html"


@pytest.mark.parametrize("sign", "⟩ › » → > >> ❯ ▶ Older Ältere".split())  # noqa: RUF001, SIM905 - as pagers show them
@pytest.mark.parametrize(
    "address", ["index2.html", "index-2.html", "page/2/", "page2", "?page=2", "2/", "?p=2"]
)
def test_a_sign_is_enough_for_a_page_that_is_numbered(sign: str, address: str) -> None:
    """And the last page, which has a sign of its own, is not the next one."""
    last = address.replace("2", "18")
    pager = f'<ul><li>Page 1 / 18</li><a href="{address}">{sign}</a><a href="{last}">⟫</a></ul>'
    found = read(f'<a href="on-vivid-depots.html">A</a>{pager}')
    assert found.following == BASE + address
    assert [one.link for one in found.entries] == [f"{BASE}on-vivid-depots.html"]


@pytest.mark.parametrize("address", ["index18.html", "page18.html"])
def test_a_page_of_the_list_is_no_article_whatever_leads_there(address: str) -> None:
    """Its address has the form of the articles beside it."""
    shown = f'<a href="on-vivid-depots.html">A</a><a href="{address}">The oldest posts</a>'
    links = [one.link for one in read(shown).entries]
    assert links == [f"{BASE}on-vivid-depots.html"]
    # Where the feed itself has entries of that form, it is an article.
    links = [one.link for one in read(shown, examples=[*STATIC, f"{BASE}index7.html"]).entries]
    assert links == [f"{BASE}on-vivid-depots.html", BASE + address]


@pytest.mark.parametrize(
    ("here", "number", "pager", "expected"),
    [
        ("index2.html", 3, '<a href="index.html">⟨</a><a href="index3.html">⟩</a>', "index3.html"),
        ("index2.html", 3, '<a href="index18.html">⟫</a>', None),
        ("page/3/", 4, '<a href="/page/2/">«</a><a href="/page/4/">»</a>', "page/4/"),
        ("?page=1", 3, '<a href="/?page=0">1</a><a href="/?page=2">3</a>', "?page=2"),
        # From 0, and the third page is the last.
        ("", 2, '<a href="?page=2">Page 3</a><a href="?page=2">Last »</a><a href="?page=1">»</a>', "?page=1"),
        ("", 2, '<a href="?page=0">First page</a><a href="?page=2">Page three</a>', None),
        ("posts/2/", 3, '<a href="/posts/">1</a><a href="/posts/3/">3</a>', "posts/3/"),
        ("2026/", 2, '<a href="/2026/page/2/">Older</a><a href="/2025/">2025</a>', "2026/page/2/"),
        ("", 2, '<a href="/?before=abc" rel="next">Older</a>', "?before=abc"),
        ("", 2, '<a href="/category/poets/page/2/">Older poets</a>', None),
    ],
)
def test_pages_are_counted_on(here: str, number: int, pager: str, expected: str | None) -> None:
    assert following(pager, url=BASE + here, number=number) == expected


def test_only_a_page_that_is_numbered_is_surely_of_the_same_list() -> None:
    assert read('<a href="index2.html">⟩</a>').is_counted
    assert not read('<a rel="next" href="/?before=abc">Older</a>').is_counted
    assert numbered_page(f"{BASE}blog/page/2/", f"{BASE}blog/") == 2
    assert numbered_page(f"{BASE}blog/page/2/", BASE) is None


@pytest.mark.parametrize("form", ["{}/", "?p={}", "p/{}", "?page={}", "index{}.html"])
def test_a_number_may_be_the_name_of_an_article(form: str) -> None:
    """Then a page is told by the number or the sign that leads there."""
    numbers = [BASE + form.format(number) for number in (101, 102, 103)]
    body = f'<a href="{form.format(104)}">A story</a><a href="{form.format(2)}">Two of a kind</a>'
    found = read(body, examples=numbers)
    assert [one.link for one in found.entries] == [BASE + form.format(104), BASE + form.format(2)]
    assert found.following is None


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/archives.html">All of it</a>',
        '<a href="/blog/archive/">Archives</a>',
        '<a href="/old.html">All posts</a>',
        '<a href="/alt/">Alle Beiträge</a>',
    ],
)
def test_an_archive_that_a_page_names_is_found_even_in_its_menu(link: str) -> None:
    others = '<a href="/archive/2026/">2026</a><a href="http://example.com/archive/">Archive</a>'
    assert len(read(f"<nav>{link}{others}</nav>").archives) == 1


def test_dates_of_old_templates_count() -> None:
    date = '<abbr class="published" title="2026-11-17T00:27:09+00:00">today</abbr>'
    row = f'<article><a href="on-vivid-depots.html">A</a>{date}</article>'
    (entry,) = read(row).entries
    assert entry.published is not None
    assert entry.published.text == "2026-11-17T00:27:09+00:00"
