"""The Tarn Valley Courier: a daily newspaper, full of advertisements, with an RSS 2.0 feed of summaries."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages, prose
from sample.edits import addition, correction
from sample.markup import inline, joined, render, shortened, slug, token, xml
from sample.model import Article, Edit
from sample.site import Seed, Site

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import TrueEntry, Version

FIRST_DAY = -2
WINDOW = 15
# From this day on every page, also of older stories, is made from another template.
REDESIGNED = 9
_A_DAY = (5, 4, 6, 5, 4, 6, 4)
_SECTIONS = {
    "football": "Sport",
    "theatre": "Arts",
    "bakery": "Business",
    "court": "Courts",
    "wildlife": "Country",
}
_REPORTERS = ("Hannah Brough", "Leo Marsh", "Sunita Kerr", "Walter Dunne", "Courier staff", "Zadie Holroyd")
_MORE = ("Read more…", "Read the full story…", "Continue reading…", "Read more on our site…")


@cache
def published_on(day: int) -> tuple[Article, ...]:
    first = sum(_A_DAY[past % 7] for past in range(FIRST_DAY, day))
    return tuple(_article(day, first + rank, rank) for rank in range(_A_DAY[day % 7]))


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first."""
    return tuple(article for past in range(FIRST_DAY, day + 1) for article in published_on(past))


@cache
def by_path(day: int) -> dict[str, Article]:
    return {article.path: article for article in published_until(day)}


def _article(day: int, number: int, rank: int) -> Article:
    pool = prose.load("newspaper")
    subjects = pool.subjects()
    subject = subjects[number * 5 % len(subjects)]
    draft = prose.compose(pool, subject, f"courier {number}", extra=number % 3 * (1 + number % 5))
    published = clock.moment(day, 6 * 60 + 25 + rank * 155 + number % 17)
    return Article(
        number=10300 + number,
        path=f"/{published:%Y/%m/%d}/{slug(draft.title)}-{10300 + number}",
        entry_id=f"tvc-story-{10300 + number}",
        title=draft.title,
        author=_REPORTERS[number % len(_REPORTERS)],
        section=_SECTIONS.get(subject, "News"),
        day=day,
        published=published,
        blocks=draft.blocks,
        edits=_edits(day, number),
    )


def _edits(day: int, number: int) -> tuple[Edit, ...]:
    """Every eleventh story is corrected the day after, every seventeenth grows for two; none before day 1."""
    day = max(day, 0)
    if number % 17 == 3:
        return (
            addition(
                day + 1, "The county has since said that it will publish its own account on Friday.", at=1
            ),
            addition(
                day + 2, "A public meeting has now been called for next week, in the Assembly Rooms.", at=1
            ),
        )
    if number % 11 == 5:
        words = (
            "Correction: an earlier version of this story gave the wrong day. It has been put right above."
        )
        return (correction(day + 1, words),)
    return ()


@lru_cache(maxsize=2048)
def _paragraphs(version: Version) -> tuple[str, ...]:
    return tuple(f"    <p>{inline(block.text)}</p>" for block in version.blocks)


def _link(article: Article) -> str:
    return f'<li><a href="{article.path}">{escape(article.title)}</a></li>'


class Newspaper(Site):
    name = "newspaper"
    host = "127.0.0.1"
    software = "nginx/1.24.0"
    seeds = (Seed("/rss.xml", "news"),)
    styles: ClassVar = {
        "/css/courier.css": "courier.css",
        "/css/type.css": "type.css",
        "/css/courier-2026.css": "courier-2026.css",
    }
    robots = (
        "User-agent: *\nDisallow: /sign-in\nDisallow: /newsletter\n\nUser-agent: GreedyBot\nDisallow: /\n"
    )

    def route(self, request: Request) -> Response | None:
        if request.path == "/rss.xml":
            return self._feed(request)
        if request.path.startswith("/section/"):
            return self.home(request)
        article = by_path(request.day).get(request.path)
        return self._page(request, article.on(request.day)) if article else None

    def home(self, request: Request) -> Response:
        cards = (
            f'<div class="card"><h2><a href="{article.path}">{escape(article.title)}</a></h2>'
            f"<p>{escape(shortened(article.blocks[0].text))}</p></div>"
            for article in reversed(published_until(request.day)[-20:])
        )
        page = render("newspaper_home.html", cards=joined(cards), **self._frame(request))
        return replace(messages.page(page), gzip=True)

    def truth(self, day: int) -> list[TrueEntry]:
        return self.announced(published_until(day), day, "/rss.xml", WINDOW)

    def _frame(self, request: Request) -> dict[str, object]:
        """What stands around every page, some of it different each time."""
        ads = prose.lines("ads")
        names = ("News", "Sport", "Arts", "Business", "Courts", "Country")
        return {
            "today": clock.now(request.day).strftime("%A %d %B %Y"),
            "sections": "".join(f'<li><a href="/section/{name.lower()}">{name}</a></li>' for name in names),
            "serial": request.serial,
            "nonce": token("courier", request.serial),
            "ad1": ads[request.serial % len(ads)],
            "ad2": ads[(request.serial * 5 + 3) % len(ads)],
        }

    def _page(self, request: Request, version: Version) -> Response:
        article, others = version.article, published_until(request.day)
        page = render(
            "newspaper_page_redesigned.html" if request.day >= REDESIGNED else "newspaper_page.html",
            **self._frame(request),
            **self._metadata(version),
            body=self._body(request, version),
            views=420 + article.number % 97 * 31 + request.serial,
            tags=", ".join(f'<a href="#">{word}</a>' for word in (article.section, "Tarn Valley")),
            related=joined(_link(other) for other in others[-4:-1] if other is not article),
            most_read=joined(_link(others[(request.serial + rank) % len(others)]) for rank in range(5)),
        )
        return replace(messages.page(page), gzip=True, chunked=article.number % 3 == 0)

    def _body(self, request: Request, version: Version) -> str:
        """The paragraphs, with an advertisement and a plug among them as newspapers do."""
        ads = prose.lines("ads")
        ad = ads[(request.serial * 7 + 1) % len(ads)]
        pieces = list(_paragraphs(version))
        plug = next(other for other in published_until(request.day) if other is not version.article)
        pieces.insert(4, f'    <aside class="c-plug"><h4>See also</h4><ul>{_link(plug)}</ul></aside>')
        pieces.insert(2, f'    <div class="ad-slot ad-slot--mid"><span>Advertisement</span><p>{ad}</p></div>')
        return joined(pieces)

    def _metadata(self, version: Version) -> dict[str, object]:
        article = version.article
        return {
            "title": escape(article.title),
            "url": self.url(article),
            "description": escape(shortened(article.blocks[0].text)),
            "published": clock.iso_offset(article.published),
            "displayed": article.published.strftime("%A, %d %B %Y, %H:%M GMT"),
            "section": article.section,
            "section_slug": article.section.lower(),
            "author": article.author,
            "author_slug": slug(article.author),
            "number": article.number,
            "picture": f"{self.base}/img/{article.number}.gif",
            "json_ld": self._json_ld(version),
        }

    def _json_ld(self, version: Version) -> str:
        article = version.article
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "datePublished": clock.iso_offset(article.published),
            "dateModified": clock.iso_offset(version.changed),
            "author": [{"@type": "Person", "name": article.author}],
            "publisher": {"@type": "Organization", "name": "The Tarn Valley Courier"},
            "mainEntityOfPage": self.url(article),
        }
        return json.dumps(data, ensure_ascii=False)

    def _feed(self, request: Request) -> Response:
        body = _feed_text(self.base, request.day)
        answer = messages.page(body, content_type="application/rss+xml; charset=utf-8")
        return messages.with_etag(request, replace(answer, gzip=True))


@lru_cache(maxsize=64)
def _feed_text(base: str, day: int) -> str:
    listed = published_until(day)[-WINDOW:][::-1]
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>The Tarn Valley Courier</title>
<link>{base}/</link>
<description>News from the valley, every day but the Sabbath and then too</description>
<language>en-gb</language>
<lastBuildDate>{clock.rfc822(listed[0].published)}</lastBuildDate>
<ttl>60</ttl>
<atom:link href="{base}/rss.xml" rel="self" type="application/rss+xml"/>
{joined(_item(base, article) for article in listed)}
</channel>
</rss>
"""


def _item(base: str, article: Article) -> str:
    more = _MORE[article.number % len(_MORE)]
    return f"""<item>
<title>{xml(article.title)}</title>
<link>{base}{article.path}</link>
<description>{xml(shortened(article.blocks[0].text, 130))} {more}</description>
<dc:creator>{xml(article.author)}</dc:creator>
<category>{article.section}</category>
<guid isPermaLink="false">{article.entry_id}</guid>
<pubDate>{clock.rfc822(article.published)}</pubDate>
</item>"""
