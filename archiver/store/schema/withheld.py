"""The tables of what is withheld, and of what readers asked for and was done."""

from __future__ import annotations

from sqlalchemy import Column, Index, String, Table

from archiver.archive.withheld import WithheldPattern
from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText

# By the machine's clock. A row whose order was lifted stays, to tell what was withheld when, and why.
withheld = Table(
    "withheld",
    metadata,
    Column("id", Id, primary_key=True),
    Column("pattern", Json(WithheldPattern), nullable=False),
    Column("name", PlainText, nullable=False),  # the first key of the pattern, by which it is lifted
    Column("reason", PlainText, nullable=False),
    Column("since", Instant, nullable=False),
    Column("lifted", Instant),
    Column("lift_reason", PlainText),
    Column("article_id", Id),  # that the URL leads to, where it is known
    Index("withheld_name", "name"),
)

# What was left in the inbox and is part of this store: never done twice.
taken_requests = Table(
    "taken_requests",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("kind", String(24), nullable=False),
    Column("taken", Instant, nullable=False),
)
