"""What a feed document says, whatever its dialect."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDate:
    """A date as the feed wrote it, and in UTC where that can be known for certain."""

    text: str
    utc: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """A file that comes with an entry: an enclosure, or what Media RSS lists."""

    url: str
    type: str | None = None
    length: int | None = None
    medium: str | None = None  # audio, video, image, document: as Media RSS calls it
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """One entry of a feed. Markup stays as given; links are absolute."""

    id: str | None = None
    link: str | None = None
    # The publisher's own link, where `link` leads through a redirector (feedburner:origLink).
    original_link: str | None = None
    # The page that was changed, where the entry announces a change of it: `link` leads to the difference.
    changed_page: str | None = None
    title: str | None = None
    summary: str | None = None
    content: str | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str | None = None
    published: FeedDate | None = None
    updated: FeedDate | None = None
    enclosures: tuple[Enclosure, ...] = ()
    comments: str | None = None
    comments_feed: str | None = None
    comments_count: int | None = None

    @property
    def page_link(self) -> str | None:
        """Where the page is that it is about."""
        return self.changed_page or self.original_link or self.link


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedInfo:
    """What a feed says of itself."""

    title: str | None = None
    link: str | None = None
    language: str | None = None
    description: str | None = None
    generator: str | None = None  # the software that made it, by its own name
    ttl: int | None = None  # minutes
    skip_hours: tuple[int, ...] = ()  # 0..23, GMT
    skip_days: tuple[str, ...] = ()  # "Monday".."Sunday"
    update_period: str | None = None  # sy:updatePeriod, lower case
    update_frequency: int | None = None  # sy:updateFrequency
    update_base: FeedDate | None = None  # sy:updateBase
    last_build: FeedDate | None = None
    hubs: tuple[str, ...] = ()
    self_url: str | None = None
    # rel → URL: next, previous, first, last, prev-archive, next-archive, current (RFC 5005; JSON's next_url).
    paging: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFeed:
    # "rss090" … "rss20", "rss10", "atom03", "atom10", "json1", "json11"
    format: str
    info: FeedInfo
    entries: tuple[FeedEntry, ...] = ()
    # The document ends before it is whole: more entries may follow.
    broken_off: bool = False
    # What was wrong with the document and read all the same, in words.
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHints:
    """The last document of a channel in short. Older stores lack newer fields: each has a default."""

    shown: int = 0  # how many entries it had
    ttl: int | None = None  # minutes
    skip_hours: tuple[int, ...] = ()  # 0..23, GMT
    skip_days: tuple[str, ...] = ()  # "Monday".."Sunday"
    update_period: str | None = None
    update_frequency: int | None = None
    update_base: FeedDate | None = None
    last_build: FeedDate | None = None
    hubs: tuple[str, ...] = ()
    paging: dict[str, str] = field(default_factory=dict)  # rel → URL


def hints_of(feed: ParsedFeed) -> FeedHints:
    info = feed.info
    return FeedHints(
        shown=len(feed.entries),
        ttl=info.ttl,
        skip_hours=info.skip_hours,
        skip_days=info.skip_days,
        update_period=info.update_period,
        update_frequency=info.update_frequency,
        update_base=info.update_base,
        last_build=info.last_build,
        hubs=info.hubs,
        paging=info.paging,
    )
