"""Single values of a feed, cleaned: text that can be stored, links that lead to the Web, whole numbers."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from w3lib.html import remove_tags

from archiver.documents.feeds.dates import parse_date
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from archiver.documents.feeds.model import FeedDate

# Neither JSON nor a database can keep these.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Browsers drop them from links as well.
_LINE_BREAKS = re.compile(r"[\t\r\n]")
# Joined to a base, these would mean the base itself.
_NOWHERE = re.compile(r"https?:/*", re.IGNORECASE)
_BLOCK_END = re.compile(r"<(?:br|/p|/div|/li|/h\d)\b[^>]*>", re.IGNORECASE)
# What JSON readers agree on; a longer number is a slip.
_LARGEST = 2**53


def text(value: object) -> str | None:
    """The text without surrounding white space, or None if nothing is left."""
    if not isinstance(value, str):
        return None
    return _UNSTORABLE.sub("", value).strip() or None


def plain(value: object, *, markup: bool) -> str | None:
    """A title in one line of plain text."""
    title = text(value)
    if title is None:
        return None
    if markup:
        title = html.unescape(remove_tags(_BLOCK_END.sub(" ", title)))
    return text(" ".join(title.split()))


def link(value: object, base: str) -> str | None:
    """The absolute http or https URL that is meant, or None."""
    reference = text(value)
    if reference is None or _NOWHERE.fullmatch(reference):
        return None
    try:
        url = urljoin(base, _LINE_BREAKS.sub("", reference))
    except ValueError:
        return None
    return url if is_web(url) else None


def whole_number(value: object) -> int | None:
    """A number from 0 up, also when it is written as text."""
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,16}\s*", value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _LARGEST else None


def stamp(value: object) -> FeedDate | None:
    """A date, also where JSON gives a number of seconds."""
    written = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else text(value)
    return None if written is None else parse_date(written)


def several(value: object) -> list[object]:
    """A list, also where the brackets around a single value were left out."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in several(value) if isinstance(item, dict)]


def first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)


def unique(values: Iterable[str | None]) -> tuple[str, ...]:
    """In order, without repetitions and without nothing."""
    return tuple(dict.fromkeys(value for value in values if value))
