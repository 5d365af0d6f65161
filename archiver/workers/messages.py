"""What workers are asked and what they answer: tasks name records of the archive, bodies never travel."""

from __future__ import annotations

import struct

import msgspec

# msgspec reads the annotations at run time.
from archiver.extract.model import Announcement, Article, NoArticle  # noqa: TC001
from archiver.feeds.discover import DiscoveredFeed  # noqa: TC001
from archiver.feeds.model import ParsedFeed  # noqa: TC001
from archiver.requisites.model import Requisite  # noqa: TC001
from archiver.versions.compare import Fingerprint  # noqa: TC001

# How long a message is stands before it.
LENGTH = struct.Struct("!I")
# Sent once, when the worker has imported everything: from there on a task's time counts.
READY = LENGTH.pack(0)


class ReadFeed(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read a feed from its record; where it is a web page, find the feeds that it names."""

    url: str  # the record may have been made for another one, with the same payload
    folder: str
    file: str
    offset: int


class ReadPage(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Find the article on a page in its record."""

    url: str
    folder: str
    file: str
    offset: int
    method: str
    announcement: Announcement
    # What the page needs to be shown is looked for as well: none, article or page.
    requisites: str = "none"
    most_requisites: int = 0
    outlinks: bool = False


class ReadStyle(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Find what a style sheet in its record needs."""

    url: str
    folder: str
    file: str
    offset: int
    most: int


class ReadContent(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Make an article of the content that a feed carried."""

    url: str
    announcement: Announcement


Task = ReadFeed | ReadPage | ReadStyle | ReadContent


class FeedRead(msgspec.Struct, frozen=True, kw_only=True):
    feed: ParsedFeed | None = None
    discovered: tuple[DiscoveredFeed, ...] | None = None
    problem: str = ""


class PageRead(msgspec.Struct, frozen=True, kw_only=True):
    article: Article | None = None
    fingerprint: Fingerprint | None = None
    nothing: NoArticle | None = None
    requisites: tuple[Requisite, ...] = ()
    outlinks: tuple[str, ...] = ()


class StyleRead(msgspec.Struct, frozen=True, kw_only=True):
    requisites: tuple[Requisite, ...] = ()


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A result, or what went wrong in words."""

    result: msgspec.Raw = msgspec.Raw(b"null")
    error: str | None = None
    # The task named a record that is not in the archive, or is damaged.
    is_record_lost: bool = False
