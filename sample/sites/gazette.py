"""The Fell Gazette: four sections, each with a template and a feed, whose articles change by a script."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages
from sample.gazette.history import absence_on, changed_on, history, noise_on, story_on, updated_on
from sample.gazette.model import plain
from sample.gazette.pages import page_html
from sample.gazette.stories import SECTIONS, published
from sample.gazette.surroundings import Around
from sample.markup import joined, shortened, xml
from sample.model import TrueEntry
from sample.site import Seed, Site

if TYPE_CHECKING:
    from sample.gazette.model import Absence, TrueHistory
    from sample.gazette.stories import Published
    from sample.messages import Request, Response

# Fewer than a section has in the end: the oldest leave the feed, and change without it.
WINDOW = 14


def _newest_first(section: str, day: int) -> list[Published]:
    found = [one for one in published().values() if one.section == section and one.day <= day]
    return sorted(found, key=lambda one: one.published, reverse=True)


class Gazette(Site):
    name = "gazette"
    host = "127.0.0.10"
    software = "nginx/1.26.2"
    seeds = tuple(Seed(f"/{section}.atom", "changes") for section in SECTIONS)
    styles: ClassVar = {"/gazette.css": "gazette.css"}
    is_extra = True

    def route(self, request: Request) -> Response | None:
        section = request.path.removeprefix("/").removesuffix(".atom")
        if request.path.endswith(".atom") and section in SECTIONS:
            return self._feed(request, section)
        found = (one for one in published().values() if one.path == request.path and one.day <= request.day)
        article = next(found, None)
        return self._answer(request, article) if article else None

    def home(self, request: Request) -> Response:
        blocks = (
            f"<section><h2>{section.title()}</h2><ul>{self._rows(section, request.day)}</ul></section>"
            for section in SECTIONS
        )
        head = "<!DOCTYPE html><html><head><title>The Fell Gazette</title></head>"
        return messages.page(
            f"{head}<body><h1>The Fell Gazette</h1><main>{joined(blocks)}</main></body></html>"
        )

    def truth(self, day: int) -> list[TrueEntry]:
        return [
            self._true_entry(one, day) for section in SECTIONS for one in _newest_first(section, day)[::-1]
        ]

    def histories(self, day: int) -> list[TrueHistory]:
        """What is true of every article that was published until `day`."""
        return [history(one.name, day, self.base) for one in published().values() if one.day <= day]

    def _true_entry(self, one: Published, day: int) -> TrueEntry:
        told = history(one.name, day, self.base)
        return TrueEntry(
            site=self.name,
            feed_url=f"{self.base}/{one.section}.atom",
            entry_id=_entry_id(one),
            link=told.link,
            title=told.title,
            published=one.published,
            kind="article",
            body_paragraphs=list(told.paragraphs),
            revision=told.versions - 1,
            in_feed=one in _newest_first(one.section, day)[:WINDOW],
            author=one.author,
            captions=[],
        )

    def _answer(self, request: Request, article: Published) -> Response:
        absence = absence_on(article.name, request.day)
        return self._absent(absence) if absence else self._page(request, article)

    def _absent(self, how: Absence) -> Response:
        if how == "not_found":
            return messages.error(404, "There is nothing at this address.")
        if how == "gone":
            return messages.error(410, "This article was withdrawn.")
        if how == "front_page":
            return messages.redirect(302, f"{self.base}/")
        head = "<!DOCTYPE html><html><head><title>Page not found – The Fell Gazette</title></head>"
        return messages.page(
            f"{head}<body><h1>Page not found</h1><p>Sorry, the page you were looking for cannot be found. It "
            'may have been moved or deleted. Try the <a href="/">front page</a>.</p></body></html>'
        )

    def _page(self, request: Request, article: Published) -> Response:
        noise = noise_on(article.name, request.day)
        around = Around(
            article=article,
            story=story_on(article.name, request.day),
            url=self.base + article.path,
            noise=noise,
            serial=request.serial,
        )
        charset = "iso-8859-1" if noise.get("encoding", 0) % 2 else "utf-8"
        answer = messages.page(
            page_html(around), content_type=f"text/html; charset={charset}", encoding=charset
        )
        return self._validated(request, article, replace(answer, gzip=article.number % 2 == 0))

    def _validated(self, request: Request, article: Published, answer: Response) -> Response:
        """Some pages have validators that tell the truth, some others in every answer, some have none."""
        changed = changed_on(article.name, request.day)
        if article.number % 5 == 0:
            return messages.with_etag(request, answer)
        if article.number % 5 == 1 and not noise_on(article.name, request.day).get("every request"):
            return messages.with_last_modified(request, answer, changed)
        if article.number % 5 == 2:
            wrong = {
                "ETag": f'W/"{request.serial:x}"',
                "Last-Modified": clock.http_date(clock.now(request.day)),
            }
            return replace(answer, headers={**answer.headers, **wrong})
        return answer

    def _rows(self, section: str, day: int) -> str:
        return "".join(
            f'<li><a href="{one.path}">{escape(story_on(one.name, day).title)}</a></li>'
            for one in _newest_first(section, day)[:WINDOW]
        )

    def _feed(self, request: Request, section: str) -> Response:
        listed, day = _newest_first(section, request.day)[:WINDOW], request.day
        body = f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>The Fell Gazette: {section}</title>
<id>tag:gazette.example,2026:{section}</id>
<link rel="self" href="{self.base}/{section}.atom"/>
<link rel="alternate" type="text/html" href="{self.base}/"/>
<updated>{clock.iso(max(updated_on(one.name, day) for one in listed))}</updated>
{joined(self._entry(one, day) for one in listed)}
</feed>
"""
        answer = messages.page(body, content_type="application/atom+xml; charset=utf-8")
        return messages.with_etag(request, replace(answer, gzip=True))

    def _entry(self, one: Published, day: int) -> str:
        story = story_on(one.name, day)
        first = next(block.text for block in story.blocks if block.kind == "p")
        return f"""<entry>
<title>{xml(story.title)}</title>
<id>{_entry_id(one)}</id>
<link rel="alternate" type="text/html" href="{self.base}{one.path}"/>
<published>{clock.iso(one.published)}</published>
<updated>{clock.iso(updated_on(one.name, day))}</updated>
<author><name>{xml(one.author)}</name></author>
<summary>{xml(shortened(plain(first), 130))}</summary>
</entry>"""


def _entry_id(one: Published) -> str:
    return f"tag:gazette.example,2026:{one.name}"
