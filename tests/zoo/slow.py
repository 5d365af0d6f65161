"""Hosts that make a run wait: by what they ask for, or by how they answer."""

from __future__ import annotations

from tests.crawl.documents import publish, stories
from tests.crawl.site import Answer, text
from tests.zoo.base import HostileSite

_STORIES = stories(20)


class HourlyDelay(HostileSite):
    """Asks for an hour between two requests (Crawl-delay: 3600), and announces twenty pages."""

    def misbehave(self) -> None:
        self.add("/robots.txt", text("User-agent: *\nCrawl-delay: 3600\n"))
        publish(self, _STORIES)


class PatientDelay(HostileSite):
    """Asks for two seconds between two requests, and announces twenty pages."""

    def misbehave(self) -> None:
        self.add("/robots.txt", text("User-agent: *\nCrawl-delay: 2\n"))
        publish(self, _STORIES)


class MuteRobots(HostileSite):
    """Takes connections, and never says a word when it is asked for its robots.txt."""

    def misbehave(self) -> None:
        self.add("/robots.txt", Answer(delay=60))
        publish(self, _STORIES)
