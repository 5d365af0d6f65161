"""The manifests held against the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.storage import is_archived
from archiver.archive.warc.manifest import (
    REPORT_SUFFIX,
    WARC_SUFFIX,
    file_digest,
    is_manifest_line,
    manifest_lines,
    manifest_of,
    manifests,
    read_manifest,
)
from archiver.inspection.verification.model import RESTORE, RESTORE_THAT, Problem, added_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from archiver.archive.writers import Writer


def report_problems(folder: Path, writer: Writer) -> Iterator[Problem]:
    """What is wrong with the reports of runs."""
    digests = {path.name: file_digest(path) for path in sorted(folder.glob(f"*{REPORT_SUFFIX}"))}
    return manifest_problems(folder, digests, writer, REPORT_SUFFIX)


def manifest_problems(
    folder: Path, digests: Mapping[str, str], writer: Writer, suffix: str = WARC_SUFFIX
) -> Iterator[Problem]:
    """What the manifests say otherwise, for the digests of the whole files that could be read."""
    for path in manifests(folder):
        for offset, line in manifest_lines(path):
            if not is_manifest_line(line):
                text = "this is not a line of a manifest: the next `scrapy crawl feeds` takes it out"
                yield Problem(file=str(path), offset=offset, text=text)
    stated = read_manifest(folder, suffix)
    for name, digest in sorted(digests.items()):
        if name not in stated:
            text = f"it is not in {manifest_of(folder, name).name}: {added_by(writer, name)}"
            yield Problem(file=str(folder / name), offset=0, text=text)
        elif stated[name] != digest:
            manifest, _ = _place_of(folder, name)
            text = f"its SHA-256 is {digest}, but {manifest.name} has {stated[name]}: {RESTORE}"
            yield Problem(file=str(folder / name), offset=0, text=text)
    for name in sorted(stated):
        if not is_archived(folder / name):
            text = f"{name} is in the manifest, but not in {folder}: {RESTORE_THAT}"
            manifest, offset = _place_of(folder, name)
            yield Problem(file=str(manifest), offset=offset, text=text)


def _place_of(folder: Path, name: str) -> tuple[Path, int]:
    """The manifest that has a file, and where its line begins."""
    lines = ((path, *line) for path in manifests(folder) for line in manifest_lines(path))
    found = ((path, offset) for path, offset, line in lines if line.endswith(f"  {name}\n"))
    return next(found)
