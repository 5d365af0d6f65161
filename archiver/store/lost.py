"""Parts of an archive that are gone as a whole: no empty ones may take their place where the others are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from archiver.archive.warc.manifest import NAME, WARC_SUFFIX, manifests
from archiver.errors import ArchiveError, StateLost

if TYPE_CHECKING:
    from collections.abc import Iterator

_OBJECTS, _WARCS = "objects/*-????-??-??*.jsonl", f"warc/*{WARC_SUFFIX}"
_ADVICE = (
    "bring it back from a backup, check ARCHIVE_DIR and STATE_URL, or have `scrapy recover` make it again"
    " from WARC files and objects. To start over, use an empty ARCHIVE_DIR"
)


def refuse_lost_state(url: str, folder: Path) -> None:
    """Raise StateLost where SQLite would make a new store, and the archive's folder is not new.

    With an empty store, every object would count as left over from a crash, and every entry as new.
    """
    path = sqlite_path(url)
    if path is None or (path.exists() and path.stat().st_size):
        return
    kept = next(_kept(folder, _OBJECTS, _WARCS), None)
    if kept is not None:
        what = "is empty" if path.exists() else "is missing"
        raise StateLost(f"The state store {path} {what}, but there is {kept}: {_ADVICE}")


def sqlite_path(url: str) -> Path | None:
    """The file of a state store; None where it is not SQLite's. What is wrong is told where it is opened."""
    try:
        parts = make_url(url)
    except ArgumentError:
        return None
    return Path(parts.database or "") if parts.get_backend_name() == "sqlite" else None


def refuse_lost_captures(folder: Path) -> None:
    """Raise ArchiveError where articles are, and nothing that they were read from: a disk is not mounted."""
    warc = folder / "warc"
    kept = next(_kept(folder, _OBJECTS), None)
    if kept is None or manifests(warc) or any(warc.glob(f"*{WARC_SUFFIX}*")):
        return
    raise ArchiveError(
        f"There is no WARC file in {warc}, but there is {kept}: mount that folder or bring it back from a"
        f" backup, or check ARCHIVE_DIR. To go on without what it held, make an empty {warc / NAME}"
    )


def _kept(folder: Path, *patterns: str) -> Iterator[Path]:
    """What only an archive with a history has."""
    for pattern in patterns:
        yield from (path for path in folder.glob(pattern) if path.stat().st_size)
