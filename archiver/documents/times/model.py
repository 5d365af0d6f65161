"""What is said of an article's times, and what is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations at run time
from enum import StrEnum


class What(StrEnum):
    PUBLISHED = "published"
    MODIFIED = "modified"


class Source(StrEnum):
    """Who says it, the one that is asked first before all others."""

    FEED = "feed"
    KNOWLEDGE = "knowledge"  # where the knowledge base says that software of this type writes it
    META = "meta"  # `meta` elements that name the date of the article
    JSON_LD = "json_ld"
    MICRODATA = "microdata"
    SITEMAP = "sitemap"
    LISTING = "listing"  # the site's own list of what it published
    VAGUE_META = "vague_meta"  # `meta` elements that may mean any date
    TIME = "time"  # the one moment that the page names
    ADDRESS = "address"
    TEXT = "text"  # what readers see
    HTTP = "http"  # Last-Modified
    ETAG = "etag"
    # What no source states, but we saw.
    NEIGHBOURS = "neighbours"  # the entries before and after it in the feed
    CHANGE = "change"  # what was changed had been published
    FIRST_SEEN = "first_seen"
    CAPTURE = "capture"


# Bounds only: no source said so.
INFERRED = frozenset({Source.NEIGHBOURS, Source.CHANGE, Source.FIRST_SEEN, Source.CAPTURE})


class Trust(StrEnum):
    SURE = "sure"  # seen by ourselves, or two that do not copy from each other agree and none objects
    LIKELY = "likely"
    WEAK = "weak"


class Why(StrEnum):
    """What speaks against a date."""

    APART = "apart"  # another source gives another time
    FUTURE = "future"  # it was seen before
    PLACEHOLDER = "placeholder"  # what programs write for "no date"
    POLL = "poll"  # the feed dates its entries with the time at which it is asked
    CHANGE = "change"  # another source gives it as the time of a change
    ORDER = "order"  # the feed lists it between others
    BEFORE = "before"  # changed before it was published, or written last before it was changed
    UNSEEN = "unseen"  # the article was seen as it was before, later than this
    REWRITTEN = "rewritten"  # ETag and Last-Modified are of one file, and differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One statement: a moment in UTC, or only a day by the publisher's calendar."""

    what: What
    source: Source
    at: datetime | None = None
    day: date | None = None
    # As it was written, where it was written.
    text: str | None = None
    # Midnight to the second is a day in the form of a moment.
    only_day: bool = False
    # Why it is not to be believed, where its collector knows.
    doubt: Why | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Between which moments something was; None where that side is open."""

    after: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A statement that was not followed, or that casts doubt on the one that was."""

    what: What
    source: Source
    why: Why
    at: datetime | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A time, who says so, and how far to trust it."""

    at: datetime | None = None
    # As the publisher writes it, by the publisher's calendar.
    day: date | None = None
    # No hour was stated: `at` is missing, or midnight stands for the day.
    only_day: bool = False
    source: Source
    trust: Trust
    # Where no source states it: not before this.
    after: datetime | None = None
    agrees: tuple[Source, ...] = ()
    # Those that give the same minute in another hour: one of them is wrong about the zone.
    other_zone: tuple[Source, ...] = ()
    contradicted_by: tuple[Against, ...] = ()

    @property
    def is_stated(self) -> bool:
        return self.source not in INFERRED


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTime:
    """A time at which the archiver itself was there."""

    at: datetime
    # Where the entry was: the feed, a listing or a sitemap; of a capture, the capture itself.
    source: Source
    trust: Trust = Trust.SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """All that is known of when: what is stated, and what the archiver saw itself."""

    published: Stamp | None = None
    modified: Stamp | None = None
    first_seen: SeenTime
    # When the version before was last seen as it was; null for the first version.
    unchanged_until: SeenTime | None = None
    captured: SeenTime
    # What was said of a change and cannot be, where no change is left to tell it of.
    refused: tuple[Against, ...] = ()

    @property
    def published_at(self) -> datetime | None:
        """The moment that is stated: what no source states is never taken for a date of publication."""
        stamp = self.published
        return stamp.at if stamp and stamp.is_stated else None

    @property
    def published_day(self) -> date | None:
        return self.published.day if self.published else None

    @property
    def updated_at(self) -> datetime | None:
        """The change that the publisher states: when a file was written is no statement about the article."""
        stamp = self.modified
        stated = stamp is not None and stamp.source not in {Source.HTTP, Source.ETAG}
        return stamp.at if stamp and stated else None
