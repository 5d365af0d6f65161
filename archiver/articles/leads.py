"""What led to a page: the entry that announced it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.archive.warc.records import Capture
    from archiver.documents.feeds.dating import Dating
    from archiver.documents.feeds.model import FeedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingEntry:
    """An entry that waits for its page, with its channel."""

    id: int
    entry: FeedEntry
    first_seen: datetime
    feed_capture: Capture | None
    channel_id: int
    channel_url: str
    channel_title: str | None
    channel_language: str | None
    channel_link: str | None = None
    # Where it was found, what its document says of its date, and when that had not listed it yet.
    found_by: str | None = None
    dating: Dating | None = None
    not_before: datetime | None = None
