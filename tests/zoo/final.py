"""Sites whose first answer looks final, and is not; and redirects that carry what is not ours."""

from __future__ import annotations

from tests.crawl.documents import publish, rss, story
from tests.crawl.site import Answer, Request, redirect, status, text
from tests.zoo.base import HostileSite

STORY = story(1)


class EmptyAtFirst(HostileSite):
    """Answers 200 with nothing in it, and has the page a little later."""

    def misbehave(self) -> None:
        publish(self, [STORY])
        self.add(STORY.path, Answer(), STORY.page)


class UnaskedNotModified(HostileSite):
    """Answers 304 to a request for a page that was not conditional, and has the page a little later."""

    def misbehave(self) -> None:
        publish(self, [STORY])
        self.add(STORY.path, Answer(status=304), STORY.page)


class UnaskedFeed(HostileSite):
    """Answers 304 to a request for a feed that was not conditional, and has the feed a little later."""

    def misbehave(self) -> None:
        publish(self, [STORY])
        self.add("/feed.xml", Answer(status=304), rss([STORY.entry]))


class RefusesAtFirst(HostileSite):
    """Refuses a page with 403, and gives it away some days later."""

    def misbehave(self) -> None:
        publish(self, [STORY])
        self.add(STORY.path, status(403), STORY.page)


class ForbidsAtFirst(HostileSite):
    """Forbids its pages in robots.txt, and thinks better of it some days later."""

    def misbehave(self) -> None:
        publish(self, [STORY])
        self.add("/robots.txt", text("User-agent: *\nDisallow: /stories/\n"), text(""))


class NamesCredentials(HostileSite):
    """Redirects to an address with a user and a password in it."""

    def misbehave(self) -> None:
        publish(self, [STORY])
        self.add(STORY.path, self._to_the_page)
        self.add("/moved.html", STORY.page)

    def _to_the_page(self, _: Request) -> Answer:
        return redirect(self.url("/moved.html", credentials="editor:hunter2"))
