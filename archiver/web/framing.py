"""Where frames are: which addresses show a capture, for a browser that calls this machine by some name."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from archiver.archive.memento.timemap import escaped
from archiver.inspection.showing.places import FramePaths
from archiver.urls import request_url
from archiver.web.guard import frames_origin

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.web.replaying.process import Pywb

# Instead of a time.
NEWEST = "newest"


def _unguessable() -> str:
    return secrets.token_urlsafe(12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """The frames of one server: below names that no other site can guess, so that none can ask for them."""

    port: int
    name: str = field(default_factory=_unguessable)
    # What replays pages with their scripts; None where it is not installed.
    pywb: Pywb | None = None

    @property
    def paths(self) -> FramePaths:
        return FramePaths(self.name)

    def plain(self, stamp: str, url: str) -> str:
        return self.paths.plain(stamp, url)

    def kept(self, stamp: str, url: str) -> str:
        return self.paths.kept(stamp, url)

    def rebuilt(self, number: int, at: datetime) -> str:
        return f"/{self.name}/rebuilt/{at:%Y%m%d%H%M%S}/{number}"

    def explained(self, url: str, at: str) -> str:
        return f"/{self.name}/explained/{quote(at) or NEWEST}/{escaped(request_url(url))}"

    def seen_from(self, host: str) -> FramesSeen:
        return FramesSeen(frames=self, origin=frames_origin(host, self.port))


@dataclass(frozen=True, slots=True, kw_only=True)
class FramesSeen:
    """The same for one browser, with whole addresses."""

    frames: Frames
    origin: str

    @property
    def has_replay(self) -> bool:
        return self.frames.pywb is not None

    def plain(self, stamp: str, url: str) -> str:
        return self.origin + self.frames.plain(stamp, url)

    def rebuilt(self, number: int, at: datetime) -> str:
        return self.origin + self.frames.rebuilt(number, at)

    def explained(self, url: str, at: str) -> str:
        return self.origin + self.frames.explained(url, at)

    def stage(self, stamp: str, url: str) -> str:
        """The page to be marked, with the script of ours that points into it."""
        return self.origin + self.frames.paths.stage(stamp, url)

    def kept(self, stamp: str, url: str) -> str:
        """An image, style or font."""
        return self.origin + self.frames.kept(stamp, url)

    def replay(self, stamp: str, url: str) -> str:
        """The page with its scripts, as pywb has it."""
        assert self.frames.pywb is not None  # noqa: S101 - templates ask before
        return self.origin + self.frames.pywb.path(stamp, url)
