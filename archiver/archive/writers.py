"""Who writes: every file of an archive has the name of its writer, which repairs and indexes no others.

Each archive folder is the folder of one writer. Its file `writer` has the names that it wrote under, one a
line and the present one last, and a digest of them. Without it, the names are those of the files there.
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.digests import sha256_digest
from archiver.errors import ConfigurationError
from archiver.files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "writer"
_OTHERS = re.compile(r"[^A-Za-z0-9]+")
# In WARC files of older archives, the name is that of a host, which may have dots.
_WARC = re.compile(r"(?:.+-\d{17}-\d{5,}|manifest-sha256)-([\w.-]+?)\.(?:warc\.gz|cdxj|txt)\b.*")
_OTHER = re.compile(
    r"(?:merged-\d{2}-\d{8}|[a-z]\w*-\d{4}-\d{2}-\d{2}|run-\d{8}T\d+Z)-([A-Za-z0-9-]+)\..+", re.ASCII
)
_FOLDERS = ("warc", "objects", "index")


def writer_of(file: str) -> str | None:
    """The writer that a file is named after; None where an older archiver, or a person, named it."""
    found = _WARC.fullmatch(file) or _OTHER.fullmatch(file)
    return found[1] if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The name under which files are written, and those of which files are its own as well."""

    name: str
    earlier: tuple[str, ...] = ()
    # Nothing in the folder says so yet.
    is_new: bool = False

    @property
    def mark(self) -> str:
        """What stands in names of files, behind what else tells them apart."""
        return f"-{self.name}" if self.name else ""

    def owns(self, file: str) -> bool:
        """Whether a file with this name is its own: also where the name does not tell."""
        name = writer_of(file)
        return not self.name or name is None or name == self.name or name in self.earlier


# All files are its own, and those that it writes have no name in theirs: for tools that work on any folder.
ANYONE = Writer(name="")

# Of files that other programs made and `scrapy import` took in: never those of a folder itself.
IMPORTED = Writer(name="import")


def is_imported(file: str) -> bool:
    """Whether the file was made by another program."""
    return writer_of(file) == IMPORTED.name


def find_writer(folder: Path, name: str | None = None) -> Writer:
    """The writer of an archive folder: by this name from now on, or by the one that it has, or the host's."""
    if name == IMPORTED.name:
        raise ConfigurationError(f"WRITER={name} is the name of imported files: set another one")
    known = _kept(folder)
    current = name or (known[-1] if known else host_name())
    names = known or _names_of_files(folder)
    earlier = tuple(one for one in names if one != current)
    return Writer(name=current, earlier=earlier, is_new=not known)


def writer_to_read(folder: Path) -> Writer:
    """The same for programs that only read; a folder with files of several may have none of its own."""
    names = _kept(folder) or _names_of_files(folder)
    return Writer(name=names[-1], earlier=tuple(names[:-1])) if names else ANYONE


def keep_writer(folder: Path, writer: Writer) -> None:
    """Have the folder keep the name, whatever the host is called later."""
    names = [*writer.earlier, writer.name]
    if names != _kept(folder):
        write_text(folder / FILE, _text(names))


def is_writer_lost(folder: Path) -> bool:
    """Whether a folder in which a run has written does not say under which names."""
    is_written = (folder / "lock").exists() and any(
        writer_of(path.name) for path in (folder / "objects").glob("*")
    )
    return not _kept(folder) and ((folder / FILE).exists() or is_written)


def host_name() -> str:
    """The host's name as a writer's."""
    return _OTHERS.sub("-", socket.gethostname()).strip("-")[:64] or "archiver"


def _text(names: Iterable[str]) -> str:
    lines = "".join(f"{name}\n" for name in names)
    return f"{lines}{sha256_digest(lines.encode())}\n"


def _kept(folder: Path) -> list[str]:
    """The names that the folder keeps; none where the file is not as it was written."""
    try:
        text = (folder / FILE).read_text("utf-8", "replace")
    except FileNotFoundError:
        return []
    names = text.split("\n")[:-2]
    return names if text == _text(names) else []


def _names_of_files(folder: Path) -> list[str]:
    paths = (path for part in _FOLDERS for path in (folder / part).glob("*"))
    names = {writer_of(path.name) for path in paths} - {IMPORTED.name}
    return sorted(name for name in names if name is not None)
