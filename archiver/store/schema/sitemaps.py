"""The tables of sitemaps: which hosts are asked for theirs, and what these say of pages that are known."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from archiver.acquisition.rechecks.sitemaps import SitemapPlan
from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText

# Hosts with many articles under watch, by the schedule's clock.
sitemaps = Table(
    "sitemaps",
    metadata,
    Column("id", Id, primary_key=True),
    Column("host", PlainText, nullable=False, unique=True),
    Column("origin", PlainText, nullable=False),  # the address of its front page
    Column("watched", Integer, nullable=False),  # articles under watch, when they were last counted
    Column("next_ask", Instant, nullable=False),
    Column("begun", Instant),  # the round of sitemaps that was asked for last
    Column("plan", Json(SitemapPlan), nullable=False),
    # In a row: edits that were told of, and changes that were none.
    Column("told_true", Integer, nullable=False, server_default="0"),
    Column("false_alarms", Integer, nullable=False, server_default="0"),
    Column("lie", PlainText),  # why they were last ignored
    Index("sitemaps_due", "next_ask"),
)

# What a sitemap says of a page.
lastmods = Table(
    "lastmods",
    metadata,
    Column("page_id", Id, ForeignKey("pages.id"), primary_key=True, autoincrement=False),
    Column("host", PlainText, nullable=False),
    Column("file", String(24), nullable=False),  # a digest of the sitemap's address
    Column("lastmod", Instant, nullable=False),
    Column("told", Instant, nullable=False),  # when the sitemap last said so
    # Moved, and not looked at since; and when it would have been looked at otherwise.
    Column("moved", Instant),
    Column("due_before", Instant),
    Column("untold", Instant),  # when an edit was found of which the sitemap had said nothing by then
    Index("lastmods_file", "file"),
    Index("lastmods_host", "host"),
)
