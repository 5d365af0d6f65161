"""The table of contributions to pages: comments, posts, revisions."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table

from archiver.acquisition.pages import PageValidators
from archiver.archive.warc.records import Capture
from archiver.documents.contributions import ReadBy
from archiver.store.schema.base import Id, index_where, metadata
from archiver.store.types import Instant, Json, PlainText

# A row for each version; the last one is the contribution as it is.
contributions = Table(
    "contributions",
    metadata,
    Column("id", String(24), primary_key=True),  # of the object
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("article", String(24), nullable=False),  # the id of the article's objects, made from the page key
    Column("kind", String(10), nullable=False),  # comment, post, revision
    Column("key", PlainText, nullable=False),  # on its page
    Column("author", PlainText),
    # Of its text, for each way in which it was read.
    Column("digests", Json(dict[ReadBy, str]), nullable=False),
    Column("first_seen", Instant, nullable=False),  # the same in all versions
    Column("captured", Instant, nullable=False),
    # When this version was seen last, by the dates of captures, and in which document; then, when that
    # document was seen without it.
    Column("last_seen", Instant, nullable=False),
    Column("shown_at", PlainText, nullable=False),
    Column("gone", Instant),
    Column("object_file", PlainText, nullable=False),
    Column("object_offset", BigInteger, nullable=False),
    Column("object_digest", String(64), nullable=False),
    Index("contributions_article", "article"),
    Index("contributions_object", "object_file", "object_offset"),
)

# The feeds of the comments of articles, by the pages that these were read from.
comment_feeds = Table(
    "comment_feeds",
    metadata,
    Column("page_id", Id, ForeignKey("pages.id"), primary_key=True, autoincrement=False),
    Column("url", PlainText, nullable=False),
    Column("host", PlainText, nullable=False),
    Column("key", PlainText, nullable=False),  # of the article
    Column("page_url", PlainText, nullable=False),
    Column("due", Instant),  # since the article was looked at; null: it was asked for since
    Column("validators", Json(PageValidators)),
    Column("capture", Json(Capture)),  # of what the validators came with
    index_where("comment_feeds_due", "due", where="due IS NOT NULL"),
)
