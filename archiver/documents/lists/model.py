"""What is known of a gap: where it lies, and what is still to be asked in order to fill it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from enum import StrEnum

from archiver.documents.feeds.model import FeedEntry, ParsedFeed  # noqa: TC001 - as above


class GapState(StrEnum):
    """How far the filling of a gap has come."""

    OPEN = "open"
    FILLED = "filled"  # what was known before was met again: nothing is missing
    PARTLY = "partly"  # entries were found, what was known before was not
    UNFILLABLE = "unfillable"


class Way(StrEnum):
    """Where missing entries are looked for."""

    ARCHIVE = "archive"  # RFC 5005: prev-archive
    NEXT = "next"  # RFC 5005: next; JSON Feed: next_url
    PAGED = "paged"  # WordPress: ?paged=2
    PAGE = "page"  # others: ?page=1, counted from 0 or from 1
    SITE = "site"  # a list that the site's software gives to programs, where it is known
    LISTING = "listing"  # the site's own list of what it published, and its further pages
    ROBOTS = "robots"  # not for entries, but for the sitemaps that it names
    SITEMAP = "sitemap"


FEED_WAYS = frozenset({Way.ARCHIVE, Way.NEXT, Way.PAGED, Way.PAGE})


class Seen(StrEnum):
    """What the store knows of an entry that a document shows."""

    BEFORE = "before"  # known when the gap was found
    SINCE = "since"  # in the document that showed the gap, or found by filling it
    NEW = "new"


# What the feed shows is the first page.
SECOND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeys:
    """Where things are in JSON: keys, with dots."""

    items: str = "[]"
    link: str = "link"
    title: str = ""
    date: str = ""
    # Its next page is in the header Link.
    has_link_header: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A document to ask for."""

    way: Way
    url: str
    # Which page of the feed it is; of a listing, which one will follow it.
    number: int = SECOND
    # False for a page that a list only calls its next one: one that is numbered is surely of the same list.
    is_counted: bool = True
    # All that it lists is wanted, however much: see `Plan.is_history`.
    is_whole: bool = False
    # How an answer of the site's software is read.
    keys: ApiKeys | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be asked, in this order, and what was asked already."""

    waiting: tuple[Ask, ...] = ()
    asked: tuple[str, ...] = ()
    # The entries of the feed and of the last page, as digests: the same page again is no further page.
    first: str = ""
    last: str = ""
    # The keys of the pages that were the newest before: a list that reaches them has no gap any more.
    edge: tuple[str, ...] = ()
    # The keys of the pages that the feed shows now, and which of them the list in hand has not shown yet.
    feed: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    # Where the page before ended: its next one may not be newer.
    bottom: datetime | None = None
    # What the sitemaps have shown together.
    sides: tuple[Seen, ...] = ()
    # What was published before the first poll is wanted: nothing that was known before can be met, and lists
    # are followed to their ends. `most` entries are enough; `older` is the way by which older pages of the
    # feed were read.
    is_history: bool = False
    most: int | None = None
    older: Way | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Between which moments the missing entries were published; None where dates say nothing."""

    # The newest entry that is known, or the poll that saw it.
    after: datetime | None = None
    # The oldest entry of the last document before the gap: what is older was never wanted.
    floor: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entry that a document shows."""

    entry: FeedEntry
    seen: Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapLink:
    """A sitemap that another one, or robots.txt, names."""

    url: str
    modified: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePage:
    """What a document says that was asked for in order to fill a gap."""

    feed: ParsedFeed | None = None
    # Of a listing or a sitemap: what has the form of the channel's entries, in the order of the document.
    entries: tuple[FeedEntry, ...] = ()
    following: str | None = None  # the next page of a listing
    is_counted: bool = True  # it is numbered as this one is
    archives: tuple[str, ...] = ()  # lists of everything that a listing names
    sitemaps: tuple[SitemapLink, ...] = ()
    known: tuple[Ask, ...] = ()  # cheaper ways, where the software of the site is known
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What an answer came to."""

    plan: Plan
    found: tuple[FeedEntry, ...] = ()
    # What was known before was met again, or what is older than that: nothing is missing any more.
    met: bool = False
