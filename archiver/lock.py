"""One run at a time for each archive."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, Self

from archiver.errors import ArchiveError, ArchiveLocked

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType


class ArchiveLock:
    """Held until the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._handle: int | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise ArchiveError(f"{self._path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            raise ArchiveLocked(
                f"Another run (process {owner or 'unknown'}) is working on {self._path.parent}"
            ) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._handle = handle
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
