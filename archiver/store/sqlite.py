"""SQLite as the state store uses it, for every program that opens the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

# Every database begins with so many bytes that describe it.
_HEAD = 100
_MAGIC = b"SQLite format 3\0"


def is_cut(path: Path) -> bool:
    """Whether a file ends within a page: SQLite would read zeros instead of what is missing.

    While there is anything in the log beside it, pages may still have to be brought from there.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    # As the format has it: two bytes, in which 1 means 64 KiB.
    page = int.from_bytes(head[16:18], "big")
    size = 1 << 16 if page == 1 else page or 1
    is_ours = head.startswith(_MAGIC) and len(head) == _HEAD
    return is_ours and path.stat().st_size % size != 0


def prepare(connection: sqlite3.Connection) -> None:
    # Transactions begin where the database module says, not where the driver guesses.
    connection.isolation_level = None
    cursor = connection.cursor()
    if not _is_foreign(cursor):
        cursor.execute("PRAGMA journal_mode = WAL")
    # With WAL, NORMAL may lose the last commits in a power cut, never the database; lost ones are done again.
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA busy_timeout = 30000")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _is_foreign(cursor: sqlite3.Cursor) -> bool:
    """True for the database of another program: WAL would be written into it for good."""
    names = {name for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return bool(names) and "schema_version" not in names
