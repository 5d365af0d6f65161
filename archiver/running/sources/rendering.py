"""What a page in the browser asks for: due while the browser waits for it, and lost with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.targets import RENDERING, RenderResource
from archiver.running.sources import Effects, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.items import ResourceFetch
    from archiver.running.sources import Room


class RenderingSource(Source[RenderResource]):
    """Requests of one page at a time. They are not in the store: what was not rendered is rendered again."""

    name = RENDERING
    every = float("inf")

    @property
    def is_on(self) -> bool:
        return self.session.extraction.renderings.is_on

    def due(self, connection: Connection, room: Room) -> Sequence[RenderResource]:  # noqa: ARG002 - see above
        wanted = self.session.extraction.renderings.resources()
        fit = [one for one in wanted if one.id not in room.busy and one.host not in room.full]
        return fit[: room.limit]

    async def store(self, answer: ResourceFetch) -> Effects:
        self.session.archive.report.resources_fetched += answer.capture is not None
        self.session.extraction.renderings.answered(answer)
        return Effects()
