"""Posting histories of the operator's own archive, from what its polls found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.inspection.simulation.histories import History, histories_of
from archiver.inspection.simulation.lockstep import DAY, ReplaySpan
from archiver.inspection.statistics.queries import count_entries, find_feeds, seen_entries
from archiver.inspection.statistics.times import believed_date

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from archiver.inspection.simulation.histories import Histories
    from archiver.inspection.statistics.times import SeenEntry

# How many entries a feed shows of which that was never counted: what most show.
_USUAL_WINDOW = 10
# Of a younger archive, what its feeds showed at first is replayed as well.
_AT_LEAST = 7 * DAY
# A database takes only so many values in one question: more channels are picked out of all of them.
_MOST_ASKED_FOR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHistories:
    """The histories, and the span in which the archive knows them."""

    histories: Histories
    span: ReplaySpan
    # Since when the archive has polled.
    since: float


def own_histories(
    state: Connection,
    ids: Sequence[int] | None = None,
    show: Callable[[int, int], None] = lambda _done, _total: None,
) -> OwnHistories | None:
    """Of these channels, or of all; nothing where none has entries whose time is known."""
    windows = {
        feed.id: _window(feed.hints.shown if feed.hints else None) for feed in find_feeds(state, ids).feeds
    }
    asked = list(windows) if len(windows) <= _MOST_ASKED_FOR else None
    total, done = count_entries(state, asked), 0
    feeds, looks = [], []
    for channel_id, entries in seen_entries(state, asked):
        done += len(entries)
        show(done, total)
        published = _moments(entries)
        if channel_id in windows and published:
            feeds.append(History(published=published, window=windows[channel_id]))
            looks += [min(one.first_seen for one in entries), max(one.first_seen for one in entries)]
    if not feeds:
        return None
    since, until = min(looks).timestamp(), max(looks).timestamp() + 1
    span = ReplaySpan(start=min(since, until - _AT_LEAST), end=until)
    return OwnHistories(histories=histories_of(feeds), span=span, since=since)


def _window(shown: int | None) -> int:
    return max(shown, 1) if shown is not None else _USUAL_WINDOW


def _moments(entries: Sequence[SeenEntry]) -> list[float]:
    """When entries were published: by their dates, else when they were first seen."""
    first_look = min(one.first_seen for one in entries)
    found = []
    for one in entries:
        date = believed_date(one)
        # What the first poll found without a date had been there for an unknown time.
        if date is None and one.first_seen == first_look:
            continue
        found.append(min(date or one.first_seen, one.first_seen).timestamp())
    return found
