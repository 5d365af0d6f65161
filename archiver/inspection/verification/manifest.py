"""The manifest held against the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.warc.manifest import (
    NAME,
    REPORT_SUFFIX,
    WARC_SUFFIX,
    file_digest,
    is_manifest_line,
    manifest_lines,
    read_manifest,
)
from archiver.inspection.verification.model import RESTORE, RESTORE_THAT, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def report_problems(folder: Path) -> Iterator[Problem]:
    """What is wrong with the reports of runs."""
    digests = {path.name: file_digest(path) for path in sorted(folder.glob(f"*{REPORT_SUFFIX}"))}
    return manifest_problems(folder, digests, REPORT_SUFFIX)


def manifest_problems(
    folder: Path, digests: Mapping[str, str], suffix: str = WARC_SUFFIX
) -> Iterator[Problem]:
    """What the manifest says otherwise, for the digests of the whole files that could be read."""
    for offset, line in manifest_lines(folder):
        if not is_manifest_line(line):
            text = "this is not a line of a manifest: the next `scrapy crawl feeds` takes it out"
            yield Problem(file=str(folder / NAME), offset=offset, text=text)
    stated = read_manifest(folder, suffix)
    for name, digest in sorted(digests.items()):
        path = str(folder / name)
        if name not in stated:
            text = f"it is not in {NAME}: the next `scrapy crawl feeds` adds it"
            yield Problem(file=path, offset=0, text=text)
        elif stated[name] != digest:
            text = f"its SHA-256 is {digest}, but {NAME} has {stated[name]}: {RESTORE}"
            yield Problem(file=path, offset=0, text=text)
    for name in sorted(stated):
        if not (folder / name).exists():
            text = f"{name} is in the manifest, but not in {folder}: {RESTORE_THAT}"
            yield Problem(file=str(folder / NAME), offset=_line_of(folder, name), text=text)


def _line_of(folder: Path, name: str) -> int:
    """Where the line of a file begins."""
    found = (offset for offset, line in manifest_lines(folder) if line.endswith(f"  {name}\n"))
    return next(found, 0)
