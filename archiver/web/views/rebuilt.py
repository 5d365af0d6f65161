"""A channel's page as it was at a time, chosen on a slider."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.errors import ArchiveError
from archiver.inspection.rebuild.model import Rebuilt  # noqa: TC001 - as above
from archiver.store.polling.channels import find_channel
from archiver.store.polling.sightings import moments_seen
from archiver.web.asking import moment_of
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.web.opened import OpenedArchive

# Documents that the slider reaches.
_MOST_MOMENTS = 200


class RebuiltAsked(msgspec.Struct, frozen=True, kw_only=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=2**53, description="The number of a channel")]
    at: Annotated[
        str, msgspec.Meta(max_length=40, description="A time or a day; now, where it is left out")
    ] = ""


class RebuiltRead(msgspec.Struct, frozen=True, kw_only=True):
    """The page, and the times at which something of it was learned, the oldest first."""

    number: int
    rebuilt: Rebuilt
    moments: tuple[datetime, ...] = ()

    @property
    def place(self) -> int:
        """How many of the moments have passed, less one."""
        return max(sum(moment <= self.rebuilt.at for moment in self.moments) - 1, 0)

    def beside(self, step: int) -> datetime | None:
        place = self.place + step
        return self.moments[place] if 0 <= place < len(self.moments) else None


def read_rebuilt(archive: OpenedArchive, asked: RebuiltAsked) -> RebuiltRead:
    row = find_channel(archive.state, str(asked.number))
    if row is None:
        raise ArchiveError(f"There is no channel {asked.number}")
    archive.withheld.refuse(row.url)
    at = moment_of(asked.at) if asked.at else archive.now.replace(microsecond=0)
    drawn = archive.workers.rebuilt(asked.number, at, archive.withheld)
    assert drawn.rebuilt is not None  # noqa: S101 - that is what was drawn
    moments = dict.fromkeys(map(_next_second, moments_seen(archive.state, asked.number, _MOST_MOMENTS)))
    return RebuiltRead(number=asked.number, rebuilt=drawn.rebuilt, moments=tuple(moments))


def _next_second(moment: datetime) -> datetime:
    """Addresses have no fractions of seconds: the first one at which it had been learned."""
    whole = moment.replace(microsecond=0)
    return whole if whole == moment else whole + timedelta(seconds=1)


REBUILT = WebView(
    name="rebuilt",
    path="/rebuild/{number}",
    about="A channel's page as it was at a time: the articles that it listed",
    parameters=RebuiltAsked,
    answer=RebuiltRead,
    read=read_rebuilt,
    part="channels",
)
