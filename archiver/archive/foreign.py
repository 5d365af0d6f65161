"""A new archive is not begun among files that are not of one: a mistyped folder stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

# Any of them is in a folder that a run has begun with, or that `archiver init` has prepared.
_OURS = frozenset({"archiver.toml", "lock", "objects", "runs", "state.sqlite", "warc", "writer"})
# In a folder that a person would call empty: the root of a disk, hidden files.
_EVERYWHERE = frozenset({"lost+found"})
# Seeds files and logs, which people keep beside what is made of them.
_BESIDE = (".csv", ".log", ".opml", ".toml", ".tsv", ".txt")


def refuse_foreign(folder: Path) -> None:
    """Raise ArchiveError where the folder has files, and none that an archive has."""
    try:
        names = {path.name for path in folder.iterdir()}
    except OSError:
        return  # not there yet; or what is wrong with it is told by whoever writes to it
    visible = {name for name in names if not name.startswith(".") and not name.endswith(_BESIDE)}
    visible -= _EVERYWHERE
    if visible and not names & _OURS:
        raise ArchiveError(
            f"{folder} has other files, such as {min(visible)}, and no archive: "
            "set ARCHIVE_DIR to a new or an empty folder"
        )
