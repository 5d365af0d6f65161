"""What all tables share, and those of the archive as a whole."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table

from archiver.store.types import Json, PlainText
from archiver.warc.records import Capture

metadata = MetaData()
# SQLite only counts up by itself with its own INTEGER type.
Id = BigInteger().with_variant(Integer(), "sqlite")

schema_version = Table(
    "schema_version",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
)

# Payloads that were kept, so that the same bytes are not kept again.
payloads = Table(
    "payloads",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("capture", Json(Capture), nullable=False),
)

# How long each objects file was when its last line was settled.
object_files = Table(
    "object_files",
    metadata,
    Column("file", PlainText, primary_key=True),
    Column("length", BigInteger, nullable=False),
)
