"""Small pages as the production extractor sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import ParsedPage
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.pages.blocks import Outline

SILENT = Announcement()


def tree_of(markup: str) -> Element:
    """The cleaned tree of a page with this body."""
    tree = parse_markup(f"<html><body>{markup}</body></html>")
    assert tree is not None
    return cleaned(tree)


def outlined(markup: str) -> Outline:
    return outline_of(tree_of(markup))


def parsed(
    body: str, announcement: Announcement = SILENT, *, head: str = "", name: str = "one"
) -> ParsedPage:
    markup = f"<html lang='en'><head>{head}</head><body>{body}</body></html>"
    url = f"http://post.test/{name}"
    page = parse_page(RawPage(url=url, id=name, body=markup.encode(), announcement=announcement))
    assert isinstance(page, ParsedPage), page
    return page
