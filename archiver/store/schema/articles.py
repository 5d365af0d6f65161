"""The tables of entries, the pages behind them, and the articles on these."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
)

from archiver.acquisition.pages import Missing, PageValidators
from archiver.acquisition.walks import Walk
from archiver.archive.warc.records import Capture
from archiver.articles.continuation.model import Further
from archiver.articles.versions.model import Spot
from archiver.documents.feeds.dates import Dating
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.pages.model import Announcement
from archiver.store.schema.base import Id, index_where, metadata
from archiver.store.types import Instant, Json, PlainText
from archiver.submissions import Submission

articles = Table(
    "articles",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", PlainText, nullable=False, unique=True),
    Column("url", PlainText, nullable=False),
    Column("first_seen", Instant, nullable=False),
    Column("last_captured", Instant, nullable=False),
    Column("version", Integer, nullable=False),
    Column("sketch", Json(tuple[int, ...])),  # of the last version
    Column("canonical", PlainText),  # the key of the address that it names as its own, where that is another
    Index("articles_canonical", "canonical"),
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
    Column("object_digest", String(64)),  # of the line; null: an older archiver wrote it
    # What read it last, and with which wrapper: digests made by others cannot be compared with these.
    Column("extractor", String(40)),
    Column("wrapper", PlainText),
    Column("siblings", Json(tuple[str, ...])),  # the captures that it was read with, where no wrapper served
    Column("links_digest", PlainText),
    Column("images_digest", PlainText),
    Column("title", PlainText),
    # What is different from the version before; null: an older archiver wrote it.
    Column("kinds", String(40)),
    Column("similarity", Float),
    Column("added", Integer, nullable=False, server_default="0"),  # words
    Column("removed", Integer, nullable=False, server_default="0"),
    # When the version before was last seen as it was: the change came between then and `captured`.
    Column("unchanged_until", Instant),
    Column("channel_id", BigInteger, nullable=False, server_default="0"),  # whose entry it was read with
    Column("published", Instant),
    Column("modified", Instant),
    Column("further", Json(Further)),  # the pages after the first, where it has several
    Index("versions_object", "object_file", "object_offset"),
    index_where("versions_changes", "captured", where="version > 1"),
    index_where("versions_channel", "channel_id", "captured", where="version > 1"),
)

# When an article was not there: it went between `after` and `gone`, and came back between the other two.
absences = Table(
    "absences",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("gone", Instant, primary_key=True),
    Column("after", Instant, nullable=False),
    Column("how", String(12), nullable=False),  # not_found, gone, front_page, soft_404, elsewhere
    Column("noted", Instant, nullable=False),  # when it was believed
    Column("back_after", Instant),
    Column("back", Instant),
    Index("absences_noted", "noted"),
    index_where("absences_back", "back", where="back IS NOT NULL"),
)

# By which articles that read nearly alike are found: values of their sketches.
sketches = Table(
    "sketches",
    metadata,
    Column("band", Integer, primary_key=True, autoincrement=False),
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Index("sketches_article", "article_id"),
)

# Articles at different addresses that are nearly the same: noted with the one that was found later.
twins = Table(
    "twins",
    metadata,
    Column("article_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("other_id", Id, ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("how", String(12), nullable=False),  # canonical, text
    Column("similarity", Float, nullable=False),
    Column("found", Instant, nullable=False),
    Index("twins_other", "other_id"),
)

# What entries link to: fetched once, however many announce it. Parts of a page that are articles of their own
# have rows of their own, which share its captures.
pages = Table(
    "pages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", PlainText, nullable=False, unique=True),
    Column("url", PlainText, nullable=False),
    Column("host", PlainText, nullable=False),
    Column("submission", Json(Submission)),  # what is sent to it; null: it is only asked for
    Column("state", String(10), nullable=False),  # pending, captured, rendering, settled
    Column("next_try", Instant, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("failure", PlainText),
    Column("capture", Json(Capture)),
    Column("article_id", Id, ForeignKey("articles.id")),
    # Of the last capture: when, how many bytes, and the scope whose pages it is read with; 0: nothing waits.
    Column("captured", Instant),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("scope_id", BigInteger, nullable=False, server_default="0"),
    # What makes the next request conditional.
    Column("validators", Json(PageValidators)),
    # How its article is watched, by the schedule's clock: since when there is one, the first look, the last
    # and the next; how often it was looked at again, and had changed.
    Column("born", Instant),
    Column("first_look", Instant),
    Column("looked", Instant),
    Column("recheck", Instant),
    Column("looks", Integer, nullable=False, server_default="0"),
    Column("edits", Integer, nullable=False, server_default="0"),
    Column("why", PlainText),  # why the next look is then, in words
    Column("missing", Json(Missing)),
    # At how many looks in a row it had changed, and what of it changes by itself.
    Column("streak", Integer, nullable=False, server_default="0"),
    Column("volatile", Json(tuple[Spot, ...])),
    Column("whole", PlainText),  # for a part of a page, that page's key
    Column("walk", Json(Walk)),  # where its article has several pages: how far a look has come
    Index("pages_article", "article_id"),
    index_where("pages_whole", "whole", where="whole IS NOT NULL"),
    index_where("pages_recheck", "recheck", where="state = 'settled' AND recheck IS NOT NULL"),
    index_where("pages_restless", "recheck", where="state = 'settled' AND streak >= 3"),
    index_where("pages_pending", "next_try", where="state = 'pending'"),
    index_where("pages_rendering", "next_try", where="state = 'rendering'"),
    index_where("pages_captured", "scope_id", "id", "captured", "size", where="state = 'captured'"),
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
    Column("dating", Json(Dating)),  # what the document that showed it says of its date
    Column("pending", Boolean, nullable=False),
    Column("outcome", String(12)),
    Column("settled", Instant),
    UniqueConstraint("channel_id", "key"),
    Index("entries_link", "channel_id", "link_key"),
    Index("entries_page", "page_id"),
    Index("entries_channel", "channel_id", "id"),
    index_where("entries_pending", "channel_id", where="pending = 1", elsewhere="pending"),
)

# Whose pages are read together, where that is not a channel: its number is its own scope. Numbers are below
# zero, so that both may stand in one column.
scopes = Table(
    "scopes",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("source", String(24), nullable=False),
    Column("name", PlainText, nullable=False),
    UniqueConstraint("source", "name"),
)

# What led to pages, where it was not an entry of a feed.
leads = Table(
    "leads",
    metadata,
    Column("id", Id, primary_key=True),
    Column("page_id", Id, ForeignKey("pages.id"), nullable=False),
    Column("scope_id", Id, ForeignKey("scopes.id"), nullable=False),
    Column("source", String(24), nullable=False),
    Column("via", PlainText, nullable=False),
    Column("said", Json(Announcement), nullable=False),  # of the page, there
    Column("first_seen", Instant, nullable=False),
    # When it asked again: only a later capture answers it. Null: any capture does.
    Column("changed", Instant),
    Column("capture", Json(Capture)),  # of the document that leads there
    Column("pending", Boolean, nullable=False),
    Column("outcome", String(12)),
    Column("settled", Instant),
    UniqueConstraint("scope_id", "page_id"),
    Index("leads_page", "page_id"),
    index_where("leads_pending", "scope_id", where="pending = 1", elsewhere="pending"),
)

# The spans for which feeds listed their entries, by the machine's clock: it came between `not_before` and
# `seen`, and went between `left_after` and `left`.
sightings = Table(
    "sightings",
    metadata,
    Column("id", Id, primary_key=True),
    Column("entry_id", Id, ForeignKey("entries.id"), nullable=False),
    Column("channel_id", Id, ForeignKey("channels.id"), nullable=False),
    Column("place", Integer, nullable=False),  # in the document that first showed it, from 0
    Column("not_before", Instant),  # null: it was not looked at before
    Column("seen", Instant, nullable=False),
    Column("left_after", Instant),
    Column("left", Instant),
    Index("sightings_entry", "entry_id"),
    Index("sightings_channel", "channel_id", "left", "seen"),
    Index("sightings_seen", "channel_id", "seen"),
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
    index_where("requisites_pending", "next_try", where="state = 'pending'"),
    # Styles are fetched before images, however many of these wait.
    index_where("requisites_due", "kind", "next_try", where="state = 'pending'"),
)
