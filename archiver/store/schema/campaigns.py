"""The tables of campaigns: definitions, the queue of each, and how relevant the pages are that it fetched."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
)

from archiver.acquisition.campaigns.signals import Signals
from archiver.archive.warc.records import Capture
from archiver.store.schema.base import Id, index_where, metadata
from archiver.store.types import Instant, Json, PlainText

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("state", String(10), nullable=False),  # running, stopped, spent, ended
    Column("file", PlainText, nullable=False),  # that it was read from
    Column("revision", Integer, nullable=False),
    Column("began", Instant, nullable=False),
    Column("ended", Instant),  # since when it does not run
    Column("requests", Integer, nullable=False, server_default="0"),
    Column("bytes", BigInteger, nullable=False, server_default="0"),
    # What it had spent when the run began that spends now, and when that was: the rest is in WARC.
    Column("requests_before", Integer, nullable=False, server_default="0"),
    Column("bytes_before", BigInteger, nullable=False, server_default="0"),
    Column("run_began", Instant),
    Column("curve", Json(tuple[tuple[int, float], ...])),  # requests, and the sum of relevances
)

definitions = Table(
    "definitions",
    metadata,
    Column("campaign_id", Id, ForeignKey("campaigns.id"), primary_key=True, autoincrement=False),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("read", Instant, nullable=False),
    Column("text", PlainText, nullable=False),
    Column("digest", String(80), nullable=False),
    Column("seeds", Json(tuple[str, ...]), nullable=False),  # also those of files that it names
    Column("narrower", Json(tuple[str, ...]), nullable=False),
)

# Addresses that may be fetched, and those that were.
candidates = Table(
    "candidates",
    metadata,
    Column("id", Id, primary_key=True),
    Column("campaign_id", Id, ForeignKey("campaigns.id"), nullable=False),
    Column("key", PlainText, nullable=False),
    Column("url", PlainText, nullable=False),
    Column("host", PlainText, nullable=False),
    Column("state", String(8), nullable=False),  # waiting, done, failed, dropped
    Column("rank", Integer, nullable=False),  # 1000 less its score in thousandths: the best has the least
    Column("band", Integer, nullable=False),  # of its score, for exploring
    Column("dice", Integer, nullable=False),  # a number by chance: what is explored is drawn by it
    Column("evidence", LargeBinary, nullable=False),
    Column("revision", Integer, nullable=False),  # of the definition that it was scored by
    Column("found", Instant, nullable=False),
    Column("found_by", String(10), nullable=False),  # seed, example, link, api
    Column("next_try", Instant, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("chosen_by", String(10)),  # best, explore, seed
    Column("outcome", String(16)),
    UniqueConstraint("campaign_id", "key"),
    index_where("candidates_best", "campaign_id", "rank", "id", where="state = 'waiting'"),
    index_where("candidates_host", "campaign_id", "host", "rank", "id", where="state = 'waiting'"),
    index_where("candidates_dice", "campaign_id", "band", "dice", where="state = 'waiting'"),
    Index("candidates_state", "campaign_id", "state", "revision"),
)

# A few of the pages that lead to a candidate, and where on each the link stands among the others.
inlinks = Table(
    "inlinks",
    metadata,
    Column("candidate_id", Id, primary_key=True, autoincrement=False),
    Column("page_id", Id, primary_key=True, autoincrement=False),  # the candidate that was fetched
    Column("place", Integer, nullable=False),
    Column("anchor", PlainText, nullable=False),
    Index("inlinks_page", "page_id", "place"),
)

# How relevant the pages are that were fetched.
relevances = Table(
    "relevances",
    metadata,
    Column("candidate_id", Id, ForeignKey("candidates.id"), primary_key=True, autoincrement=False),
    Column("campaign_id", Id, nullable=False),
    Column("url", PlainText, nullable=False),
    Column("title", PlainText, nullable=False),
    Column("score", Float, nullable=False),
    Column("signals", Json(Signals), nullable=False),
    Column("capture", Json(Capture), nullable=False),
    Column("words", LargeBinary, nullable=False),  # how often it says which, for whatever is learned later
    Column("language", String(12)),
    Column("same_as", Id),  # the candidate whose page says the same, where one did before
    Column("digest", String(24), nullable=False),
    Column("judged", Integer),  # 1: a person says that it is relevant; 0: that it is not
    Column("revision", Integer, nullable=False),
    Column("seen", Instant, nullable=False),
    Index("relevances_score", "campaign_id", "score"),
    Index("relevances_seen", "campaign_id", "seen"),
    Index("relevances_digest", "campaign_id", "digest"),
)

# What a campaign got of each host, and how much it may ask of it.
host_yields = Table(
    "host_yields",
    metadata,
    Column("campaign_id", Id, primary_key=True, autoincrement=False),
    Column("host", PlainText, primary_key=True),
    Column("head", Integer, nullable=False),  # the rank of the best that waits, or a better one
    Column("fetched", Integer, nullable=False, server_default="0"),
    Column("relevance", Float, nullable=False, server_default="0"),  # summed up
    Column("fresh", Integer, nullable=False, server_default="0"),  # pages that said something new
    Column("failed", Integer, nullable=False, server_default="0"),
    Column("quota", Integer, nullable=False),
    Index("host_yields_head", "campaign_id", "head"),
)

# Feeds that relevant pages name.
campaign_feeds = Table(
    "campaign_feeds",
    metadata,
    Column("campaign_id", Id, primary_key=True, autoincrement=False),
    Column("url", PlainText, primary_key=True),
    Column("host", PlainText, nullable=False),
    Column("title", PlainText, nullable=False),
    Column("found", Instant, nullable=False),
)
