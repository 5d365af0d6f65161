"""What a worker hands out where others share its store: all that is due, whoever had it a moment ago."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.targets import DueChannel
from archiver.clock import Clock
from archiver.running.frontier import Frontier
from archiver.running.leasing import Leasing
from archiver.running.sources import Effects, Source
from archiver.store.leases import give_back
from archiver.store.workers import end_silent
from tests.store.test_leases import begin, take, url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from archiver.running.sources import Room
    from tests.store.test_leases import Worker

__all__ = ["begin", "url"]
pytestmark = pytest.mark.zoo


class Due(Source[DueChannel]):
    """One channel, until it is handed out; `meanwhile` happens while it is looked for."""

    name = "channels"
    most = per_host = 8

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.waiting = [DueChannel(id=1, url="http://a.org/feed", kind="feed", host="a.org", validators={})]
        self.meanwhile = meanwhile

    def due(self, connection: Connection, room: Room) -> Sequence[DueChannel]:  # noqa: ARG002 - Source's
        self.meanwhile()
        return [one for one in self.waiting if one.id not in room.busy and one.host not in room.full]

    async def store(self, answer: object) -> Effects:
        raise NotImplementedError


async def handed_out(worker: Worker, source: Due) -> list[str]:
    database, me = worker
    frontier = Frontier(database, Clock(), [source], per_host=8)
    frontier.leasing = Leasing(database, me, most=16)
    idle, found = asyncio.Event(), []
    idle.set()
    async for target in frontier.targets(watch=False, idle=idle):
        found.append(target.host)
        source.waiting.clear()
        frontier.done(target)
    return found


@pytest.mark.parametrize("given_back", [True, False])
def test_what_another_was_quicker_to_lease_is_asked_for_when_that_one_leaves_it(
    begin: Callable[..., Worker], *, given_back: bool
) -> None:
    one, other, third = begin("one"), begin("other", patience=0.0), begin("third")
    looks: list[int] = []

    def meanwhile() -> None:
        looks.append(1)
        if len(looks) == 1:
            assert take(other, "a.org") == {"a.org"}
        elif len(looks) == 3 and given_back:
            other[0].run(give_back, other[1], {"a.org": 0.0})
        elif len(looks) == 3:
            assert third[0].run(end_silent, third[1]) == ["other"]

    found = asyncio.run(asyncio.wait_for(handed_out(one, Due(meanwhile)), 60))
    assert found == ["a.org"]
    assert len(looks) > 3
