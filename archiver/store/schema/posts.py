"""The tables of posts, and of what is asked of APIs."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, UniqueConstraint

from archiver.documents.apis.model import ApiQuery, Cursor
from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText

# A row for each version; the last one is the post as it is.
posts = Table(
    "posts",
    metadata,
    Column("id", String(24), primary_key=True),  # a digest of the network's own
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", PlainText, nullable=False),  # the network's own id
    Column("thread", String(24)),  # the id of what the conversation began with
    Column("author", PlainText),
    # Of its text, for each server that shows it.
    Column("digests", Json(dict[str, str]), nullable=False),
    Column("first_seen", Instant, nullable=False),  # the same in all versions
    Column("captured", Instant, nullable=False),
    # When this version was seen last, by the dates of captures; then, when an answer said that it is gone.
    Column("last_seen", Instant, nullable=False),
    Column("gone", Instant),
    Column("object_file", PlainText, nullable=False),
    Column("object_offset", BigInteger, nullable=False),
    Column("object_digest", String(64), nullable=False),
    Index("posts_thread", "thread"),
    Index("posts_object", "object_file", "object_offset"),
)

# What is followed: a tag, an account, a search. The state store is the queue: what is due has `next_ask`.
api_sources = Table(
    "api_sources",
    metadata,
    Column("id", Id, primary_key=True),
    Column("campaign", String(60), nullable=False),
    Column("key", PlainText, nullable=False),  # of the query
    Column("query", Json(ApiQuery), nullable=False),
    Column("host", PlainText, nullable=False),  # that is asked next
    Column("cursor", Json(Cursor), nullable=False),
    Column("next_ask", Instant),  # null: no file names it any more
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("outcome", String(16), nullable=False, server_default=""),
    Column("why", PlainText),
    Column("asks", Integer, nullable=False, server_default="0"),
    Column("posts", Integer, nullable=False, server_default="0"),  # that it showed first
    UniqueConstraint("campaign", "key"),
    Index("api_sources_due", "next_ask"),
)

# Which posts each of them has shown: what is new to one may be known from another.
api_posts = Table(
    "api_posts",
    metadata,
    Column("source_id", Id, ForeignKey("api_sources.id"), primary_key=True, autoincrement=False),
    Column("post_id", String(24), primary_key=True),
)
