"""What a page of the past is rebuilt from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from enum import StrEnum


class Grounds(StrEnum):
    """Why an entry is taken for listed at a moment."""

    SHOWN = "shown"  # the documents before and after that moment have it
    LAST_KNOWN = "last_known"  # the last document has it, and there was no look since
    PUBLISHED = "published"  # only a later document has it, and it says that it was published by then
    NOT_YET_GONE = "not_yet_gone"  # only an earlier document has it, and nothing newer had pushed it out

    @property
    def is_inferred(self) -> bool:
        return self in {Grounds.PUBLISHED, Grounds.NOT_YET_GONE}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEntry:
    """An entry that a feed listed at a moment."""

    entry_id: int
    grounds: Grounds


class WordSource(StrEnum):
    """Whose words an article on the page is made of."""

    VERSION = "version"  # the version that was current then
    FEED = "feed"  # nothing was captured by then: the entry's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A capture that something was taken from."""

    url: str
    record_id: str
    captured: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuiltArticle:
    """One article of the list, with where each word of it is from."""

    url: str | None
    title: str
    lead: str = ""
    image: str | None = None
    published: datetime | None = None
    grounds: Grounds
    source: WordSource
    object_id: str | None = None
    version: int | None = None
    origin: Origin | None = None  # of the version, or of the feed's document
    # The article itself was not there then, since at the latest this moment.
    gone: str | None = None
    gone_since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """A channel at a moment."""

    channel: str
    title: str | None
    link: str | None
    at: datetime
    last_look: datetime
    articles: tuple[RebuiltArticle, ...]
    frame: Origin | None = None  # the capture that the rest of the page is taken from
    frame_kind: str = "none"  # home, article, none
