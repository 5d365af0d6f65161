"""Which hints feeds give about their rhythm and their reach: in entries, in the document, and over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.statistics.model import HintCount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.documents.feeds.model import FeedHints
    from archiver.inspection.statistics.model import ChannelFigures
    from archiver.inspection.statistics.times import SeenEntry

# Known of every feed, from its entries or from the answer of its server.
_ALWAYS_KNOWN = {
    "published": "publication date, every entry",
    "published_some": "publication date, some entries",
    "updated": "date of update, some entry",
    "etag": "ETag",
    "last_modified": "Last-Modified",
    "max_age": "Cache-Control: max-age",
}
# Known where the document was read by an archiver that kept them.
_IN_DOCUMENT = {
    "last_build": "lastBuildDate, or the feed's updated",
    "ttl": "ttl",
    "skip_hours": "skipHours",
    "skip_days": "skipDays",
    "update_period": "sy:updatePeriod",
    "update_frequency": "sy:updateFrequency",
    "update_base": "sy:updateBase",
    "hubs": "WebSub hub",
    "paging": "older entries linked (RFC 5005, next_url)",
}
_ORDER = ("published", "published_some", "updated", *_IN_DOCUMENT, "etag", "last_modified", "max_age")
HINTS = {name: (_ALWAYS_KNOWN | _IN_DOCUMENT)[name] for name in _ORDER}


def hints_in(
    entries: Sequence[SeenEntry], document: FeedHints | None, validators: frozenset[str]
) -> tuple[str, ...]:
    """The names of the hints that a feed gives; `validators` are those that its server sends."""
    found = set(validators)
    published = sum(entry.has_published for entry in entries)
    if published:
        found.add("published" if published == len(entries) else "published_some")
    if any(entry.has_updated for entry in entries):
        found.add("updated")
    if document is not None:
        # A ttl of 0 is one; an empty list of days to skip is none.
        found |= {name for name in _IN_DOCUMENT if getattr(document, name) not in (None, (), {})}
    return tuple(name for name in HINTS if name in found)


def count_hints(channels: Sequence[ChannelFigures]) -> tuple[HintCount, ...]:
    known = sum(channel.hints_known for channel in channels)
    counts = []
    for name in HINTS:
        of = known if name in _IN_DOCUMENT else len(channels)
        feeds = sum(name in channel.hints for channel in channels)
        counts.append(HintCount(hint=name, feeds=feeds, of=of, share=feeds / of if of else None))
    return tuple(counts)
