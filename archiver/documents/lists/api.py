"""Lists that the software of a site gives as JSON: links, dates and titles of what it published."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from archiver.documents.feeds import fields
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.lists.model import ArchivePage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.documents.feeds.model import FeedDate
    from archiver.documents.lists.model import ApiKeys

MAX_ITEMS = 5000
_NEXT = re.compile(r"<([^<>]{1,2000})>\s*;[^,<]{0,200}\brel=\"?next\b", re.IGNORECASE)
_ZONE = re.compile(r"(?:z|[+-]\d\d:?\d\d)$", re.IGNORECASE)
# The whole answer is the list.
_ITSELF = "[]"


def read_api(body: bytes, keys: ApiKeys, *, url: str, headers: Sequence[tuple[str, str]] = ()) -> ArchivePage:
    """What an answer lists, in its order, and where it goes on."""
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return ArchivePage(problem=f"not JSON: {error}")
    items = answer if keys.items == _ITSELF else _at(answer, keys.items)
    if not isinstance(items, list):
        return ArchivePage(problem=f"there is no list at {keys.items!r}")
    return ArchivePage(
        entries=tuple(_entries(items[:MAX_ITEMS], keys, url)),
        following=_following(headers, url) if keys.has_link_header else None,
    )


def _entries(items: Sequence[object], keys: ApiKeys, url: str) -> Iterator[FeedEntry]:
    for item in items:
        link = _text(item, keys.link)
        if address := fields.link(link, url):
            title = fields.plain(_text(item, keys.title), markup=True)
            yield FeedEntry(link=address, title=title, published=_stamp(_text(item, keys.date)))


def _stamp(text: str | None) -> FeedDate | None:
    """A time; without a zone it is UTC: the knowledge base names the key that has it so."""
    return fields.stamp(text if not text or _ZONE.search(text) else f"{text}Z")


def _text(item: object, path: str) -> str | None:
    found = _at(item, path) if path else None
    return found if isinstance(found, str) else None


def _at(value: object, path: str) -> object:
    """What is at keys with dots between them."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _following(headers: Sequence[tuple[str, str]], url: str) -> str | None:
    named = (_NEXT.search(value) for name, value in headers if name.lower() == "link")
    return next((fields.link(found[1], url) for found in named if found), None)
