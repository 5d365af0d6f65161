"""The tables of entries, the pages behind them, and the articles on these."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    text,
)

from archiver.feeds.model import FeedEntry
from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText
from archiver.warc.records import Capture

articles = Table(
    "articles",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", PlainText, nullable=False, unique=True),
    Column("url", PlainText, nullable=False),
    Column("first_seen", Instant, nullable=False),
    Column("last_captured", Instant, nullable=False),
    Column("version", Integer, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("captured", Instant, nullable=False),
    Column("digest", PlainText, nullable=False),
    Column("title_digest", PlainText, nullable=False),
    Column("text_digest", PlainText, nullable=False),
    Column("method", String(24), nullable=False),
    Column("capture", Json(Capture), nullable=False),
    Column("object_file", PlainText, nullable=False),
    Column("object_offset", BigInteger, nullable=False),
    # Who read it last, and with which wrapper: digests made by others cannot be compared with these.
    Column("extractor", String(40)),
    Column("wrapper", PlainText),
)

# What entries link to: fetched once, whoever announces it.
pages = Table(
    "pages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", PlainText, nullable=False, unique=True),
    Column("url", PlainText, nullable=False),
    Column("host", PlainText, nullable=False),
    Column("state", String(10), nullable=False),  # pending, captured, settled
    Column("next_try", Instant, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("failure", PlainText),
    Column("capture", Json(Capture)),
    Column("article_id", Id, ForeignKey("articles.id")),
    # Of the last capture: when, how many bytes, and the channel whose pages it is read with; 0: nobody waits.
    Column("captured", Instant),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("channel_id", BigInteger, nullable=False, server_default="0"),
    Index("pages_article", "article_id"),
    Index(
        "pages_pending",
        "next_try",
        sqlite_where=text("state = 'pending'"),
        postgresql_where=text("state = 'pending'"),
    ),
    Index(
        "pages_captured",
        "channel_id",
        "id",
        "captured",
        "size",
        sqlite_where=text("state = 'captured'"),
        postgresql_where=text("state = 'captured'"),
    ),
)

entries = Table(
    "entries",
    metadata,
    Column("id", Id, primary_key=True),
    Column("channel_id", Id, ForeignKey("channels.id"), nullable=False),
    Column("key", PlainText, nullable=False),  # the entry's id, or its link's key where it has none
    Column("link_key", PlainText),
    Column("page_id", Id, ForeignKey("pages.id")),
    Column("entry", Json(FeedEntry), nullable=False),
    Column("digest", PlainText, nullable=False),
    Column("first_seen", Instant, nullable=False),
    # When the entry was seen to have changed: only a later capture answers it. Null: any capture does.
    Column("changed", Instant),
    Column("feed_capture", Json(Capture)),
    Column("found_by", String(10)),  # null: in the feed; else by which way of filling a gap
    Column("pending", Boolean, nullable=False),
    Column("outcome", String(12)),
    Column("settled", Instant),
    UniqueConstraint("channel_id", "key"),
    Index("entries_link", "channel_id", "link_key"),
    Index("entries_page", "page_id"),
    Index("entries_channel", "channel_id", "id"),
    Index(
        "entries_pending",
        "channel_id",
        sqlite_where=text("pending = 1"),
        postgresql_where=text("pending"),
    ),
)

# What pages need to be shown, and the home pages of channels.
requisites = Table(
    "requisites",
    metadata,
    Column("id", Id, primary_key=True),
    Column("url", PlainText, nullable=False, unique=True),
    Column("host", PlainText, nullable=False),
    Column("kind", String(10), nullable=False),  # style, image, font, script, home, …
    Column("via", PlainText, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("state", String(10), nullable=False),  # pending, settled
    Column("next_try", Instant, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("outcome", String(12)),
    Column("fetched", Instant),
    Index(
        "requisites_pending",
        "next_try",
        sqlite_where=text("state = 'pending'"),
        postgresql_where=text("state = 'pending'"),
    ),
)
