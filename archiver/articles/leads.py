"""What led to a page: an entry of a feed, a link of a page, a form, a campaign."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.pages.model import Announcement

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.archive.warc.records import Capture
    from archiver.documents.feeds.dates import Dating
    from archiver.documents.feeds.model import FeedEntry

# The source whose leads are entries of feeds.
CHANNELS = "channels"
# The source whose leads are captures that other programs made.
IMPORTS = "import"


def announcement_of(entry: FeedEntry) -> Announcement:
    """What an entry says of its page."""
    return Announcement(
        title=entry.title, summary=entry.summary, content=entry.content, language=entry.language
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcer:
    """The entry that announced a page, with its channel."""

    id: int
    entry: FeedEntry
    channel_id: int
    channel_title: str | None = None
    channel_language: str | None = None
    channel_link: str | None = None
    # Where it was found, what its document says of its date, and when that had not listed it yet.
    found_by: str | None = None
    dating: Dating | None = None
    not_before: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """Why a page is in the archive, and what is said of it there where it was found."""

    source: str  # the name of the source that found it
    via: str  # the address of the document that leads to it
    # Pages of one scope are read together: a channel's number, or one of the table of scopes, below zero.
    scope: int
    first_seen: datetime
    capture: Capture | None = None  # of that document
    said: Announcement = Announcement()
    # Where a feed announced it.
    announcer: Announcer | None = None

    @property
    def entry(self) -> FeedEntry | None:
        return self.announcer.entry if self.announcer else None

    @property
    def is_import(self) -> bool:
        return self.source == IMPORTS

    @property
    def is_of_comment(self) -> bool:
        """Whether a feed announced a comment on the page, not the page."""
        return self.entry is not None and is_of_comment(self.entry)

    @property
    def is_of_change(self) -> bool:
        """Whether a feed announced a change of the page, by its difference."""
        return self.entry is not None and self.entry.changed_page is not None

    def announcement(self, other_summaries: tuple[str, ...] = ()) -> Announcement:
        """What was said of the page; where a comment on it or a change of it was announced, nothing."""
        announcer = self.announcer
        if announcer is None:
            return self.said
        language = announcer.entry.language or announcer.channel_language
        if self.is_of_comment or self.is_of_change:
            return Announcement(language=language)
        said = announcement_of(announcer.entry)
        return replace(said, language=language, other_summaries=other_summaries, site=announcer.channel_title)


def latest_change_first(leads: tuple[Lead, ...]) -> tuple[Lead, ...]:
    """The leads of a page; where changes of it were announced, a version is of the last of them."""
    if not leads or not leads[0].is_of_change:
        return leads
    return tuple(sorted(leads, key=_changed, reverse=True))


def _changed(lead: Lead) -> float:
    """When the change was made; that of others is long ago."""
    stamp = lead.entry.updated if lead.entry and lead.is_of_change else None
    return stamp.utc.timestamp() if stamp and stamp.utc else float("-inf")


# `#comment-3` of WordPress, `#c3` of Blogger, `#comment:3` of Trac, `#note-3` of Redmine, `#issuecomment-3`.
_COMMENT = re.compile(
    r"(?:(?:issue|discussion|id)?comments?|kommentar|commentaire|comentario|cmt|reply|note)[-_:/=]?(?:id[-_]?)?\d+"
    r"|c\d+",
    re.IGNORECASE,
)


def is_of_comment(entry: FeedEntry) -> bool:
    """Whether the entry is about a comment, and not about the page that its link leads to."""
    link = entry.page_link or ""
    try:
        return _COMMENT.fullmatch(urlsplit(link).fragment) is not None
    except ValueError:  # such as an unfinished IPv6 host
        return False
