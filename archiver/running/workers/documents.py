"""Feeds read in the worker process, and the proof that it can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import extract_group
from archiver.articles.methods.registry import DEFAULT, OURS
from archiver.articles.model import Article
from archiver.documents.feeds.comments import comments_of_feed
from archiver.documents.feeds.discover import discover_feeds, feed_leads, looks_like_html
from archiver.documents.feeds.discovered import is_of_comments
from archiver.documents.feeds.parse import parse_feed
from archiver.documents.pages.model import Announcement, RawPage
from archiver.errors import FeedBrokenOff, FeedParseError
from archiver.running.workers.tasks import CommentFeedRead, FeedRead

if TYPE_CHECKING:
    from archiver.running.workers.tasks import ReadCommentFeed, ReadFeed

_URL = "http://proof.invalid/"
_FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Proof</title><link>http://proof.invalid/</link>
<item><title>The harbour at night</title><link>http://proof.invalid/harbour</link></item></channel></rss>"""
_WORDS = (
    "The harbour at night is a quiet place, and the last ferry leaves it soon after eight.",
    "Those who miss that ferry walk home along the sea wall, which takes about an hour.",
    "The council has promised a later one for years, and says that next winter it will come.",
)
_PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>The harbour at night</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>The harbour at night</h1><p>Published on 3 March 2024</p>{"".join(f"<p>{words}</p>" for words in _WORDS)}</article>
<footer>All rights reserved</footer></body></html>""".encode()  # noqa: E501 - as pages are


def read_feed(task: ReadFeed) -> FeedRead:
    """Read a feed; where it is a web page, find the feeds that it names."""
    stored = task.stored()
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


def read_comment_feed(task: ReadCommentFeed) -> CommentFeedRead:
    """Read the comments of a feed; one that is no feed has none."""
    stored = task.stored()
    try:
        feed = parse_feed(stored.content, url=task.url, content_type=stored.content_type)
    except FeedParseError as error:
        return CommentFeedRead(problem=str(error))
    return CommentFeedRead(found=tuple(comments_of_feed(feed)))


def prove(method: str | None) -> None:
    """Read what can be read; raises what keeps this worker from it."""
    feed = parse_feed(_FEED, url=_URL, content_type="application/rss+xml")
    if [entry.title for entry in feed.entries] != ["The harbour at night"]:
        raise RuntimeError("a known feed does not show its entry")
    if method is not None:
        # What another package raises is for it to answer for: the proof is that ours can read.
        _prove_pages(method if method in OURS else DEFAULT)


def _prove_pages(method: str) -> None:
    said = Announcement(title="The harbour at night", summary=_WORDS[0])
    page = RawPage(
        id="<proof>", url=f"{_URL}harbour", body=_PAGE, content_type="text/html", announcement=said
    )
    (found,) = extract_group([page], method).results
    # Those of the papers may see this otherwise: that they give an answer is enough.
    if not isinstance(found, Article) and method == DEFAULT:
        raise RuntimeError(f"a known page shows no article: {found.reason}")
