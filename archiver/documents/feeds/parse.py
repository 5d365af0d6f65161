"""Feeds: bytes in, what they say out, whatever the dialect."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.documents.feeds.decoding import decode
from archiver.documents.feeds.jsonfeed import read_json_feed
from archiver.documents.feeds.rss_atom import read_feed
from archiver.documents.feeds.wikis import with_changed_pages
from archiver.documents.feeds.xml_document import open_document
from archiver.errors import FeedParseError

if TYPE_CHECKING:
    from archiver.documents.feeds.model import ParsedFeed

MAX_FEED_BYTES = 16 * 1024 * 1024

_BINARY = (
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
)
# Any of these in a media type promises a feed.
_FEED_TYPES = ("xml", "rss", "atom", "rdf", "json")


def parse_feed(body: bytes, *, url: str, content_type: str | None = None) -> ParsedFeed:
    """Read RSS, Atom or JSON Feed. Raises FeedParseError, and nothing else, if the document is none of them.

    `url` is where the document came from: relative links start there.
    """
    _refuse_what_is_no_text(body)
    decoded = decode(body, content_type)
    text = decoded.text.strip("\ufeff\x00 \t\r\n")
    if not text:
        raise FeedParseError("empty document")
    feed = read_json_feed(text, url=url) if text[0] in "{[" else read_feed(open_document(text), url=url)
    problems = (_media_type_problem(content_type), decoded.problem, *feed.problems)
    return replace(with_changed_pages(feed, url), problems=tuple(problem for problem in problems if problem))


def _refuse_what_is_no_text(body: bytes) -> None:
    if len(body) > MAX_FEED_BYTES:
        raise FeedParseError(f"over {MAX_FEED_BYTES} bytes")
    for magic, kind in _BINARY:
        if body.startswith(magic):
            raise FeedParseError(f"{kind}, not a feed")


def _media_type_problem(content_type: str | None) -> str | None:
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if not media_type or any(part in media_type for part in _FEED_TYPES):
        return None
    return f"served as {media_type}"
