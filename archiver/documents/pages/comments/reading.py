"""The comments of a page, read where nothing is known of its site: as it marks them, or by their layout."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.contributions import (
    CommentsRead,
    Contribution,
    ContributionKind,
    ReadBy,
    distinct_keys,
    stable_key,
)
from archiver.documents.pages.comments.fields import ItemFields
from archiver.documents.pages.comments.items import MOST_ITEMS, Item, items_of
from archiver.documents.pages.comments.marked import linked_comments, marked_items
from archiver.documents.pages.comments.zones import names_of
from archiver.documents.pages.dom import base_url
from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import one_line
from archiver.lexicon.comment_names import ANSWERS, MORE, PAGED, PAGER, POST
from archiver.lexicon.pagers import COMMENT_PAGER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

# Guesses: what a page marks is nearly sure; what is called a comment, with a name and a date, is so mostly.
_MARKED, _WHOLE, _HALF, _UNNAMED = 0.95, 0.9, 0.75, 0.6
# Reading JSON takes longer than looking into it.
_MENTIONS_COMMENTS = etree.XPath("boolean(//script[contains(@type, 'ld+json')][contains(., 'omment')])")
# Elements around a comment that may have a pager beside them.
_NEAR = 3


def read_comments(tree: Element, url: str) -> CommentsRead:
    """The comments of a page, in its order."""
    base = base_url(tree, url)
    marked = marked_items(tree)
    items = marked or items_of(tree)
    found = list(_read(items, base, is_marked=bool(marked)))
    if not found and _MENTIONS_COMMENTS(tree):
        found = linked_comments(statements_of(tree).things, base)
    is_whole = bool(found) and not (_is_paged(tree) or _has_pager(items))
    return CommentsRead(found=tuple(distinct_keys(found)), is_whole=is_whole)


def _has_pager(items: Sequence[Item]) -> bool:
    """Whether there is a pager beside the comments, or beside what holds them."""
    around = islice(items[0].pieces[0].iterancestors(), _NEAR) if items else ()
    beside = (child for one in around if one.tag not in {"body", "html"} for child in one)
    return any(isinstance(one.tag, str) and PAGER.search(names_of(one)) for one in beside)


def _is_paged(tree: Element) -> bool:
    """Whether more comments are on other pages, or come when they are asked for."""
    for element in islice(tree.iter("a", "button", "nav", "div", "link"), MOST_ITEMS * 4):
        if _leads_on(element.get("href", "")) or COMMENT_PAGER.search(names_of(element)):
            return True
        if element.tag in {"a", "button"} and MORE.fullmatch(one_line("".join(map(str, element.itertext())))):
            return True
    return False


def _leads_on(href: str) -> bool:
    """Whether an address is of another page of comments, and not of one comment there."""
    page, _, part = href.partition("#")
    return PAGED.search(page) is not None and part in {"", "comments"}


def _read(items: Sequence[Item], base: str, *, is_marked: bool) -> Iterator[Contribution]:
    keys: dict[Element, str] = {}
    count = 0
    for item in items:
        read = _contribution(item, base, is_marked=is_marked)
        if read is None:
            continue
        yield replace(read, parent=_parent(item, keys), position=count)
        keys |= dict.fromkeys(item.pieces, read.key)
        count += 1


def _contribution(item: Item, base: str, *, is_marked: bool) -> Contribution | None:
    """None where it has no words, or neither a name nor a date."""
    fields = ItemFields(item, base)
    text, markup = fields.body()
    has = [one for one in (fields.author, fields.published) if one is not None]
    # One that stands alone may be anything that is called so.
    if not text.strip() or not has or (len(item.starts) == 1 and not item.number and len(has) == 1):
        return None
    own = fields.own_key
    told = fields.published.text if fields.published else None
    key = stable_key(own, fields.author, told, text)
    return Contribution(
        kind=ContributionKind.POST if own and POST.match(own) else ContributionKind.COMMENT,
        key=key,
        text=text,
        html=markup,
        author=fields.author,
        author_url=fields.author_url,
        published=fields.published,
        url=fields.permalink,
        confidence=_confidence(item, fields, is_marked=is_marked),
        read_by=ReadBy.MARKUP if is_marked else ReadBy.LAYOUT,
    )


def _confidence(item: Item, fields: ItemFields, *, is_marked: bool) -> float:
    if is_marked:
        return _MARKED
    if not item.is_named:
        return _UNNAMED
    return _WHOLE if fields.author and fields.published else _HALF


def _parent(item: Item, keys: dict[Element, str]) -> str | None:
    """The comment that this one stands within, or within a box below it."""
    for one in (item.pieces[0], *item.pieces[0].iterancestors()):
        if one in keys:
            return keys[one]
        above = one.itersiblings(preceding=True) if ANSWERS.search(names_of(one)) else ()
        before = next((keys[other] for other in above if other in keys), None)
        if before is not None:
            return before
    return None
