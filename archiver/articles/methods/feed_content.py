"""The article as the feed itself carried it, for entries whose page is refused or gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.assembly import links_in
from archiver.articles.methods.registry import FEED
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.images import images_in
from archiver.documents.pages.text import one_line, plain, text_of
from archiver.documents.times.statements import from_address

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


def article_from_feed(
    content_html: str,
    *,
    url: str,
    title: str | None = None,
    authors: Sequence[str] = (),
    language: str | None = None,
    published: datetime | None = None,
    modified: datetime | None = None,
) -> Article | NoArticle:
    """The entry's full content as an article; its relative addresses are relative to the page's `url`."""
    tree = parse_markup(content_html)
    node = None if tree is None else cleaned(tree).find("body")
    clean = None if node is None else clean_tree(node, url)
    text = "" if clean is None else text_of(clean)
    if node is None or clean is None or not text:
        return NoArticle(outcome="empty", reason="the feed's content has no text")
    return Article(
        method=FEED,
        confidence=1.0,  # the publisher says that this is the article
        text=text,
        html=html_of(clean),
        title=plain(title or "") or None,
        authors=tuple(filter(None, map(one_line, authors))),
        language=language,
        published=published,
        modified=modified,
        dated=tuple(from_address(url)),
        links=links_in(node, url),
        images=images_in(node, url),
    )
