"""Statistics of a state store: read channel by channel, so that memory does not grow with the entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.statistics.compute import figures_of, statistics_of
from archiver.inspection.statistics.model import LeftOut
from archiver.inspection.statistics.queries import count_entries, find_feeds, seen_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlalchemy import Connection

    from archiver.inspection.statistics.compute import Scope
    from archiver.inspection.statistics.model import ChannelFigures, Statistics
    from archiver.inspection.statistics.queries import FoundChannels
    from archiver.inspection.statistics.times import Period

# A database takes only so many values in one question: more channels are picked out of all of them.
_MOST_ASKED_FOR = 500


def gather(
    connection: Connection,
    scope: Scope,
    *,
    ids: Sequence[int] | None = None,
    labels: Sequence[str] = (),
    show: Callable[[int, int], None] = lambda _done, _total: None,
) -> Statistics:
    """The figures of these channels, or of all; `show` is told how many entries of how many were read."""
    found = find_feeds(connection, ids, labels)
    channels = list(_figures(connection, found, scope.period, show))
    left_out = LeftOut(
        sites=found.sites,
        never_read=found.never_read,
        without_entries=len(found.feeds) - len(channels),
    )
    return statistics_of(channels, left_out, scope)


def _figures(
    connection: Connection, found: FoundChannels, period: Period, show: Callable[[int, int], None]
) -> Iterator[ChannelFigures]:
    feeds = {feed.id: feed for feed in found.feeds}
    ids = list(feeds) if len(feeds) <= _MOST_ASKED_FOR else None
    total, done = count_entries(connection, ids), 0
    for channel_id, entries in seen_entries(connection, ids):
        done += len(entries)
        show(done, total)
        if (feed := feeds.get(channel_id)) and (figures := figures_of(feed, entries, period)):
            yield figures
