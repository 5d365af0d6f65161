"""What worker processes do: read a record of the archive, and make a feed or an article of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.errors import FeedParseError
from archiver.extract.feed_content import article_from_feed
from archiver.extract.methods import extract
from archiver.extract.model import Article, NoArticle, RawPage
from archiver.extract.outlinks import outlinks_of
from archiver.feeds.discover import discover_feeds, is_of_comments, looks_like_html
from archiver.feeds.parse import parse_feed
from archiver.requisites.page import page_requisites
from archiver.requisites.stylesheet import style_requisites
from archiver.versions.compare import fingerprint
from archiver.warc.reader import read_response
from archiver.workers.messages import FeedRead, PageRead, ReadFeed, ReadPage, ReadStyle, StyleRead

if TYPE_CHECKING:
    from archiver.requisites.model import Requisite, Scope
    from archiver.workers.messages import Task

SCOPES: dict[str, Scope] = {"article": "article", "page": "page"}


def perform(task: Task) -> FeedRead | PageRead | StyleRead:
    """Do what the task says, in the worker process."""
    if isinstance(task, ReadFeed):
        return _read_feed(task)
    if isinstance(task, ReadPage):
        return _read_page(task)
    if isinstance(task, ReadStyle):
        return _read_style(task)
    announcement = task.announcement
    found = article_from_feed(announcement.content or "", url=task.url, title=announcement.title)
    return _page_read(found)


def _read_feed(task: ReadFeed) -> FeedRead:
    stored = read_response(Path(task.folder), task.file, task.offset)
    try:
        feed = parse_feed(stored.content, url=task.url, content_type=stored.content_type)
    except FeedParseError as error:
        if not looks_like_html(stored.content):
            return FeedRead(problem=str(error))
        found = discover_feeds(stored.content, url=task.url, content_type=stored.content_type)
        # Comments are not what a site publishes; where there is nothing else, they are what was asked for.
        wanted = [feed for feed in found if not is_of_comments(feed)] or found
        return FeedRead(discovered=tuple(wanted), problem=str(error))
    return FeedRead(feed=feed)


def _read_page(task: ReadPage) -> PageRead:
    stored = read_response(Path(task.folder), task.file, task.offset)
    page = RawPage(
        url=task.url, body=stored.content, content_type=stored.content_type, announcement=task.announcement
    )
    read = _page_read(extract([page], method=task.method)[0])
    outlinks = tuple(outlinks_of(page)) if task.outlinks else ()
    return msgspec.structs.replace(read, requisites=_requisites(task, page, read), outlinks=outlinks)


def _requisites(task: ReadPage, page: RawPage, read: PageRead) -> tuple[Requisite, ...]:
    if task.requisites not in SCOPES:
        return ()
    images = [image.url for image in read.article.images] if read.article else []
    return tuple(
        page_requisites(
            page.body,
            url=page.url,
            content_type=page.content_type,
            scope=SCOPES[task.requisites],
            article_images=images,
            limit=task.most_requisites,
        )
    )


def _read_style(task: ReadStyle) -> StyleRead:
    stored = read_response(Path(task.folder), task.file, task.offset)
    found = style_requisites(stored.content, url=task.url, content_type=stored.content_type, limit=task.most)
    return StyleRead(requisites=tuple(found))


def _page_read(found: Article | NoArticle) -> PageRead:
    if isinstance(found, NoArticle):
        return PageRead(nothing=found)
    return PageRead(article=found, fingerprint=fingerprint(found))
