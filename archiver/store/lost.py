"""A state store that is gone: no empty one may take its place in an archive that holds something."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from archiver.errors import StateLost

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADVICE = (
    "bring it back from a backup, or check ARCHIVE_DIR and STATE_URL. To begin anew, use an empty ARCHIVE_DIR"
)


def refuse_lost_state(url: str, folder: Path) -> None:
    """Raise StateLost where SQLite would make a new store, and the archive's folder is not new.

    With an empty store, every object would count as left over from a crash, and every entry as new.
    """
    try:
        parts = make_url(url)
    except ArgumentError:
        return  # told where the store is opened
    path = Path(parts.database or "")
    if parts.get_backend_name() != "sqlite" or (path.exists() and path.stat().st_size):
        return
    kept = next(_kept(folder), None)
    if kept is not None:
        what = "is empty" if path.exists() else "is missing"
        raise StateLost(f"The state store {path} {what}, but there is {kept}: {_ADVICE}")


def _kept(folder: Path) -> Iterator[Path]:
    """What only an archive with a history has."""
    for pattern in ("objects/articles-*.jsonl", "warc/*.warc.gz"):
        yield from (path for path in folder.glob(pattern) if path.stat().st_size)
