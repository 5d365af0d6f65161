"""The article as the feed itself carried it, for entries whose page is refused or gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.metadata.terms import terms_of_article
from archiver.articles.methods.assembly import links_in
from archiver.articles.methods.registry import FEED
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.images import images_in
from archiver.documents.pages.media import media_in
from archiver.documents.pages.text import plain, text_of
from archiver.documents.times.statements import from_address

if TYPE_CHECKING:
    from archiver.documents.pages.model import Announcement


def article_from_feed(announcement: Announcement, *, url: str) -> Article | NoArticle:
    """The entry's full content as an article; its relative addresses are relative to the page's `url`."""
    tree = parse_markup(announcement.content or "")
    node = None if tree is None else cleaned(tree).find("body")
    if tree is None or node is None or not (text := text_of(clean := clean_tree(node, url))):
        return NoArticle(outcome="empty", reason="the feed's content has no text")
    title = plain(announcement.title or "") or None
    return Article(
        method=FEED,
        confidence=1.0,  # the publisher says that this is the article
        text=text,
        html=html_of(clean),
        title=title,
        dated=tuple(from_address(url)),
        links=links_in(node, url),
        images=images_in(node, url),
        media=media_in(tree, url, text),
        terms=terms_of_article(announcement, title, text),
    )
