"""The manifest: the SHA-256 of every whole WARC or run report, in the form that `sha256sum -c` reads."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAME = "manifest-sha256.txt"
WARC_SUFFIX = ".warc.gz"
REPORT_SUFFIX = ".json"


def add_to_manifest(folder: Path, name: str, digest: str) -> None:
    """Note the digest of a file that will not change any more."""
    _drop_cut_line(folder / NAME)
    with (folder / NAME).open("ab") as file:
        file.write(f"{digest}  {name}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def read_manifest(folder: Path, suffix: str = WARC_SUFFIX) -> dict[str, str]:
    """Digests by file name; a line that a crash cut short counts as missing."""
    path = folder / NAME
    if not path.exists():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        digest, _, name = line.partition("  ")
        if len(digest) == 64 and name.endswith(f"{suffix}\n"):
            found[name.strip()] = digest
    return found


def complete_manifest(folder: Path, suffix: str = WARC_SUFFIX) -> list[str]:
    """Add whatever a crash kept from being noted; the names added."""
    _drop_cut_line(folder / NAME)
    known = read_manifest(folder, suffix)
    missing = [path for path in sorted(folder.glob(f"*{suffix}")) if path.name not in known]
    for path in missing:
        add_to_manifest(folder, path.name, file_digest(path))
    return [path.name for path in missing]


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _drop_cut_line(path: Path) -> None:
    """What is left of a line names no file, and would go on in the next one."""
    if not path.exists():
        return
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        os.truncate(path, data.rfind(b"\n") + 1)
