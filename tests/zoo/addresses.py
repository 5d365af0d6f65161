"""Hosts whose addresses are longer than most programs expect."""

from __future__ import annotations

from tests.crawl.documents import Entry, page, rss
from tests.crawl.site import Answer
from tests.zoo.base import HostileSite

LONG = "x" * 60_000
WORDS = ["The harbour lay in fog, and the ferry waited for the morning."] * 8


class LongAddresses(HostileSite):
    """Links to, and redirects to, addresses of 60,000 characters, and has pages there."""

    def misbehave(self) -> None:
        self.add(f"/linked?{LONG}", page("Linked from afar", WORDS))
        self.add(f"/moved?{LONG}", page("Moved far away", WORDS))
        self.add("/moving", Answer(status=302, headers=(("Location", f"/moved?{LONG}"),)))
        self.add("/moving-feed", Answer(status=301, headers=(("Location", f"/feed.xml?{LONG}"),)))
        links = [("Linked from afar", f"/linked?{LONG}"), ("Moved far away", "/moving")]
        entries = [Entry(link=link, id=title, title=title, summary=WORDS[0]) for title, link in links]
        self.add("/feed.xml", rss(entries))
