"""Manifests: the SHA-256 of every whole WARC or run report, in the form that `sha256sum -c` reads."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from archiver.archive.writers import ANYONE, writer_of
from archiver.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from archiver.archive.writers import Writer

# Of files without the name of a writer, and of older archives; that of a writer has its name before the dot.
NAME = "manifest-sha256.txt"
WARC_SUFFIX = ".warc.gz"
REPORT_SUFFIX = ".json"
# A digest and a name, as `sha256sum` writes them.
_LINE = re.compile(r"([0-9a-f]{64})  ([^\n\ufffd]+)\n")


def manifest_of(folder: Path, name: str) -> Path:
    """The manifest to which a file is added."""
    path, writer = folder / NAME, writer_of(name)
    return path.with_stem(f"{path.stem}-{writer}") if writer else path


def manifests(folder: Path) -> list[Path]:
    """All manifests in a folder, also those of other writers."""
    return sorted(folder.glob("manifest-sha256*.txt"))


def add_to_manifest(folder: Path, name: str, digest: str) -> None:
    """Note the digest of a file that will not change any more."""
    append_line(manifest_of(folder, name), name, digest)


def append_line(path: Path, name: str, digest: str) -> None:
    """Add a file to one manifest; when this returns, it is on disk."""
    _drop_cut_line(path)
    with path.open("ab") as file:
        file.write(f"{digest}  {name}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def read_manifest(folder: Path, suffix: str = WARC_SUFFIX) -> dict[str, str]:
    """Digests by file name; a line that a crash cut short counts as missing."""
    found = [one for path in manifests(folder) for one in lines_of(path).items()]
    return {name: digest for name, digest in found if name.endswith(suffix)}


def lines_of(path: Path) -> dict[str, str]:
    """Digests by file name, as one manifest has them."""
    found = (_LINE.fullmatch(line) for _, line in manifest_lines(path))
    return {line[2]: line[1] for line in found if line is not None}


def manifest_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Each line, and where it begins."""
    offset = 0
    for line in path.read_bytes().splitlines(keepends=True):
        yield offset, line.decode(errors="replace")
        offset += len(line)


def is_manifest_line(line: str) -> bool:
    return _LINE.fullmatch(line) is not None


def complete_manifest(folder: Path, suffix: str = WARC_SUFFIX, writer: Writer = ANYONE) -> list[str]:
    """Add what a crash kept from being noted of the writer's files; the names added."""
    for path in manifests(folder):
        if writer.owns(path.name):
            _drop_damaged_lines(path)
    known = read_manifest(folder, suffix)
    mine = [path for path in sorted(folder.glob(f"*{suffix}")) if writer.owns(path.name)]
    missing = [path for path in mine if path.name not in known]
    for path in missing:
        add_to_manifest(folder, path.name, file_digest(path))
    return [path.name for path in missing]


def lost_files(folder: Path, writer: Writer = ANYONE, stored: Container[str] = ()) -> list[str]:
    """The writer's files that are in a manifest, and not in the folder, or without a byte in them.

    Those that are stored elsewhere are not lost.
    """
    names = (name for name in sorted(read_manifest(folder)) if name not in stored)
    paths = (folder / name for name in names if writer.owns(name))
    return [path.name for path in paths if not (path.exists() and path.stat().st_size)]


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _drop_damaged_lines(path: Path) -> None:
    """Lines that nothing can read tell nothing: the files that they were about are noted again."""
    lines = [line for _, line in manifest_lines(path)]
    sound = [line for line in lines if is_manifest_line(line)]
    if len(sound) < len(lines):
        with whole_file(path) as file:
            file.write("".join(sound).encode())


def _drop_cut_line(path: Path) -> None:
    """What is left of a line names no file, and would go on in the next one."""
    if not path.exists():
        return
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        os.truncate(path, data.rfind(b"\n") + 1)
