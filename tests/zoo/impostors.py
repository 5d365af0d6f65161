"""Sites that pass for another, and payloads that pass for others."""

from __future__ import annotations

from tests.crawl.site import Answer
from tests.warc.collision import colliding_pair
from tests.zoo.base import HostileSite

PATHS = ("/one.pdf", "/other.pdf")


class CopiedFeed(HostileSite):
    """Serves a copy of the feed of another site, with that site's own address in it."""

    def __init__(self, feed: Answer, host: str = "127.0.0.1") -> None:
        self._feed = feed
        super().__init__(host)

    def misbehave(self) -> None:
        self.add("/feed.xml", self._feed)


class CollidingFiles(HostileSite):
    """Has two different files with one SHA-1."""

    def misbehave(self) -> None:
        for path, body in zip(PATHS, colliding_pair(), strict=True):
            self.add(path, Answer(headers=(("Content-Type", "application/pdf"),), body=body))
