"""Feeds and statistics for the tests of what is shown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from archiver.documents.feeds.model import FeedHints
from archiver.inspection.statistics.compute import Feed, Scope, figures_of, statistics_of
from archiver.inspection.statistics.model import LeftOut
from archiver.inspection.statistics.times import SeenEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.inspection.statistics.model import ChannelFigures, Statistics

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = 3600.0
DAY = 24 * HOUR
HOSTILE = "</title><script>alert(1)</script>\x1b[31m=1+1 \u202eevil\0"


def entries_of(gaps: Iterable[float]) -> list[SeenEntry]:
    """Entries that lie these seconds apart, the last of them now."""
    moment = NOW
    found = [SeenEntry(first_seen=NOW, published=NOW, has_published=True)]
    for gap in gaps:
        moment -= timedelta(seconds=gap)
        found.append(SeenEntry(first_seen=NOW, published=moment, has_published=True))
    return found


def figures(number: int, gaps: Iterable[float], **other: Any) -> ChannelFigures:
    values = {"url": f"http://example.org/{number}", "format": "rss20", "hints": FeedHints(shown=10)} | other
    found = figures_of(Feed(id=number, **values), entries_of(gaps))
    assert found is not None
    return found


def some() -> Statistics:
    """Four feeds of two labels, one of them hostile, one with a single entry."""
    channels = [
        figures(1, [DAY] * 9, labels=("news",), title="Daily", hints=FeedHints(shown=10, ttl=60)),
        figures(2, [HOUR, HOUR, 4 * HOUR], labels=("news", "science"), format="atom10"),
        figures(3, [7 * DAY, 9 * DAY], labels=(HOSTILE,), title=HOSTILE, url=f"http://example.org/{HOSTILE}"),
        figures(4, [], format="rss10", hints=None, validators=frozenset({"etag"})),
    ]
    return statistics_of(channels, LeftOut(sites=1), Scope(made=NOW))


def none() -> Statistics:
    return statistics_of([], LeftOut(never_read=2), Scope(made=NOW))
