"""JSON of servers that are not trusted: within limits, and read leniently, one value at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import urljoin

import msgspec
from lxml import etree

from archiver.documents.pages.clean_html import clean_tree
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.model import Link
from archiver.documents.pages.text import text_of
from archiver.errors import ExtractionError
from archiver.urls import is_web

# Specified for APIs: no list of posts comes near to either.
LONGEST = 20 * 1024 * 1024
DEEPEST = 64
# Of one post. Guess: a page of a wiki has fewer.
MOST_LINKS = 500
_LONGEST_ADDRESS = 2000
# Things whose state is remembered: what is forgotten is only read once more. Guess.
MOST_STATES = 5000
# Of what is kept as it is: names, titles, tags. Guess.
_LONGEST_NAME = 1000
_MOST_TAGS = 100
_LONGEST_ANCHOR = 200

Json = Any  # what JSON decodes to: each use looks at what it has


def decoded(body: bytes) -> Json:
    """The value of a document; ExtractionError where it is not JSON, or too large or too deep."""
    if len(body) > LONGEST:
        raise ExtractionError(f"more than {LONGEST // 2**20} MB of JSON")
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ExtractionError(f"not JSON: {error}") from error
    if is_deeper(value, DEEPEST):
        raise ExtractionError(f"JSON of more than {DEEPEST} levels")
    return value


def is_deeper(value: Json, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [inner for one in level for inner in _inner(one)]
        if not level:
            return False
    return True


def _inner(value: Json) -> list[Json]:
    found = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for one in found if isinstance(one, dict | list)]


def at(value: Json, *path: str | int) -> Json:
    """What stands there; None where nothing does."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def items(value: Json, *path: str | int) -> list[Json]:
    found = at(value, *path)
    return found if isinstance(found, list) else []


def text(value: Json, *path: str | int) -> str:
    """A text, or a number as text: numbers of things may be either. Empty where there is neither."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, str | int):
        return ""
    return str(found) if isinstance(found, str) or abs(found) < 2**64 else ""


def name(value: Json, *path: str | int) -> str | None:
    """A text that is shown on one line."""
    return " ".join(text(value, *path).split())[:_LONGEST_NAME] or None


def names(values: list[Json], *path: str | int) -> tuple[str, ...]:
    found = (name(one, *path) for one in values[:_MOST_TAGS])
    return tuple(dict.fromkeys(one for one in found if one))


def number(value: Json, *path: str | int) -> int | None:
    """A count; None for whatever cannot be one."""
    found = at(value, *path)
    is_count = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**53
    return found if is_count else None


def moment(value: Json, *path: str | int) -> datetime | None:
    """A time as RFC 3339 has it; without a zone it is UTC, as APIs that leave it out mean it."""
    found = text(value, *path).strip()
    try:
        made = datetime.fromisoformat(found)
        return (made if made.tzinfo else made.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def address(value: Json, *path: str | int, base: str = "") -> str | None:
    """An address of the Web."""
    found = text(value, *path).strip()
    try:
        url = urljoin(base, found) if found else ""
    except ValueError:
        return None
    return url if url and len(url) <= _LONGEST_ADDRESS and is_web(url) else None


def pointer(*steps: str | int) -> str:
    """Where a value stands in its document (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def said(markup: str, base: str) -> tuple[str, str, tuple[Link, ...]]:
    """Text, clean markup and links of the markup that an API gives for a post."""
    tree = parse_markup(markup)
    body = cleaned(tree) if tree is not None else None
    if body is None:
        return "", "", ()
    clean = clean_tree(body, base)
    return text_of(body), etree.tostring(clean, encoding="unicode"), links_of(clean, base)


def links_of(tree: etree._Element, base: str) -> tuple[Link, ...]:
    """Where a post leads, each address once."""
    found: dict[str, Link] = {}
    for element in tree.iter("a"):
        url = address(element.get("href", ""), base=base)
        if url and len(found) < MOST_LINKS:
            words = "".join(map(str, element.itertext()))
            found.setdefault(url, Link(url=url, text=" ".join(words.split())[:_LONGEST_ANCHOR]))
    return tuple(found.values())


def noted(states: dict[str, str], key: str, state: str) -> dict[str, str]:
    """What was read of each thing, with this one behind the others; the oldest are forgotten."""
    kept = {one: was for one, was in states.items() if one != key} | {key: state}
    return dict(list(kept.items())[-MOST_STATES:])


def plain(words: str) -> str:
    """Plain text as markup: lines that an empty line parts are paragraphs."""
    parts = (part.strip() for part in words.replace("\r\n", "\n").split("\n\n"))
    return "".join(f"<p>{escape(part).replace(chr(10), '<br/>')}</p>" for part in parts if part)
