"""The frontier of a replay: an answer that comes in while the store is asked is not passed over."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Any, cast

from archiver.acquisition.targets import DueChannel
from archiver.running.replay.frontier import ReplayFrontier
from archiver.running.sources import Effects, Source
from archiver.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.running.replay.tape import Tape

FIRST, SECOND = "https://wire.example/?page=2", "https://wire.example/?page=3"


class _Tape:
    """One file, which answers each address once."""

    def __init__(self) -> None:
        self.answers = {FIRST, SECOND}

    def files(self) -> list[str]:
        return ["one.warc.gz"]

    def load(self, path: str) -> None:
        """It is loaded."""

    def has(self, url: str, sent: object = None) -> bool:  # noqa: ARG002 - the tape's
        return url in self.answers

    def will_have(self, url: str, sent: object = None) -> bool:  # noqa: ARG002 - the tape's
        return False


class _Documents(Source[DueChannel]):
    """Documents of one thing, one after the other; `meanwhile` happens when the store was looked at."""

    name = "channels"

    def __init__(self, urls: Sequence[str], meanwhile: Callable[[DueChannel], None]) -> None:
        self.urls = [*urls]
        self.meanwhile = meanwhile
        self.looks = 0

    def recorded(self, connection: Connection) -> Sequence[DueChannel]:  # noqa: ARG002 - Source's
        found = [
            DueChannel(id=1, url=url, kind="feed", host="wire.example", validators={})
            for url in self.urls[:1]
        ]
        self.looks += 1
        if self.looks == 2:
            self.meanwhile(found[0])
        return found

    def asks_anyway(self, target: DueChannel) -> bool:  # noqa: ARG002 - Source's
        return True

    def due(self, connection: Connection, room: object) -> Sequence[DueChannel]:
        raise NotImplementedError

    async def store(self, answer: object) -> Effects:
        raise NotImplementedError


async def _played(database: Database) -> list[str]:
    loop, tape, found = asyncio.get_running_loop(), _Tape(), list[str]()

    def stored(target: DueChannel) -> None:
        """The answer is stored, and its request is over, before what was found is handed out."""
        source.urls.pop(0)
        loop.call_soon_threadsafe(frontier.done, target)

    source = _Documents([FIRST, SECOND], stored)
    frontier = ReplayFrontier(database, [cast("Source[Any]", source)], cast("Tape", tape))
    idle = asyncio.Event()
    idle.set()
    async for target in frontier.targets(watch=False, idle=idle):
        found.append(target.url)
        tape.answers.discard(target.url)
        if len(found) > 1:
            source.urls.clear()
            frontier.done(target)
    return found


def test_an_answer_that_comes_in_while_the_store_is_asked_leads_on(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/state.sqlite")) as database:
        assert asyncio.run(asyncio.wait_for(_played(database), 10)) == [FIRST, SECOND]
