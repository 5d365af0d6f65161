"""What all tables share, and those of the archive as a whole."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, text

from archiver.store.types import Instant, Json, PlainText
from archiver.warc.records import Capture

metadata = MetaData()
# SQLite only counts up by itself with its own INTEGER type.
Id = BigInteger().with_variant(Integer(), "sqlite")


def index_where(name: str, *columns: str, where: str, elsewhere: str | None = None) -> Index:
    """An index of some rows only; `elsewhere` is how PostgreSQL writes the condition, if otherwise."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(elsewhere or where))


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

# When runs began and ended, by the machine's clock; `doubted`: when that clock was found to have been ahead.
runs = Table(
    "runs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("started", Instant, nullable=False),
    Column("ended", Instant),
    Column("doubted", Instant),
)

# How long each objects file was when its last line was settled.
object_files = Table(
    "object_files",
    metadata,
    Column("file", PlainText, primary_key=True),
    Column("length", BigInteger, nullable=False),
)
