"""What the state store knows of object lines, for those who only read."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sqlalchemy import inspect, select

from archiver.store.lines import KnownLine, known_lines
from archiver.store.object_files import object_lengths
from archiver.store.schema import articles, contributions, posts, versions
from archiver.store.soundness import flaws
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Table

# Rows that are asked for at a time.
_AT_ONCE = 1000


class StoredLines:
    """What the state store knows of object lines, for those who only read."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # First of all: what is written meanwhile is left to the next time.
        self.lengths = object_lengths(connection)

    def all(self) -> Iterator[KnownLine]:
        """The lines that were settled when this was asked for, file by file."""
        others = (_lines_of(self._connection, table) for table in (contributions, posts))
        found = chain(known_lines(self._connection), *others)
        return (line for line in found if line.offset < self.lengths.get(line.file, 0))

    def name(self, file: str, offset: int) -> str:
        return name_of_line(self._connection, file, offset)

    def lengths_now(self) -> dict[str, int]:
        """How far each file is settled by now."""
        # On PostgreSQL, one connection sees one state of things for as long as it is read.
        with self._connection.engine.connect() as fresh:
            return object_lengths(fresh)

    def flaws(self) -> list[str]:
        return flaws(self._connection)


def _lines_of(connection: Connection, table: Table) -> Iterator[KnownLine]:
    if not inspect(connection).has_table(table.name):
        return  # of an older archiver
    query = select(table).order_by(table.c.object_file, table.c.object_offset)
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        yield KnownLine(
            key=(0, row.version),
            file=row.object_file,
            offset=row.object_offset,
            id=row.name if table is posts else row.id,
            words="",
            digest=row.object_digest,
        )


def name_of_line(connection: Connection, file: str, offset: int) -> str:
    """Which version it is whose line is at this place, in words."""
    query = select(versions.c.version, articles.c.url).join(articles, articles.c.id == versions.c.article_id)
    row = connection.execute(
        query.where(versions.c.object_file == file, versions.c.object_offset == offset)
    ).first()
    return (
        f"version {row.version} of {redact(row.url)}" if row else _name_of_another(connection, file, offset)
    )


def _name_of_another(connection: Connection, file: str, offset: int) -> str:
    for table in (contributions, posts):
        if inspect(connection).has_table(table.name):
            row = connection.execute(select(table).filter_by(object_file=file, object_offset=offset)).first()
            if row is not None:
                told = f"post {row.name}" if table is posts else f"{row.kind} {row.key}"
                return f"version {row.version} of the {redact(told)}"
    return "a version"
