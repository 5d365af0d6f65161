"""The feed of an article's comments: each of its entries is a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from lxml import etree

from archiver.documents.contributions import (
    Contribution,
    ContributionKind,
    ReadBy,
    distinct_keys,
    stable_key,
)
from archiver.documents.pages.clean_html import clean_tree
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.text import text_of

if TYPE_CHECKING:
    from archiver.documents.feeds.model import FeedEntry, ParsedFeed


def comments_of_feed(feed: ParsedFeed) -> list[Contribution]:
    """What the feed shows of the comments, by the keys that they have on the page."""
    read = (_comment(entry, place) for place, entry in enumerate(feed.entries))
    return distinct_keys(one for one in read if one is not None)


def _comment(entry: FeedEntry, place: int) -> Contribution | None:
    tree = parse_markup(entry.content or entry.summary or "")
    body = cleaned(tree) if tree is not None else None
    text = text_of(body) if body is not None else ""
    if body is None or not text.strip():
        return None
    author = entry.authors[0] if entry.authors else None
    published = entry.published or entry.updated
    return Contribution(
        kind=ContributionKind.COMMENT,
        key=stable_key(_own_key(entry), author, published.text if published else None, text),
        text=text,
        html=etree.tostring(clean_tree(body, entry.link or ""), encoding="unicode"),
        author=author,
        published=published,
        url=entry.link,
        position=place,
        read_by=ReadBy.FEED,
    )


def _own_key(entry: FeedEntry) -> str | None:
    """The part of the page that the link names, as on the page itself; else the id."""
    fragments = (urldefrag(url).fragment for url in (entry.link, entry.id) if url)
    return next(filter(None, fragments), None) or entry.id
