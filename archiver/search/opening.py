"""The index of an archive: `search.sqlite` in its folder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from archiver.search.index import open_to_read
from archiver.search.matching import SqliteIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.search.sieve import SearchIndex


@contextmanager
def open_index(folder: Path) -> Iterator[SearchIndex]:
    """Opened in a millisecond. Raises NoIndex where there is none yet."""
    with open_to_read(folder) as connection:
        yield SqliteIndex(connection)
