"""Statistics in parts: each task counts some feeds, by a connection of its own to the state store."""

from __future__ import annotations

import asyncio
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import TYPE_CHECKING

import msgspec

from archiver.inspection.statistics.model import ChannelFigures  # noqa: TC001 - likewise
from archiver.inspection.statistics.queries import counted, figures_in, find_feeds
from archiver.inspection.statistics.times import Period
from archiver.running.workers import Task
from archiver.store.reading import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from archiver.inspection.statistics.compute import Scope
    from archiver.inspection.statistics.model import Statistics
    from archiver.running.workers import TaskRunner

# Of one task: a database takes only so many values in one question.
_FEEDS = 200


class CountedFeeds(msgspec.Struct, frozen=True, kw_only=True):
    figures: tuple[ChannelFigures, ...]


class CountFeeds(Task[CountedFeeds], frozen=True, kw_only=True):
    """Count the entries of feeds, by the numbers of their channels."""

    state_url: str
    ids: tuple[int, ...]
    since: datetime | None = None
    until: datetime | None = None

    def perform(self) -> CountedFeeds:
        period = Period(since=self.since, until=self.until)
        with reading(self.state_url) as connection:
            found = find_feeds(connection, self.ids)
            return CountedFeeds(figures=tuple(figures_in(connection, found, period)))

    def patience(self) -> float:
        return float(len(self.ids))


async def gather_by(
    runner: TaskRunner,
    state_url: str,
    connection: Connection,
    scope: Scope,
    *,
    ids: Sequence[int] | None,
    labels: Sequence[str],
    show: Callable[[int, int], None],
) -> Statistics:
    """What `gather` finds; `show` is told how many feeds of how many were counted."""
    found, done = find_feeds(connection, ids, labels), 0
    chosen = [feed.id for feed in found.feeds]

    async def count(some: Sequence[int]) -> tuple[ChannelFigures, ...]:
        nonlocal done
        period = scope.period
        task = CountFeeds(state_url=state_url, ids=tuple(some), since=period.since, until=period.until)
        answer = await runner.run(task)
        done += len(some)
        show(done, len(chosen))
        return answer.figures

    parts = (chosen[start : start + _FEEDS] for start in range(0, len(chosen), _FEEDS))
    read = await asyncio.gather(*map(count, parts))
    return counted(found, [one for part in read for one in part], scope)
