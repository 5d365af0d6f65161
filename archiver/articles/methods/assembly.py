"""From the chosen node of a page, or what a feed carried, to the article: text, markup, links and media."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.metadata.fields import main_image, metadata_of
from archiver.articles.metadata.notices import notice_for, why_no_article
from archiver.articles.metadata.terms import terms_of_article
from archiver.articles.methods.registry import FEED
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import ZONE_TAGS, absolute_url, cleaned, is_comments_zone, parse_markup
from archiver.documents.pages.images import images_in
from archiver.documents.pages.media import media_in
from archiver.documents.pages.model import Link
from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import nothing, one_line, opened, plain, text_of
from archiver.documents.times.statements import from_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element as Element

    from archiver.articles.metadata.fields import Metadata
    from archiver.articles.model import ParsedPage, Selection
    from archiver.documents.pages.model import Announcement, Image

# A zone whose text is all links leads to articles; it is none.
MOST_LINKED = 0.8


def article_from(page: ParsedPage, selection: Selection, method: str) -> Article | NoArticle:
    """The article in the chosen node without what was dropped, and what the page says of itself."""
    node, skip = selection.node, _not_of(selection)
    clean = clean_tree(node, page.base_url, skip)
    # Of the clean tree, so that text and markup never differ.
    text = text_of(clean)
    if not text:
        return NoArticle(outcome="empty", reason="the chosen zone has no text")
    if _linked_share(clean, text) > MOST_LINKED:
        return NoArticle(outcome="not_article", reason="the chosen zone is a list of links")
    said = statements_of(page.tree, has_microdata=page.may_say(b"itemprop"))
    reason = why_no_article(page, text, said)
    if reason is not None:
        return NoArticle(outcome="not_article", reason=reason)
    metadata = metadata_of(page, text, said)
    images = images_in(node, page.base_url, skip)
    return Article(
        method=method,
        confidence=selection.confidence,
        text=text,
        html=html_of(clean),
        title=metadata.title,
        authors=metadata.authors,
        categories=metadata.categories,
        language=metadata.language,
        canonical_url=metadata.canonical_url,
        published=metadata.published,
        published_day=metadata.published_day,
        modified=metadata.modified,
        dated=metadata.dated,
        links=links_in(node, page.base_url, skip),
        image=_image(page, metadata, images, text),
        images=images,
        comments=metadata.comments,
        notice=notice_for(text, said),
        media=media_in(page.tree, page.base_url, f"{metadata.title or ''}\n{text}"),
        terms=terms_of_article(page.announcement, metadata.title, text),
        wrapper=selection.wrapper,
        siblings=selection.siblings,
    )


def _image(page: ParsedPage, said: Metadata, images: tuple[Image, ...], text: str) -> Image | None:
    """What the page states; else what looks like the article's main image, else its first."""
    stated = said.image
    if stated is None:
        # Loaded when first asked: most pages state their image.
        from archiver.articles.methods.visual.main_image import seen_image  # noqa: PLC0415

        stated = seen_image(page, said.title, text)
    return main_image(stated, images)


def _not_of(selection: Selection) -> Callable[[Element], bool]:
    """Whether an element of the node is not of the article: dropped by the method, or a zone of comments."""
    node = selection.node
    zones = (one for one in node.iter(*ZONE_TAGS) if one is not node and is_comments_zone(one))
    # Asked once of each element, and then only remembered.
    return {*selection.dropped, *node.iter("head"), *zones}.__contains__


def _linked_share(clean: Element, text: str) -> float:
    return sum(len(text_of(link)) for link in clean.iter("a")) / len(text)


def links_in(node: Element, base_url: str, skip: Callable[[Element], bool] = nothing) -> tuple[Link, ...]:
    """Where the article leads, each address once, with the first words that lead there."""
    links: dict[str, str] = {}
    for anchor in opened(node, skip, "a"):
        href = anchor.get("href", "").strip()
        url = absolute_url(base_url, href) if href and not href.startswith("#") else None
        if url and not links.get(url):
            links[url] = one_line(text_of(anchor, skip))
    return tuple(Link(url=url, text=text) for url, text in links.items())


def article_from_feed(announcement: Announcement, *, url: str) -> Article | NoArticle:
    """The full content of an entry as an article, for one whose page is refused or gone."""
    tree = parse_markup(announcement.content or "")
    node = None if tree is None else cleaned(tree).find("body")
    # Relative addresses are relative to the page.
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
