"""Feeds and pages as sites publish them, small enough for a test to say what they are."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from typing import TYPE_CHECKING

from tests.crawl.site import Answer, html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.site import Site

_FIRST_DAY = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
_WORDS = """
harbour council ferry timetable winter budget library roof engineer survey committee vote bridge
repair granite orchard valley railway museum curator ledger archive market bakery festival lantern
school choir teacher garden river flood barrier pump station volunteer map footpath lighthouse
keeper storm record weather almanac printer press newspaper column editor reader letter quarrel
mayor fountain square clock tower bell workshop carpenter violin concert rehearsal audience ticket
season report figure account audit
""".split()  # noqa: SIM905 - a list to read


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a feed; what is None is left out."""

    link: str | None = None
    title: str | None = "A title"
    summary: str | None = None
    content: str | None = None
    id: str | None = None
    published: datetime | None = _FIRST_DAY
    updated: datetime | None = None
    author: str | None = None
    # Further elements of an item of RSS, as markup.
    extra: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """An article with a page of its own and the entry that announces it, all made from one number."""

    path: str
    title: str
    paragraphs: tuple[str, ...]
    published: datetime

    @property
    def entry(self) -> Entry:
        return Entry(
            link=self.path,
            title=self.title,
            summary=self.paragraphs[0],
            id=f"tag:{self.path}",
            published=self.published,
        )

    @property
    def content(self) -> str:
        """The whole article as a feed carries it."""
        return "".join(f"<p>{paragraph}</p>" for paragraph in self.paragraphs)

    @property
    def page(self) -> Answer:
        return page(self.title, self.paragraphs)


def prose(number: int, paragraphs: int = 4) -> tuple[str, ...]:
    """Paragraphs that differ from number to number and never change."""
    chance = random.Random(number)
    return tuple(
        " ".join(_sentence(chance, number * 10 + index) for _ in range(3)) for index in range(paragraphs)
    )


def _sentence(chance: random.Random, number: int) -> str:
    words = chance.sample(_WORDS, 11)
    return f"{words[0].capitalize()} {' '.join(words[1:])} {number}."


def story(number: int, path: str | None = None) -> Story:
    words = random.Random(number + 1000).sample(_WORDS, 4)
    return Story(
        path=path or f"/stories/{number}.html",
        title=f"{' '.join(words).capitalize()} in {number}",
        paragraphs=prose(number),
        published=_FIRST_DAY + timedelta(hours=number),
    )


def stories(count: int, first: int = 1) -> list[Story]:
    return [story(number) for number in range(first, first + count)]


def publish(site: Site, told: Sequence[Story], feed: str = "/feed.xml") -> str:
    """Put up the pages of these stories and a feed that announces them; the feed's address."""
    for one in told:
        site.add(one.path, one.page)
    return site.add(feed, rss([one.entry for one in told]))


# ── Feeds ────────────────────────────────────────────────────────────────────────────────────────────────


def rss(entries: Sequence[Entry], title: str = "The Harbour Gazette", link: str = "/") -> Answer:
    items = "".join(_rss_item(entry) for entry in entries)
    return _feed(
        "application/rss+xml",
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/">'
        f"<channel><title>{escape(title)}</title><link>{escape(link)}</link>"
        f"<description>News</description><language>en</language>{items}</channel></rss>\n",
    )


def _rss_item(entry: Entry) -> str:
    date = entry.published and format_datetime(entry.published, usegmt=True)
    guid = f'<guid isPermaLink="false">{escape(entry.id)}</guid>' if entry.id else ""
    fields = (
        _element("title", entry.title),
        _element("link", entry.link),
        guid,
        _element("description", entry.summary),
        _element("content:encoded", entry.content),
        _element("dc:creator", entry.author),
        _element("pubDate", date),
        entry.extra,
    )
    return f"<item>{''.join(fields)}</item>\n"


def atom(entries: Sequence[Entry], title: str = "The Harbour Gazette", link: str = "/") -> Answer:
    items = "".join(_atom_entry(entry) for entry in entries)
    return _feed(
        "application/atom+xml",
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">'
        f'<id>tag:gazette</id><title>{escape(title)}</title><link rel="alternate" href="{escape(link)}"/>'
        f"<updated>{_FIRST_DAY.isoformat()}</updated>{items}</feed>\n",
    )


def _atom_entry(entry: Entry) -> str:
    link = f'<link rel="alternate" href="{escape(entry.link)}"/>' if entry.link else ""
    author = f"<author><name>{escape(entry.author)}</name></author>" if entry.author else ""
    content = f'<content type="html">{escape(entry.content)}</content>' if entry.content else ""
    updated = entry.updated or entry.published or _FIRST_DAY
    fields = (
        _element("id", entry.id or entry.link),
        _element("title", entry.title),
        link,
        author,
        _element("published", entry.published and entry.published.isoformat()),
        _element("updated", updated.isoformat()),
        _element("summary", entry.summary),
        content,
    )
    return f"<entry>{''.join(fields)}</entry>\n"


def jsonfeed(entries: Sequence[Entry], title: str = "The Harbour Gazette", link: str = "/") -> Answer:
    items = [
        {
            name: value
            for name, value in {
                "id": entry.id or entry.link,
                "url": entry.link,
                "title": entry.title,
                "summary": entry.summary,
                "content_html": entry.content or "",
                "date_published": entry.published and entry.published.isoformat(),
                "date_modified": entry.updated and entry.updated.isoformat(),
                "authors": [{"name": entry.author}] if entry.author else None,
            }.items()
            if value is not None
        }
        for entry in entries
    ]
    head = {"version": "https://jsonfeed.org/version/1.1", "title": title, "home_page_url": link}
    return _feed("application/feed+json", json.dumps(head | {"items": items}, indent=1))


def _feed(kind: str, document: str) -> Answer:
    return Answer(headers=(("Content-Type", f"{kind}; charset=utf-8"),), body=document.encode())


def _element(name: str, value: str | None) -> str:
    return f"<{name}>{escape(value)}</{name}>" if value is not None else ""


# ── Pages ────────────────────────────────────────────────────────────────────────────────────────────────


def page(
    title: str,
    paragraphs: Sequence[str],
    *,
    author: str = "Ada Quill",
    comments: Sequence[str] = ("First!", "The ferry was late again, as ever."),
    head: str = "",
) -> Answer:
    """An article between a menu, a sidebar, what readers said and a footer."""
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    said = "\n".join(f'<li class="comment"><p>{escape(comment)}</p></li>' for comment in comments)
    return html(
        f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} | The Harbour Gazette</title>{head}</head>
<body>
<header><a href="/">The Harbour Gazette</a><nav><ul><li><a href="/news">News</a></li>
<li><a href="/sport">Sport</a></li><li><a href="/letters">Letters</a></li></ul></nav></header>
<main><article class="story"><h1>{escape(title)}</h1><p class="byline">By {escape(author)}</p>
<div class="body">
{text}
</div></article>
<section id="comments" class="comments"><h2>Comments</h2><ol>{said}</ol></section></main>
<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/x1">Mayor opens fountain</a></li>
<li><a href="/x2">Choir wins again</a></li></ul><p>Subscribe to our letter every Friday.</p></aside>
<footer><p>Printed in the harbour. All rights reserved.</p></footer>
</body></html>
"""
    )


def front_page(feeds: Sequence[str] = ()) -> Answer:
    """A site's front page, which names these feeds in its head."""
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" title="News" href="{escape(url)}">'
        for url in feeds
    )
    return page("Welcome", ["What the harbour says."], head=links)
