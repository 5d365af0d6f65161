"""Selections that are taken away: valid wherever they are opened, and nothing in them runs."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from archiver.inspection.selection.atom import search_feed
from archiver.inspection.selection.epub import write_epub
from archiver.inspection.selection.model import ChosenArticle
from archiver.inspection.selection.page import selection_page
from archiver.search.model import Hit, HitChannel, SnippetPiece

if TYPE_CHECKING:
    from collections.abc import Sequence

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script> ]]> & \x08 \x1b[2J \" ' \u202e"
OPF = "{http://www.idpf.org/2007/opf}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def article(**other: object) -> ChosenArticle:
    values = {
        "id": "abc", "version": 1, "url": "http://example.org/a?b=1&c=2", "title": "A ferry", "captured": NOW,
        "paragraphs": ("One.", "Two\nlines."), "language": "en", "authors": ("Jane",),
    }  # fmt: skip
    return ChosenArticle(**values | other)


def book(articles: Sequence[ChosenArticle], title: str = "ferry") -> zipfile.ZipFile:
    file = io.BytesIO()
    write_epub(file, title, articles, NOW)
    return zipfile.ZipFile(file)


def check_book(found: zipfile.ZipFile) -> None:
    """What EPUB 3 asks of a container and a package."""
    first = found.infolist()[0]
    assert (first.filename, first.compress_type, first.extra) == ("mimetype", zipfile.ZIP_STORED, b"")
    assert found.read("mimetype") == b"application/epub+zip"
    container = etree.fromstring(found.read("META-INF/container.xml"))
    (root,) = container.iter("{*}rootfile")
    package = etree.fromstring(found.read(root.attrib["full-path"]))
    name = package.attrib["unique-identifier"]
    assert package.xpath(f"//*[@id='{name}']/text()")[0].startswith("urn:uuid:")
    for field in ("title", "language"):
        assert all(node.text for node in package.iter(f"{{http://purl.org/dc/elements/1.1/}}{field}"))
    items = {item.attrib["id"]: item.attrib for item in package.iter(f"{OPF}item")}
    names = {f"OEBPS/{item['href']}" for item in items.values()}
    assert names | {"mimetype", "META-INF/container.xml", "OEBPS/content.opf"} == set(found.namelist())
    assert {ref.attrib["idref"] for ref in package.iter(f"{OPF}itemref")} <= set(items)
    assert [item["href"] for item in items.values() if item.get("properties") == "nav"] == ["nav.xhtml"]
    for item in items.values():
        if item["media-type"] == "application/xhtml+xml":
            tree = etree.fromstring(found.read(f"OEBPS/{item['href']}"))
            assert tree.find(f".//{XHTML}title").text
            assert not list(tree.iter(f"{XHTML}script"))


def test_a_book_has_a_chapter_for_each_article() -> None:
    found = book([article(), article(title="A boat", language="pt-BR")])
    check_book(found)
    nav = etree.fromstring(found.read("OEBPS/nav.xhtml"))
    assert [node.text for node in nav.iter(f"{XHTML}a")] == ["A ferry", "A boat"]
    chapter = etree.fromstring(found.read("OEBPS/article-00002.xhtml"))
    assert chapter.attrib["lang"] == "pt-BR"
    assert [node.text for node in chapter.iter(f"{XHTML}p")][1:] == ["One.", "Two"]


def test_a_book_without_articles_is_valid_too() -> None:
    check_book(book([]))


@given(title=st.text(), text=st.text(), language=st.text(max_size=8), url=st.text())
def test_any_text_gives_a_valid_book(title: str, text: str, language: str, url: str) -> None:
    check_book(book([article(title=title, paragraphs=(text,), language=language, url=url)], title))


@pytest.mark.parametrize("url", ["javascript:alert(1)", 'http://x/"onmouseover="alert(1)'])
def test_nothing_of_an_article_runs_in_a_page(url: str) -> None:
    hostile = article(title=HOSTILE, paragraphs=(HOSTILE,), url=url, authors=(HOSTILE,), channel=HOSTILE)
    tree = html.fromstring(selection_page(HOSTILE, [hostile], NOW))
    assert not list(tree.iter("script"))
    links = [node.attrib for node in tree.iter("a")]
    assert all(link["href"].startswith(("http", "#")) and set(link) == {"href"} for link in links)
    assert "<script>alert(1)" in tree.text_content()
    check_book(book([hostile], HOSTILE))


def hit(**other: object) -> Hit:
    values = {
        "article": "abc", "version": 2, "url": "http://example.org/a", "title": "A ferry", "captured": NOW,
        "published": NOW, "snippet": (SnippetPiece(text="The "), SnippetPiece(text="ferry", marked=True)),
        "channel": HitChannel(number=1, url="http://example.org/feed", title="The <Shore>"),
        "authors": ("Jane",),
    }  # fmt: skip
    return Hit(**values | other)


def test_a_search_is_a_feed_that_readers_understand() -> None:
    told = "".join(search_feed("urn:x", "ferry", [hit(), hit(article="def", title=HOSTILE)], NOW))
    etree.fromstring(told.encode())
    found = feedparser.parse(told)
    assert not found.bozo
    assert (found.feed.id, found.feed.title) == ("urn:x", "ferry")
    first, second = found.entries
    assert (first.title, first.link, first.author) == ("A ferry", "http://example.org/a", "Jane")
    assert "<b>ferry</b>" in first.content[0].value
    assert first.id != second.id
    assert first.tags[0].term == "The <Shore>"


def test_an_empty_search_is_a_feed_too_and_a_new_version_is_the_same_entry() -> None:
    assert feedparser.parse("".join(search_feed("urn:x", "ferry", [], NOW))).entries == []
    ids = {
        feedparser.parse("".join(search_feed("urn:x", "f", [hit(version=one)], NOW))).entries[0].id
        for one in (1, 2)
    }
    assert len(ids) == 1
