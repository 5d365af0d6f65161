"""A channel's page at a moment, from the archive alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.inspection.rebuild.gather import gather
from archiver.inspection.rebuild.page import html_of
from archiver.inspection.rebuild.search import find_frame
from archiver.inspection.requisites import stored_files

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.inspection.rebuild.frames import Frame
    from archiver.inspection.rebuild.gather import RebuildFolders
    from archiver.inspection.rebuild.model import Rebuilt


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuiltPage:
    """What is on it, and what it takes to draw it."""

    rebuilt: Rebuilt
    frame: Frame
    places: RebuildFolders

    def html(self) -> str:
        """The page as one file."""
        at = self.rebuilt.at
        return html_of(self.frame, self.rebuilt, stored_files(self.places.index, self.places.warc, at))


def rebuild(connection: Connection, places: RebuildFolders, channel: Row[Any], at: datetime) -> RebuiltPage:
    found = gather(connection, places, channel, at)
    frame = find_frame(connection, places, channel, found)
    rebuilt = replace(found.rebuilt, frame=frame.origin, frame_kind=frame.kind)
    return RebuiltPage(rebuilt=rebuilt, frame=frame, places=places)
