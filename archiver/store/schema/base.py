"""What all tables share, and those of the archive as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex

from archiver.archive.warc.records import Capture
from archiver.store.types import Instant, Json, PlainText

if TYPE_CHECKING:
    from sqlalchemy.sql.compiler import DDLCompiler

metadata = MetaData()
# SQLite only counts up by itself with its own INTEGER type.
Id = BigInteger().with_variant(Integer(), "sqlite")


def index_where(name: str, *columns: str, where: str, elsewhere: str | None = None) -> Index:
    """An index of some rows only; `elsewhere` is how PostgreSQL writes the condition, if otherwise."""
    # Not as `postgresql_where`, for which SQLAlchemy would load its PostgreSQL dialect, whatever is used.
    return Index(name, *columns, sqlite_where=text(where), info={_ELSEWHERE: elsewhere or where})


_ELSEWHERE = "where on PostgreSQL"


@compiles(CreateIndex, "postgresql")
def _with_its_condition(create: CreateIndex, compiler: DDLCompiler, **options: Any) -> str:  # noqa: ANN401 - SQLAlchemy's
    index: Index = create.element
    if _ELSEWHERE in index.info:
        index.dialect_options["postgresql"]["where"] = text(index.info[_ELSEWHERE])
    return str(compiler.visit_create_index(create, **options))  # type: ignore[no-untyped-call] # SQLAlchemy's


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
