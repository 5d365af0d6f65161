"""Files that are there when they are whole: written aside, brought to the disk, then renamed."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING

from archiver.errors import ArchiveFull, advice_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

# Of a file that is being written; what a crash leaves of it may be removed.
TEMPORARY_SUFFIX = ".tmp"
_BUFFER = 1 << 20


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of the one at this path in the end; on an error it goes."""
    unfinished = path.with_name(path.name + TEMPORARY_SUFFIX)
    try:
        with unfinished.open("wb", buffering=_BUFFER) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        if error.filename not in {None, str(unfinished)}:
            raise  # of another file, which was being read
        told = f"{path} could not be written: {error.strerror or error}{advice_on(error)}"
        raise ArchiveFull(told) from error
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """The whole file or none."""
    with whole_file(path) as file:
        # A lone surrogate of a page must not cost us the file.
        file.write(text.encode("utf-8", "replace"))


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_outside(name: str) -> bool:
    """Whether the name of a file, as an index or a database has it, leads out of its folder."""
    path = PurePath(name)
    return path.is_absolute() or ".." in path.parts or "\0" in name
