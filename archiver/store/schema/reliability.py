"""The tables of how far others can be trusted: sources of labels, dates and validators."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, String, Table

from archiver.store.schema.base import Id, metadata
from archiver.store.types import Instant, Json, PlainText

# What was seen of each source of labels, by the scope of its pages.
source_reliability = Table(
    "source_reliability",
    metadata,
    Column("source", String(12), primary_key=True),
    Column("scope", Id, primary_key=True, autoincrement=False),
    Column("sound", Float, nullable=False),
    Column("broken", Float, nullable=False),
    Column("right", Float, nullable=False),
    Column("wrong", Float, nullable=False),
    Column("updated", Instant, nullable=False),
)

# What came of dates that each source gives.
date_verdicts = Table(
    "date_verdicts",
    metadata,
    Column("what", String(10), primary_key=True),
    Column("source", String(12), primary_key=True),
    Column("scope", Id, primary_key=True, autoincrement=False),
    Column("host", PlainText, primary_key=True),
    Column("agreed", Integer, nullable=False),
    Column("contradicted", Integer, nullable=False),
    Column("moved", Integer, nullable=False),
    Column("stood", Integer, nullable=False),
)

# What was seen of the validators of each host, and until when they are not sent.
host_validators = Table(
    "host_validators",
    metadata,
    Column("host", PlainText, primary_key=True),
    Column("validator", String(14), primary_key=True),
    Column("agreed", Integer, nullable=False),
    Column("moved", Integer, nullable=False),
    Column("noise", Integer, nullable=False),
    Column("stood", Integer, nullable=False),
    Column("hid", Integer, nullable=False),
    Column("not_modified", Integer, nullable=False),
    Column("unchecked", Integer, nullable=False),
    Column("checks", Integer, nullable=False),
    Column("lies", Integer, nullable=False),
    Column("last_lie", Instant),
    Column("unsent_until", Instant),
)

# What a host names itself: the Server header, and the generator of its pages.
host_software = Table(
    "host_software",
    metadata,
    Column("host", PlainText, primary_key=True),
    Column("server", String(40), nullable=False),
    Column("generator", String(40), nullable=False),
)

# What came with the last whole answer for a page, to be held against the next one.
page_looks = Table(
    "page_looks",
    metadata,
    Column("page_id", Id, primary_key=True, autoincrement=False),
    Column("capture_id", String(45), nullable=False),  # of that answer
    Column("etag", PlainText),
    Column("last_modified", PlainText),
    Column("vouched", Integer, nullable=False),  # answers of 304 since
    Column("dates", Json(dict[str, str]), nullable=False),  # of the last change, by source
)
