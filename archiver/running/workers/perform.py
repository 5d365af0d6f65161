"""What worker processes do: read a record of the archive, and make a feed or an article of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.rechecks.sitemaps import read_sitemap_of
from archiver.archive.warc.reader import read_response
from archiver.articles.extract import feed_content
from archiver.articles.extract.catalogue import FEED
from archiver.documents.feeds.discover import discover_feeds, feed_leads, is_of_comments, looks_like_html
from archiver.documents.feeds.parse import parse_feed
from archiver.documents.lists.read import read_document
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
from archiver.running.workers.proof import prove

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from archiver.acquisition.rechecks.sitemaps import SitemapRead
    from archiver.documents.lists.model import ArchivePage
    from archiver.running.workers.messages import PageRead, PagesJudged, PagesRead, Task

    Answer = FeedRead | PageRead | PagesRead | PagesJudged | StyleRead | ArchivePage | SitemapRead | Proved

# Counts up when other articles come to be made of the same content.
_FEED_EXTRACTOR = f"{FEED}/1"


def perform(task: Task) -> Answer:
    """Do what the task says, in the worker process."""
    return _PERFORM[type(task)](task)


def _read_content(task: ReadContent) -> PageRead:
    announcement = task.announcement
    found = feed_content.article_from_feed(announcement.content or "", url=task.url, title=announcement.title)
    return page_read(found, _FEED_EXTRACTOR)


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
    from archiver.documents.requisites.stylesheet import style_requisites  # noqa: PLC0415

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
