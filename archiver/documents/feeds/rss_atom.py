"""RSS and Atom: what feedparser collected from a document, as values of ours."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from archiver.documents.feeds import feedparser_adapter, fields
from archiver.documents.feeds.model import Enclosure, FeedEntry, FeedInfo, ParsedFeed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from archiver.documents.feeds.feedparser_adapter import ParserResult
    from archiver.documents.feeds.xml_document import XmlDocument

    Values = Mapping[str, object]

# rel → name in FeedInfo.paging. RFC 5005 says "previous", half of the Web says "prev".
_PAGING = {
    "next": "next",
    "previous": "previous",
    "prev": "previous",
    "first": "first",
    "last": "last",
    "prev-archive": "prev-archive",
    "next-archive": "next-archive",
    "current": "current",
}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PERIODS = frozenset({"hourly", "daily", "weekly", "monthly", "yearly"})
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})
_READABLE = _MARKUP | {"text/plain"}


class FeedLink(NamedTuple):
    rel: str
    type: str
    href: str


def read_feed(document: XmlDocument, *, url: str) -> ParsedFeed:
    reading = feedparser_adapter.read(document.text, url=url, version=document.format)
    # RFC 4287, 4.2.1: an entry without authors has those of its feed. RSS has no such rule.
    inherited = _authors(reading.feed) if document.format.startswith("atom") else ()
    entries = [_entry(values, inherited) for values in reading.entries]
    if document.broken_off and reading.open_entry:
        # It will come again, whole. Without what was cut off, its id perhaps, it may pass for another entry.
        entries.pop()
    return ParsedFeed(
        format=document.format,
        info=_info(reading.feed, url),
        entries=tuple(entries),
        broken_off=document.broken_off,
        problems=(*document.problems, *_problems(reading)),
    )


def _problems(reading: ParserResult) -> Iterator[str]:
    if reading.problem:
        yield reading.problem
    ids = Counter(fields.text(values.get("id")) for values in reading.entries)
    if repeated := sum(count for name, count in ids.items() if name and count > 1):
        yield f"{repeated} entries share their id with another"


def _info(feed: Values, url: str) -> FeedInfo:
    links = _links(feed, url)
    return FeedInfo(
        title=_title(feed),
        link=_alternate(links),
        language=fields.text(feed.get("language")),
        description=_first(feed, "subtitle", "dc_description", "itunes_summary", "itunes_subtitle"),
        generator=fields.text(feed.get("generator")),
        ttl=fields.whole_number(feed.get("ttl")),
        skip_hours=_skip_hours(feed),
        skip_days=_skip_days(feed),
        update_period=_update_period(feed),
        update_frequency=fields.whole_number(feed.get("sy_updatefrequency")),
        update_base=fields.stamp(feed.get("sy_updatebase")),
        last_build=fields.stamp(_first(feed, "updated", "dc_date", "pubdate")),
        hubs=fields.unique(link.href for link in links if link.rel == "hub"),
        self_url=fields.first(link.href for link in links if link.rel == "self"),
        # Of several, the first one stays.
        paging={_PAGING[link.rel]: link.href for link in reversed(links) if link.rel in _PAGING},
    )


def _entry(values: Values, inherited: tuple[str, ...]) -> FeedEntry:
    base = fields.text(values.get("base")) or ""
    links = _links(values, base)
    return FeedEntry(
        id=fields.text(values.get("id")),
        link=_alternate(links) or _link_of_last_resort(values, base),
        original_link=fields.link(_first(values, "feedburner_origlink", "pheedo_origlink"), base),
        title=_title(values),
        summary=_first(values, "summary", "dc_description", "itunes_summary", "media_description"),
        content=fields.first(fields.text(content.get("value")) for content in _contents(values)),
        authors=_authors(values) or _authors(_mapping(values.get("source"))) or inherited,
        categories=fields.unique(_first(tag, "term", "label") for tag in fields.mappings(values.get("tags"))),
        language=fields.text(values.get("language")),
        # dc:date does not say of what; in RSS 1.0 it is the date of publication.
        published=fields.stamp(_first(values, "published", "dc_date", "created")),
        updated=fields.stamp(values.get("updated")),
        enclosures=_enclosures(values, base),
        comments=fields.link(values.get("comments"), base) or _replies(links, of_a_feed=False),
        comments_feed=fields.link(values.get("wfw_commentrss"), base) or _replies(links, of_a_feed=True),
        comments_count=_comments_count(values),
    )


def _links(values: Values, base: str) -> list[FeedLink]:
    found = []
    for link in fields.mappings(values.get("links")):
        rel = (fields.text(link.get("rel")) or "").rpartition("/")[
            2
        ]  # some write the whole URI of the registry
        if href := fields.link(link.get("href"), base):
            found.append(FeedLink(rel, fields.text(link.get("type")) or "", href))
    return found


def _alternate(links: list[FeedLink]) -> str | None:
    alternates = [link for link in links if link.rel == "alternate"]
    pages = [link for link in alternates if link.type in _MARKUP]
    return fields.first(link.href for link in pages + alternates)


def _link_of_last_resort(values: Values, base: str) -> str | None:
    """An id that is an address, unless it is said to be none; or the address of content kept elsewhere."""
    if values.get("guid_is_permalink", True) and (link := fields.link(values.get("id"), "")):
        return link
    return fields.first(fields.link(content.get("src"), base) for content in _contents(values))


def _replies(links: list[FeedLink], *, of_a_feed: bool) -> str | None:
    replies = (link for link in links if link.rel == "replies")
    return fields.first(link.href for link in replies if link.type.endswith("+xml") == of_a_feed)


def _title(values: Values) -> str | None:
    for key in ("title", "dc_title", "itunes_title", "media_title"):
        markup = _mapping(values.get(f"{key}_detail")).get("type") in _MARKUP
        if title := fields.plain(values.get(key), markup=markup):
            return title
    return None


def _contents(values: Values) -> list[Values]:
    """Content to read: not the images and archives that Atom may carry inline."""
    return [content for content in fields.mappings(values.get("content")) if content.get("type") in _READABLE]


def _authors(values: Values) -> tuple[str, ...]:
    return fields.unique(_first(author, "name", "email") for author in fields.mappings(values.get("authors")))


def _enclosures(values: Values, base: str) -> tuple[Enclosure, ...]:
    attached = [link for link in fields.mappings(values.get("links")) if link.get("rel") == "enclosure"]
    listed = fields.mappings(values.get("media_content"))
    players = fields.mappings(values.get("media_player"))
    # What Media RSS says of a group it says of each of its files.
    group = fields.plain(values.get("media_title"), markup=False)
    if any(fields.plain(item.get("title"), markup=False) == group for item in listed):
        group = None
    found: dict[str, Enclosure] = {}
    for item in (*attached, *listed, *(() if listed else players)):
        if url := fields.link(item.get("href") or item.get("url"), base):
            enclosure = Enclosure(
                url=url,
                type=fields.text(item.get("type")),
                length=fields.whole_number(item.get("length") or item.get("filesize")),
                medium=(fields.text(item.get("medium")) or "").lower() or None,
                title=fields.plain(item.get("title"), markup=False) or (None if "rel" in item else group),
            )
            found.setdefault(url, enclosure)
    return tuple(found.values())


def _comments_count(values: Values) -> int | None:
    """slash:comments, or thr:total of RFC 4685; else thr:count of the first link to replies that has it."""
    links = fields.mappings(values.get("links"))
    replies = [link.get("thr:count") for link in links if "thr:count" in link]
    stated = (values.get("slash_comments"), values.get("thr_total"), *replies)
    return next((count for count in map(fields.whole_number, stated) if count is not None), None)


def _skip_hours(feed: Values) -> tuple[int, ...]:
    numbers = map(fields.whole_number, fields.several(feed.get("skip_hours")))
    # RSS 0.91 counted from 1 to 24.
    return tuple(sorted({number % 24 for number in numbers if number is not None and number <= 24}))


def _skip_days(feed: Values) -> tuple[str, ...]:
    named = {(fields.text(day) or "").lower() for day in fields.several(feed.get("skip_days"))}
    return tuple(day for day in _DAYS if day.lower() in named)


def _update_period(feed: Values) -> str | None:
    period = (fields.text(feed.get("sy_updateperiod")) or "").lower()
    return period if period in _PERIODS else None


def _first(values: Values, *keys: str) -> str | None:
    return fields.first(fields.text(values.get(key)) for key in keys)


def _mapping(value: object) -> Values:
    return value if isinstance(value, dict) else {}
