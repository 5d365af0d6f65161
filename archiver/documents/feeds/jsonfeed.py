"""JSON Feed 1.0 and 1.1, read with patience for wrong types."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from archiver.documents.feeds import fields
from archiver.documents.feeds.model import Enclosure, FeedEntry, FeedInfo, ParsedFeed
from archiver.errors import FeedBrokenOff, FeedParseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    Values = Mapping[str, object]

_VERSION = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/(1(?:\.1)?)(?:\.0)?/?", re.IGNORECASE)
_FORMATS = {"1": "json1", "1.1": "json11"}
# No other JSON with "items" has these.
_TELLTALE = frozenset({"feed_url", "home_page_url"})
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_OBJECT = re.compile(r'\{\s*(?:"|\Z)')


def read_json_feed(text: str, *, url: str) -> ParsedFeed:
    feed = _load(text)
    known = _format(feed)
    items = feed.get("items")
    objects = fields.mappings(items)
    problems = {
        "no version of JSON Feed": known is None,
        "no list of items": not isinstance(items, list),
        "items that are not objects": isinstance(items, list) and len(items) > len(objects),
    }
    inherited = _authors(feed)
    return ParsedFeed(
        format=known or "json1",
        info=_info(feed, url),
        entries=tuple(_entry(item, url, inherited) for item in objects),
        problems=tuple(problem for problem, is_there in problems.items() if is_there),
    )


def _load(text: str) -> Values:
    try:
        # Control characters within strings are wrong, and harmless.
        value: object = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        if _breaks_off(text):
            raise FeedBrokenOff("the document breaks off: its JSON is not closed") from error
        raise FeedParseError(f"broken JSON: {error}") from error
    if not isinstance(value, dict):
        raise FeedParseError("JSON, but not a JSON Feed: no object at the top")
    return value


def _breaks_off(text: str) -> bool:
    """Whether the end comes within a string, a list or an object."""
    bare = _STRING.sub("", text)
    is_open = '"' in bare or sum(map(bare.count, "{[")) > sum(map(bare.count, "}]"))
    return is_open and _OBJECT.match(text) is not None


def _format(feed: Values) -> str | None:
    version = fields.text(feed.get("version"))
    if version and (match := _VERSION.fullmatch(version)):
        return _FORMATS[match[1]]
    if not isinstance(feed.get("items"), list) or not _TELLTALE & feed.keys():
        raise FeedParseError(f"JSON, but not a JSON Feed: version is {version or 'missing'}")
    return None


def _info(feed: Values, url: str) -> FeedInfo:
    # rssCloud hubs speak another protocol than WebSub.
    hubs = [
        hub
        for hub in fields.mappings(feed.get("hubs"))
        if (fields.text(hub.get("type")) or "").lower() != "rsscloud"
    ]
    following = fields.link(feed.get("next_url"), url)
    return FeedInfo(
        title=fields.plain(feed.get("title"), markup=False),
        link=fields.link(feed.get("home_page_url"), url),
        language=fields.text(feed.get("language")),
        description=fields.text(feed.get("description")),
        hubs=fields.unique(fields.link(hub.get("url"), url) for hub in hubs),
        self_url=fields.link(feed.get("feed_url"), url),
        paging={"next": following} if following else {},
    )


def _entry(item: Values, url: str, inherited: tuple[str, ...]) -> FeedEntry:
    identity = _id(item.get("id"))
    return FeedEntry(
        id=identity,
        link=_link(item, identity, url),
        title=fields.plain(item.get("title"), markup=False),
        summary=fields.text(item.get("summary")),
        content=fields.text(item.get("content_html")) or fields.text(item.get("content_text")),
        authors=_authors(item) or inherited,
        categories=fields.unique(map(fields.text, fields.several(item.get("tags")))),
        language=fields.text(item.get("language")),
        published=fields.stamp(item.get("date_published")),
        updated=fields.stamp(item.get("date_modified")),
        enclosures=_enclosures(item, url),
    )


def _link(item: Values, identity: str | None, url: str) -> str | None:
    """The entry's own page, the page it points to, or an id that is an address, as it should be."""
    own, elsewhere = fields.link(item.get("url"), url), fields.link(item.get("external_url"), url)
    return own or elsewhere or fields.link(identity, "")


def _id(value: object) -> str | None:
    """Numbers are ids, too: the standard asks to take them as text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return fields.text(value)


def _authors(values: Values) -> tuple[str, ...]:
    """`authors` of 1.1, or `author` of 1.0: objects, or just a name."""
    authors = (*fields.several(values.get("authors")), *fields.several(values.get("author")))
    return fields.unique(fields.text(one.get("name") if isinstance(one, dict) else one) for one in authors)


def _enclosures(item: Values, url: str) -> tuple[Enclosure, ...]:
    found: dict[str, Enclosure] = {}
    for attached in fields.mappings(item.get("attachments")):
        if address := fields.link(attached.get("url"), url):
            length = fields.whole_number(attached.get("size_in_bytes"))
            kind = fields.text(attached.get("mime_type"))
            title = fields.plain(attached.get("title"), markup=False)
            found.setdefault(address, Enclosure(url=address, type=kind, length=length, title=title))
    return tuple(found.values())
