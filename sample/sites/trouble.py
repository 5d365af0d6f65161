"""The Weathercock: a site on which everything that can go wrong with a page or a feed goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages
from sample.markup import joined, shortened, token, xml
from sample.model import TrueEntry, true_entry
from sample.pdf import one_page_pdf
from sample.site import Seed, Site
from sample.sites.stories import body_html, story, story_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from sample.messages import Request, Response
    from sample.model import Article, Kind

    _Feed = Callable[[int], str]

_GONE_FROM = 2
_LOGIN = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Please sign in - The Weathercock</title></head>
<body class="login"><form method="post" action="/session"><h1>Sign in to go on reading</h1>
<input type="hidden" name="authenticity_token" value="{token}">
<label>Name <input name="user"></label> <label>Password <input type="password" name="password"></label>
<button>Sign in</button> <a href="/forgotten">Forgotten your password?</a></form></body></html>
"""
_SHELL = '<!DOCTYPE html><html><head><title></title></head><body><div id="root"></div></body></html>'


@dataclass(frozen=True, slots=True)
class Case:
    """An entry of the troublesome feed: the story, what kind of trouble it is, and the link announced."""

    article: Article
    kind: Kind
    link: str | None


def _case(key: str, kind: Kind, number: int, day: int, **where: str) -> Case:
    article = story(key, number=number, day=day, **where)
    return Case(article, kind, article.path)


_MOVED = story("the-long-way-round", number=16, day=-2)
_UNLINKED = story("nowhere", number=9, day=-1)
CASES = (
    _case("never-written", "not_found", 13, -4),
    _case("soon-forgotten", "gone", 5, -3),
    _case("for-members", "forbidden_with_content", 6, -3),
    _case("private-view", "disallowed", 7, -2, path="/private/view"),
    _case(
        "timetable",
        "pdf",
        8,
        -2,
        path="/files/timetable.pdf",
        title="The winter timetable, as a sheet to print",
    ),
    Case(_MOVED, "redirect", "/go/77"),
    Case(_UNLINKED, "no_link", None),
    _case("overloaded", "unavailable", 10, -1),
    _case("blank", "empty", 12, -1, title="An empty room"),
    _case("bare", "empty", 14, -1, title="A page that only a browser can fill"),
    _case("behind-the-desk", "login", 15, 0, title="Who has the keys to the tower?"),
    _case("slow-boat", "article", 11, 0),
    _case("relative", "article", 17, 0),
)
BROKEN = tuple(
    story(f"broken-{rank}", number=20 + rank, day=rank - 5, title=title)
    for rank, title in enumerate(("Salt & smoke", "", "Brass & weather", "", ""))
)


def _later(day: int) -> list[Case]:
    """An ordinary story every third day, so that the feed goes on living."""
    return [_case(f"day-{past}", "article", 30 + past, past) for past in range(1, day + 1, 3)]


class Trouble(Site):
    name = "trouble"
    host = "127.0.0.7"
    software = "Apache/2.2.3 (Unix)"
    seeds = (Seed("/feed.xml", "features", "6h"), Seed("/broken.xml", "features"))
    styles: ClassVar = {"/weather.css": "weathercock.css"}
    robots = "User-agent: *\nDisallow: /private/\nDisallow: /session\n"

    def cases(self, day: int) -> list[Case]:
        """All the entries ever announced by the troublesome feed, oldest first."""
        return sorted([*CASES, *_later(day)], key=lambda case: case.article.published)

    def route(self, request: Request) -> Response | None:
        if request.path in self._feeds:
            text = self._feeds[request.path](request.day)
            return messages.with_etag(request, messages.page(text, content_type="application/rss+xml"))
        if request.path in {"/go/77", "/old/77"}:
            return self._hop(request.path)
        for case in self.cases(request.day):
            if case.article.path == request.path and case.kind != "no_link":
                return self._answer(request, case)
        return next((_page(request, article) for article in BROKEN if article.path == request.path), None)

    def home(self, request: Request) -> Response:
        links = (
            f'<li><a href="{case.link}">{escape(case.article.title)}</a></li>'
            for case in reversed(self.cases(request.day))
            if case.link and _listed(case, request.day)
        )
        return messages.page(
            f"<html><head><title>The Weathercock</title></head><body><ul>{joined(links)}</ul></body></html>"
        )

    def truth(self, day: int) -> list[TrueEntry]:
        cases = [self._true(case, day) for case in self.cases(day)]
        return cases + self.announced(BROKEN, day, "/broken.xml", len(BROKEN))

    @cached_property
    def _feeds(self) -> dict[str, _Feed]:
        return {"/feed.xml": self._feed, "/broken.xml": self._broken_feed}

    def _hop(self, path: str) -> Response:
        if path == "/go/77":
            return messages.redirect(302, "/old/77")
        return messages.redirect(301, self.base + _MOVED.path)

    def _answer(self, request: Request, case: Case) -> Response:
        kind = _kind_on(case, request.day)
        if kind in _ERRORS:
            return _ERRORS[kind]
        if kind == "pdf":
            pdf = one_page_pdf("The winter timetable: boats leave at high water.")
            return messages.Response(body=pdf, headers={"Content-Type": "application/pdf"})
        if kind == "empty":
            return messages.page("" if case.article.path.endswith("blank") else _SHELL)
        if kind == "login":
            return messages.page(_LOGIN.format(token=token("login", request.serial)))
        return _page(request, case.article)

    def _true(self, case: Case, day: int) -> TrueEntry:
        return true_entry(
            case.article,
            day,
            site=self.name,
            entry_id=case.article.entry_id,
            feed_url=f"{self.base}/feed.xml",
            link=self.base + case.link if case.link else None,
            in_feed=_listed(case, day),
            kind=_kind_on(case, day),
        )

    def _feed(self, day: int) -> str:
        items = [self._item(case) for case in reversed(self.cases(day)) if _listed(case, day)]
        return _rss("The Weathercock", self.base, items)

    def _broken_feed(self, day: int) -> str:  # noqa: ARG002 - this feed never changes
        # The ampersands of the titles are left as they are, which no XML parser accepts.
        items = [_entry(article, self.url(article), article.title) for article in reversed(BROKEN)]
        return _rss("Wind & Weather", self.base, items)

    def _item(self, case: Case) -> str:
        if case.link is None:
            body = f"<description>{xml(body_html(case.article.on(0)))}</description>"
            return _entry(case.article, "", xml(case.article.title), body)
        link = case.link if case.article.path.endswith("relative") else self.base + case.link
        body = f"<description>{xml(shortened(case.article.blocks[0].text))}</description>"
        if case.kind == "forbidden_with_content":
            body += f"<content:encoded><![CDATA[{body_html(case.article.on(0))}]]></content:encoded>"
        return _entry(case.article, link, xml(case.article.title), body)


def _kind_on(case: Case, day: int) -> Kind:
    if (case.kind == "gone" and day < _GONE_FROM) or (case.kind == "unavailable" and day >= 1):
        return "article"
    return case.kind


def _listed(case: Case, day: int) -> bool:
    return _kind_on(case, day) != "gone"


def _page(request: Request, article: Article) -> Response:
    answer = messages.page(story_page(article.on(request.day), serial=request.serial))
    return replace(answer, delay=0.5 if article.path.endswith("slow-boat") else 0.0)


_ERRORS = {
    "not_found": messages.error(404, "This story was never written."),
    "gone": messages.error(410, "This story has been taken down for good."),
    "forbidden_with_content": messages.error(403, "Members only."),
    "unavailable": messages.error(503, "Too many readers.", headers={"Retry-After": "3600"}),
}


def _rss(title: str, base: str, items: list[str]) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>{title}</title>
<link>{base}/</link>
<description>Small true-sounding stories from places that are not on the map</description>
{joined(items)}
</channel>
</rss>
"""


def _entry(article: Article, link: str, title: str, body: str = "") -> str:
    return f"""<item>
<title>{title}</title>
{f"<link>{link}</link>" if link else ""}
<guid isPermaLink="false">{article.entry_id}</guid>
<pubDate>{clock.rfc822(article.published)}</pubDate>
{body}
</item>"""
