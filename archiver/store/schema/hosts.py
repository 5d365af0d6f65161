"""The table of hosts that want to be left in peace for long."""

from __future__ import annotations

from sqlalchemy import Column, Float, Table

from archiver.store.schema.base import metadata
from archiver.store.types import Instant, PlainText

# By the machine's clock; rows of rests that are over are deleted.
host_rests = Table(
    "host_rests",
    metadata,
    Column("host", PlainText, primary_key=True),
    Column("asked", Instant, nullable=False),  # when it answered last
    Column("delay", Float, nullable=False),  # seconds between two requests
)
