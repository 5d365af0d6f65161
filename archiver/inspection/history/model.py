"""What is told of articles over time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_TICK = "%Y%m%dT%H%M%S.%f"

# What an edit is called of which only is known that there was one.
UNKNOWN_KIND = "changed"
EDIT_KINDS = ("text", "title", "links", "images", "fields", UNKNOWN_KIND)
GONE, BACK = "gone", "back"
KINDS = (*EDIT_KINDS, GONE, BACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the object of a version is, in `ARCHIVE_DIR/objects/`."""

    file: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleChannel:
    """A channel that announces an article."""

    number: int
    url: str
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionNote:
    """One version: the change came between `unchanged_until` and `captured`."""

    version: int
    captured: datetime
    unchanged_until: datetime | None = None
    kinds: tuple[str, ...]
    similarity: float | None = None
    # Words; null where an older archiver did not count them.
    added: int | None = None
    removed: int | None = None
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    object: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """It went between `after` and `gone`, and came back between the other two, if it did."""

    after: datetime
    gone: datetime
    how: str
    back_after: datetime | None = None
    back: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinArticle:
    """An article at another address that is nearly the same."""

    url: str
    similarity: float
    how: str
    found: datetime
    is_older: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """A page that leads to the article: how often it was looked at, when it is again, and why then."""

    url: str
    looks: int
    edits: int
    next_look: datetime | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleHistory:
    """Everything that is known of an article over time, versions and absences in order."""

    id: str
    url: str
    title: str | None
    published: datetime | None
    modified: datetime | None
    first_seen: datetime
    last_seen: datetime
    versions: tuple[VersionNote, ...]
    absences: tuple[Absence, ...] = ()
    twins: tuple[TwinArticle, ...] = ()
    pages: tuple[WatchedPage, ...] = ()
    channels: tuple[ArticleChannel, ...] = ()
    contributions: int = 0  # comments and their like, as far as they are known

    @property
    def is_gone(self) -> bool:
        return bool(self.absences) and self.absences[-1].back is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An edit; or an article that went, or came back: it was so between `after` and `at`."""

    id: str
    at: datetime
    after: datetime | None = None
    kinds: tuple[str, ...]
    url: str
    article: str
    title: str | None = None
    title_before: str | None = None
    channel: ArticleChannel | None = None
    # The version that came; of an article that went or came back, the last one.
    version: int
    similarity: float | None = None
    added: int | None = None
    removed: int | None = None
    how: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    object: Place
    object_before: Place | None = None

    @property
    def is_edit(self) -> bool:
        return self.kinds not in {(GONE,), (BACK,)}


def event_name(key: str, kind: str, at: datetime) -> str:
    """The same in every run. With the time, since two archives may see different edits of one article."""
    return urn_of((key, kind, f"{at:{_TICK}}"))


def urn_of(parts: Iterable[str]) -> str:
    """`urn:uuid:…`, made from a list of words alone."""
    return uuid5(NAMESPACE_URL, "\n".join(part.encode("utf-8", "replace").decode() for part in parts)).urn
