"""Comments that a page marks as such: microdata, microformats, and JSON-LD."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.contributions import Contribution, ContributionKind, ReadBy, stable_key
from archiver.documents.feeds.dates import parse_date
from archiver.documents.pages.clean_html import clean_tree
from archiver.documents.pages.comments.items import MOST_ITEMS, Item
from archiver.documents.pages.dom import absolute_url, cleaned, elements, parse_markup
from archiver.documents.pages.statements import names_of as names_of_people
from archiver.documents.pages.statements import types_of
from archiver.documents.pages.text import one_line, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.pages.statements import Linked

_COMMENT = re.compile(r"(?:^|[/:])(?:User)?Comments?$")
_MARKED = etree.XPath(
    "//*[contains(@itemtype, 'Comment') or contains(concat(' ', @class, ' '), ' h-cite ')"
    " or contains(@typeof, 'Comment')]"
)
_WORDS = ("text", "commentText", "articleBody", "description")
_DATES = ("dateCreated", "datePublished", "commentTime", "dateModified")
_CONFIDENCE = 0.95


def marked_items(tree: Element) -> list[Item]:
    """The elements that microdata, RDFa or a microformat call comments."""
    found = [one for one in elements(_MARKED, tree) if _is_comment(one)]
    starts = set(found)
    return [Item(pieces=[one], starts=starts) for one in found[:MOST_ITEMS]]


def _is_comment(element: Element) -> bool:
    types = f"{element.get('itemtype', '')} {element.get('typeof', '')}".split()
    if any(map(_COMMENT.search, types)):
        return True
    # A citation is a comment where it says that it is one.
    return "u-comment" in element.get("class", "").split() or "p-comment" in element.get("class", "").split()


def linked_comments(things: Sequence[Linked], base_url: str) -> list[Contribution]:
    """What JSON-LD lists as the comments of the page, answers behind what they answer."""
    waiting: list[tuple[Linked, str | None]] = [(one, None) for one in reversed(list(_listed(things)))]
    found: list[Contribution] = []
    while waiting and len(found) < MOST_ITEMS:
        thing, parent = waiting.pop()
        read = _linked(thing, base_url, parent, len(found))
        if read is not None:
            found.append(read)
            waiting += [(one, read.key) for one in reversed(list(_comments(thing)))]
    return found


def _listed(things: Sequence[Linked]) -> Iterator[Linked]:
    for thing in things:
        if any(map(_COMMENT.search, types_of(thing))):
            yield thing
        else:
            yield from _comments(thing)


def _comments(thing: Linked) -> Iterator[Linked]:
    value = thing.get("comment")
    some = value if isinstance(value, list) else [value]
    yield from (one for one in islice(some, MOST_ITEMS) if isinstance(one, dict))


def _linked(thing: Linked, base: str, parent: str | None, position: int) -> Contribution | None:
    words = _first(thing, _WORDS)
    tree = parse_markup(words) if words else None
    if tree is None:
        return None
    body = cleaned(tree)
    text = text_of(body)
    author = next(iter(names_of_people(thing.get("author") or thing.get("creator"))), None)
    date = _first(thing, _DATES)
    if not text.strip() or not (author or date):
        return None
    address = _first(thing, ("url", "@id"))
    own = (address or "").partition("#")[2] or _first(thing, ("identifier",))
    return Contribution(
        kind=ContributionKind.COMMENT,
        key=stable_key(own, author, date, text),
        text=text,
        html=etree.tostring(clean_tree(body, base), encoding="unicode"),
        author=one_line(author) if author else None,
        published=parse_date(date) if date else None,
        parent=parent,
        url=absolute_url(base, address) if address else None,
        position=position,
        confidence=_CONFIDENCE,
        read_by=ReadBy.MARKUP,
    )


def _first(thing: Linked, names: Sequence[str]) -> str | None:
    values = (thing.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), None)
