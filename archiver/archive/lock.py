"""One run at a time for each archive, and none in a folder that is not an archive's."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from archiver.errors import ArchiveError, ArchiveLocked, advice_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType


# For the process that writes WARC to notice that its run was killed.
_PATIENCE = 5.0

# Any of them is in a folder that a run has begun with, or that `archiver init` has prepared.
_OURS = frozenset({"archiver.toml", "lock", "objects", "runs", "state.sqlite", "warc", "writer"})
# In a folder that a person would call empty: the root of a disk, hidden files; wrappers for what is to come.
_EVERYWHERE = frozenset({"lost+found", "wrappers"})
# Seeds files and logs, which people keep beside what is made of them.
_BESIDE = (".csv", ".log", ".opml", ".toml", ".tsv", ".txt")


class ArchiveLock:
    """Held until the process ends, however it ends, and with it those that it handed the lock to."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._handle: int | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            self._take(handle)
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        except OSError as error:
            os.close(handle)
            raise self._unwritable(error) from error
        except ArchiveLocked:
            os.close(handle)
            raise
        self._handle = handle
        return self

    def _unwritable(self, error: OSError) -> ArchiveError:
        return ArchiveError(f"{self._path} cannot be written: {error.strerror}{advice_on(error)}")

    def _take(self, handle: int) -> None:
        until = time.monotonic() + _PATIENCE
        while not _is_taken(handle):
            owner = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
            if not _is_gone(owner):
                raise ArchiveLocked(
                    f"Another run (process {owner or 'unknown'}) is working on {self._path.parent}"
                )
            if time.monotonic() > until:
                raise ArchiveLocked(
                    f"Another run (process {owner}, killed or not on this machine) has left a process"
                    f" (archiver.running.writing.child) that is still writing to {self._path.parent}"
                )
            time.sleep(0.02)

    def fileno(self) -> int:
        """For a child that must hold the lock as well."""
        assert self._handle is not None  # noqa: S101 - asked by the holder
        return self._handle

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


@contextmanager
def hold_state(path: Path) -> Iterator[None]:
    """Hold a state store of SQLite that is not in the archive's folder, whose lock says nothing of others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not _is_taken(handle):
            raise ArchiveLocked(f"Another run is working with the state store {path}")
        yield
    finally:
        os.close(handle)


def _is_taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_gone(owner: str) -> bool:
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return True
    except (ValueError, OverflowError, PermissionError):
        return False
    return False


def is_going_on(folder: Path) -> bool:
    """Whether the process that took the archive's lock last is alive. The lock itself is left alone."""
    try:
        os.kill(int((folder / "lock").read_text("ascii")), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True


def is_locked(folder: Path) -> bool:
    """Whether a run works on the archive: a number alone may be that of another process by now."""
    if not is_going_on(folder):
        return False
    handle = os.open(folder / "lock", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def refuse_foreign(folder: Path) -> None:
    """Raise ArchiveError where the folder has files, and none that an archive has."""
    try:
        names = {path.name for path in folder.iterdir()}
    except OSError:
        return  # not there yet; or what is wrong with it is told where it is written to
    visible = {name for name in names if not name.startswith(".") and not name.endswith(_BESIDE)}
    visible -= _EVERYWHERE
    if visible and not names & _OURS:
        raise ArchiveError(
            f"{folder} has other files, such as {min(visible)}, and no archive: "
            "set ARCHIVE_DIR to a new or an empty folder"
        )
