"""Objects files as the state store knows them: how far each is settled, and how lines come to be."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.errors import ArchiveError
from archiver.store.schema import object_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import Growth, ObjectWriter


def object_lengths(connection: Connection) -> dict[str, int]:
    """How long each objects file was when its last line was settled; of all writers."""
    return {row.file: row.length for row in connection.execute(select(object_files))}


@contextmanager
def lines_settled(connection: Connection, objects: ObjectWriter) -> Iterator[None]:
    """Bring what is staged within to disk, and note it, in a transaction that is committed afterwards.

    A failure drops what was staged. What was written nevertheless is cut off by the next run; until then
    nothing can be settled behind it.
    """
    try:
        yield
        for grown in objects.flush():
            _settle(connection, grown)
    except BaseException:
        objects.close()
        raise


def _settle(connection: Connection, grown: Growth) -> None:
    mine = (object_files.c.file == grown.file) & (object_files.c.length == grown.start)
    if connection.execute(update(object_files).where(mine).values(length=grown.length)).rowcount:
        return
    if grown.start or grown.file in object_lengths(connection):
        # A transaction that failed, or another process that writes by the same name.
        raise ArchiveError(
            f"{grown.file} has lines that the state store does not know: run again, which sets them aside."
            " If another crawl writes under the same name, set WRITER to another one for each"
        )
    save_object_length(connection, grown.file, grown.length)


def save_object_length(connection: Connection, file: str, length: int) -> None:
    """Note how far a file is settled, whatever was known of it."""
    changed = connection.execute(
        update(object_files).where(object_files.c.file == file).values(length=length)
    ).rowcount
    if not changed:
        connection.execute(insert(object_files).values(file=file, length=length))
