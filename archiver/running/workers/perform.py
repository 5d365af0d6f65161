"""What worker processes do: read a record of the archive, and make a feed or an article of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.rechecks.sitemaps import read_sitemap_of
from archiver.archive.warc.reader import read_response
from archiver.articles.methods import feed_content
from archiver.articles.methods.extraction import extract_group
from archiver.articles.methods.registry import FEED
from archiver.articles.model import Article
from archiver.documents.feeds.discover import discover_feeds, feed_leads, is_of_comments, looks_like_html
from archiver.documents.feeds.parse import parse_feed
from archiver.documents.lists.read import read_document
from archiver.documents.pages.model import Announcement, RawPage
from archiver.errors import FeedBrokenOff, FeedParseError
from archiver.running.workers.judging import judge_pages
from archiver.running.workers.messages import (
    FeedRead,
    JudgePages,
    Proved,
    ProveYourself,
    ReadArchivePage,
    ReadContent,
    ReadFeed,
    ReadPages,
    ReadSitemap,
    ReadStyle,
    StyleRead,
)
from archiver.running.workers.pages import page_read, read_pages

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from archiver.acquisition.rechecks.sitemaps import SitemapRead
    from archiver.documents.lists.model import ArchivePage
    from archiver.running.workers.messages import PageRead, PagesJudged, PagesRead, Task

    Answer = FeedRead | PageRead | PagesRead | PagesJudged | StyleRead | ArchivePage | SitemapRead | Proved

_URL = "http://proof.invalid/"
_FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Proof</title><link>http://proof.invalid/</link>
<item><title>The harbour at night</title><link>http://proof.invalid/harbour</link></item></channel></rss>"""
_WORDS = (
    "The harbour at night is a quiet place, and the last ferry leaves it soon after eight.",
    "Whoever misses that ferry walks home along the sea wall, which takes about an hour.",
    "The council has promised a later one for years, and says that next winter it will come.",
)
_PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>The harbour at night</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>The harbour at night</h1><p>Published on 3 March 2024</p>{"".join(f"<p>{words}</p>" for words in _WORDS)}</article>
<footer>All rights reserved</footer></body></html>""".encode()  # noqa: E501 - as pages are

# Counts up when other articles come to be made of the same content.
_FEED_EXTRACTOR = f"{FEED}/1"


def perform(task: Task) -> Answer:
    """Do what the task says, in the worker process."""
    return _PERFORM[type(task)](task)


def _read_content(task: ReadContent) -> PageRead:
    return page_read(feed_content.article_from_feed(task.announcement, url=task.url), _FEED_EXTRACTOR)


def _prove(task: ProveYourself) -> Proved:
    prove(task.method)
    return Proved()


def _read_feed(task: ReadFeed) -> FeedRead:
    stored = read_response(Path(task.folder), task.file, task.offset)
    try:
        feed = parse_feed(stored.content, url=task.url, content_type=stored.content_type)
    except FeedBrokenOff as error:
        return FeedRead(problem=str(error), broken_off=True)
    except FeedParseError as error:
        if not looks_like_html(stored.content):
            return FeedRead(problem=str(error))
        found = discover_feeds(stored.content, url=task.url, content_type=stored.content_type)
        # Comments are not what a site publishes; where there is nothing else, they are what was asked for.
        wanted = [feed for feed in found if not is_of_comments(feed)] or found
        leads = [] if found else feed_leads(stored.content, url=task.url, content_type=stored.content_type)
        return FeedRead(discovered=tuple(wanted), leads=tuple(leads), problem=str(error))
    return FeedRead(feed=feed, broken_off=feed.broken_off)


def _read_archive_page(task: ReadArchivePage) -> ArchivePage:
    stored = read_response(Path(task.folder), task.file, task.offset)
    return read_document(
        stored.content,
        task.ask,
        url=task.url,
        content_type=stored.content_type,
        examples=task.examples,
        since=task.since,
    )


def _read_sitemap(task: ReadSitemap) -> SitemapRead:
    stored = read_response(Path(task.folder), task.file, task.offset)
    return read_sitemap_of(stored.content, url=task.url, host=task.host)


def _read_style(task: ReadStyle) -> StyleRead:
    # Most archives keep no styles, and its patterns take long to make.
    from archiver.documents.requisites.css import style_requisites  # noqa: PLC0415

    stored = read_response(Path(task.folder), task.file, task.offset)
    found = style_requisites(stored.content, url=task.url, content_type=stored.content_type, limit=task.most)
    return StyleRead(requisites=tuple(found))


_PERFORM: dict[type[Task], Callable[[Any], Answer]] = {
    ReadFeed: _read_feed,
    ReadPages: read_pages,
    JudgePages: judge_pages,
    ReadStyle: _read_style,
    ReadArchivePage: _read_archive_page,
    ReadSitemap: _read_sitemap,
    ReadContent: _read_content,
    ProveYourself: _prove,
}


def prove(method: str | None) -> None:
    """Read what can be read; raises what keeps this worker from it."""
    feed = parse_feed(_FEED, url=_URL, content_type="application/rss+xml")
    if [entry.title for entry in feed.entries] != ["The harbour at night"]:
        raise RuntimeError("a known feed does not show its entry")
    if method is not None:
        _prove_pages(method)


def _prove_pages(method: str) -> None:
    said = Announcement(title="The harbour at night", summary=_WORDS[0])
    page = RawPage(
        id="<proof>", url=f"{_URL}harbour", body=_PAGE, content_type="text/html", announcement=said
    )
    (found,) = extract_group([page], method).results
    # A method of one's own may see this otherwise: that it gives an answer is enough.
    if not isinstance(found, Article) and method == "article":
        raise RuntimeError(f"a known page shows no article: {found.reason}")
