"""The tables of channels: what is polled, when, and what was learned of it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    false,
)

from archiver.acquisition.channels.polling.wishes import Wishes
from archiver.archive.warc.records import Capture
from archiver.articles.model import Wrapper
from archiver.documents.feeds.model import FeedHints
from archiver.documents.lists.model import Plan
from archiver.store.schema.base import Id, index_where, metadata
from archiver.store.types import Instant, Json, PlainText

# A feed that we poll, or a site on which feeds are looked for.
channels = Table(
    "channels",
    metadata,
    Column("id", Id, primary_key=True),
    Column("seed_url", PlainText, nullable=False, unique=True),  # how seeds call it
    Column("url", PlainText, nullable=False),  # where it is now, after permanent redirects
    Column("host", PlainText, nullable=False, server_default=""),
    Column("kind", String(8), nullable=False),  # unknown, feed, site
    Column("site_id", Id, ForeignKey("channels.id")),  # the site that this feed was discovered on
    Column("status", String(10), nullable=False),  # active, paused, retired, unlisted, merged
    Column("labels", Json(tuple[str, ...]), nullable=False),
    Column("every", Float),  # seconds, where the seed pins them
    Column("added", Instant, nullable=False),
    Column("next_poll", Instant, nullable=False),
    Column("why", PlainText),  # why the next poll is then, in words
    Column("not_before", Instant),  # until when its server asked to be left alone (Retry-After)
    Column("title", PlainText),
    Column("link", PlainText),
    Column("language", PlainText),
    Column("format", String(10)),
    Column("last_poll", Instant),
    Column("last_success", Instant),
    Column("outcome", String(24)),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("failing_since", Instant),  # the first of these failures, by the schedule's clock
    Column("cause", String(16)),  # a digest of the settings that the last failure may come from
    Column("moved_to", PlainText),  # seen once behind a permanent redirect; taken over when seen again
    Column("wishes", Json(Wishes)),  # what its publisher asks of those who poll
    # What the feed says of itself, and short names of the entries that it shows: how a twin is known.
    Column("identity", String(24)),
    Column("shown", Json(tuple[str, ...])),
    Column("merged_into", Id, ForeignKey("channels.id")),
    Column("apart", Boolean, nullable=False, server_default=false()),  # never to be merged, by hand
    Column("polls", Integer, nullable=False, server_default="0"),
    Column("entries", Integer, nullable=False, server_default="0"),
    Column("hints", Json(FeedHints)),  # of the last whole document; null: an older archiver read it
    Column("rhythm", LargeBinary),  # how it publishes, see acquisition/channels/polling/rhythm.py
    Column("overdue", Float, nullable=False, server_default="0"),  # entries expected since the last one
    Column("curve", LargeBinary),  # how its articles change, see acquisition/rechecks/curve.py
    Column("last_gap", Instant),  # when entries were last found to be missing, by the schedule's clock
    # The order in which they are handed out; the host and the site, by which some are passed over.
    Index("channels_due", "status", "next_poll", "id", "host", "site_id"),
    Index("channels_identity", "identity"),
    Index("channels_merged", "merged_into"),
)

# Addresses that channels moved to: a seed that names one means that channel.
addresses = Table(
    "addresses",
    metadata,
    Column("url", PlainText, primary_key=True),
    Column("channel_id", Id, ForeignKey("channels.id"), nullable=False),
)

# What a poll costs at present, steered to the budget: one row.
poll_prices = Table(
    "poll_prices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("budget", Float, nullable=False),
    Column("price", Float, nullable=False),
    Column("since", Instant, nullable=False),  # polls are counted from here on
    Column("polls", Integer, nullable=False),
    Column("before", Float, nullable=False),  # those of about the day before, and how long that was
    Column("days", Float, nullable=False),
)

# How articles of all channels change, and what a recheck costs at present: one row.
recheck_prices = Table(
    "recheck_prices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("share", Float, nullable=False),
    Column("price", Float, nullable=False),
    Column("since", Instant, nullable=False),  # requests are counted from here on
    Column("rechecks", Integer, nullable=False),
    Column("others", Integer, nullable=False),
    Column("rechecks_before", Float, nullable=False),  # those of about the day before
    Column("others_before", Float, nullable=False),
    Column("curve", LargeBinary),
    Column("watched_counted", Instant),  # when the articles of each host were last counted
)

# Which seeds file names which channel.
listings = Table(
    "listings",
    metadata,
    Column("channel_id", Id, ForeignKey("channels.id"), primary_key=True),
    Column("source", PlainText, primary_key=True),
    Index("listings_source", "source"),
)

# Lines of seeds files that were told to be bad: told once, until they change.
told_lines = Table(
    "told_lines",
    metadata,
    Column("source", PlainText, primary_key=True),
    Column("digest", String(32), primary_key=True),
    Column("told", Instant, nullable=False),
)

# What was agreed on with hubs that tell us when a feed changed.
subscriptions = Table(
    "subscriptions",
    metadata,
    Column("channel_id", Id, ForeignKey("channels.id"), primary_key=True, autoincrement=False),
    Column("hub", PlainText, nullable=False),
    Column("topic", PlainText, nullable=False),
    Column("path", String(64), nullable=False, unique=True),
    Column("secret", String(64), nullable=False),
    Column("state", String(10), nullable=False),  # wanted, asked, active, denied, leaving
    Column("next_step", Instant, nullable=False),
    Column("expires", Instant),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("pinged", Instant),
    Column("trusted", Boolean, nullable=False, server_default=false()),
    Index("subscriptions_step", "next_step"),
)

# A redirect leads to another URL: each has validators of its own.
validators = Table(
    "validators",
    metadata,
    Column("channel_id", Id, ForeignKey("channels.id"), primary_key=True),
    Column("url", PlainText, primary_key=True),
    Column("etag", PlainText),
    Column("last_modified", PlainText),
    Column("capture", Json(Capture)),
)

# Where a feed's documents had nothing in common: what was published between them is asked for.
gaps = Table(
    "gaps",
    metadata,
    Column("id", Id, primary_key=True),
    Column("channel_id", Id, ForeignKey("channels.id"), nullable=False),
    Column("seen", Instant, nullable=False),
    Column(
        "after_entry", BigInteger, nullable=False
    ),  # the last entry known before: later ones have higher ids
    Column("after_key", PlainText, nullable=False),  # the newest entry known before
    Column("after", Instant),  # its date, or that of the poll before
    Column("floor", Instant),  # the date of the oldest entry in the document before
    Column("before_key", PlainText, nullable=False),  # the oldest entry of the document that showed the gap
    Column("before", Instant),
    Column("state", String(10), nullable=False),  # open, filled, partly, unfillable
    Column("how", PlainText, nullable=False),  # which ways gave entries; why nothing was asked
    Column("filled", Integer, nullable=False, server_default="0"),  # entries that were found
    Column("documents", Integer, nullable=False, server_default="0"),  # that were asked for
    Column("plan", Json(Plan), nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),  # of the document that is next
    Column("next_try", Instant, nullable=False),
    Column("ended", Instant),
    Index("gaps_channel", "channel_id", "id"),
    index_where("gaps_open", "next_try", where="state = 'open'"),
)

# What was learned of the templates of a scope's pages.
wrappers = Table(
    "wrappers",
    metadata,
    Column("scope_id", Id, primary_key=True, autoincrement=False),  # a channel, or below zero a row of scopes
    Column("id", PlainText, primary_key=True),
    Column("extractor", String(40), nullable=False),
    Column("wrapper", Json(Wrapper), nullable=False),
    Column("learned", Instant, nullable=False),
    Column("last_used", Instant),
    Column("pages", Integer, nullable=False, server_default="0"),  # that it served
    Column("outdated", Instant),  # when it no longer fitted what the site shows
    # Which scopes have some that fit, without reading what these are.
    Index("wrappers_times", "scope_id", "outdated", "learned"),
)
