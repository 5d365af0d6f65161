"""The tables of field wrappers: what they gave on each day, on which pages, and which no longer work."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Table

from archiver.archive.warc.records import Capture
from archiver.fields.drift import FieldWatch
from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText

# Each text of a wrapper that was used. The files are the truth of what is in them.
field_wrappers = Table(
    "field_wrappers",
    metadata,
    Column("wrapper", String(80), primary_key=True),
    Column("digest", String(16), primary_key=True),
    Column("first_used", Instant, nullable=False),
    Column("last_used", Instant, nullable=False),
    Column("pages", Integer, nullable=False, server_default="0"),
    # How often a page could only be read without it; it is not used from when it is suspended on.
    Column("stops", Integer, nullable=False, server_default="0"),
    Column("suspended", Instant),
    Column("why", PlainText),
)

field_days = Table(
    "field_days",
    metadata,
    Column("wrapper", String(80), primary_key=True),
    Column("digest", String(16), primary_key=True),
    Column("field", String(80), primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),  # since 1970, in UTC
    Column("pages", Integer, nullable=False),
    Column("filled", Integer, nullable=False),
    Column("mistyped", Integer, nullable=False),  # had a text that does not read as the field's type
    Index("field_days_day", "wrapper", "day"),
)

# What is expected of a field, and since when it fails.
field_watches = Table(
    "field_watches",
    metadata,
    Column("wrapper", String(80), primary_key=True),
    Column("field", String(80), primary_key=True),
    Column("digest", String(16), nullable=False),
    Column("watch", Json(FieldWatch), nullable=False),
    Column("failing", Instant),
)

# The pages that a wrapper read last, as many as repairs and tests look at.
field_pages = Table(
    "field_pages",
    metadata,
    Column("wrapper", String(80), primary_key=True),
    Column("page_id", Id, primary_key=True, autoincrement=False),
    Column("url", PlainText, nullable=False),
    Column("capture", Json(Capture), nullable=False),
    Column("seen", Instant, nullable=False),
    Column("missing", Json(tuple[str, ...]), nullable=False),  # fields without a value
    Index("field_pages_seen", "wrapper", "seen"),
)
