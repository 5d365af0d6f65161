"""The table of WARC files that other programs made."""

from __future__ import annotations

from sqlalchemy import Column, Integer, String, Table

from archiver.store.schema.base import metadata
from archiver.store.types import Instant, PlainText

# A row for each file that `scrapy import` took in.
imports = Table(
    "imports",
    metadata,
    Column("file", PlainText, primary_key=True),  # its name in the archive
    Column("source", PlainText, nullable=False),  # what it was called before
    Column("added", Instant, nullable=False),
    Column("state", String(10), nullable=False),  # unread, partly, read
    Column("pages", Integer, nullable=False, server_default="0"),  # that were read of it
)
