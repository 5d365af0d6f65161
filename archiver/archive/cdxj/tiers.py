"""Merging in tiers: eight files become one of the next tier, so that no run rewrites the whole index.

A merge writes its manifest, then gives the merged file its name, then removes what it was made from. After a
crash in between, lines stand in two files: readers don't return them twice, and `repair` removes one.
"""

from __future__ import annotations

import heapq
import os
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING

from archiver.archive.cdxj.files import (
    INDEX_SUFFIX,
    MANIFEST_SUFFIX,
    index_files,
    merged_file,
    write_manifest,
)
from archiver.archive.writers import ANYONE
from archiver.files import TEMPORARY_SUFFIX, whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.cdxj.files import IndexFile
    from archiver.archive.writers import Writer

FAN_IN = 8
_BUFFER = 1 << 20


def merge_tiers(folder: Path, writer: Writer = ANYONE) -> int:
    """Merge the writer's files until no tier has eight; how many merges that took."""
    merges = 0
    while inputs := _full_tier(index_files(folder, writer)):
        merge(folder, inputs, writer)
        merges += 1
    return merges


def merge(folder: Path, inputs: Sequence[IndexFile], writer: Writer = ANYONE) -> IndexFile:
    """One file of the next tier in place of several, reading each once from start to end."""
    tier = max(file.tier for file in inputs) + 1
    generation = 1 + max((file.generation for file in index_files(folder, writer)), default=0)
    merged = merged_file(folder, tier, generation, writer)
    with whole_file(merged.path) as out:
        out.writelines(_merged_lines([file.path for file in inputs]))
        write_manifest(merged.manifest, frozenset().union(*(file.warcs() for file in inputs)))
    for file in inputs:
        file.remove()
    return merged


def repair(folder: Path, writer: Writer = ANYONE) -> frozenset[str]:
    """Remove what a crash left of the writer's; the WARCs that its index covers. One process at a time."""
    paths = [path for path in folder.glob("*") if writer.owns(path.name)]
    for path in paths:
        if path.name.endswith((INDEX_SUFFIX + TEMPORARY_SUFFIX, MANIFEST_SUFFIX + TEMPORARY_SUFFIX)):
            path.unlink()
        is_list = path.name.startswith("merged-") and path.name.endswith(MANIFEST_SUFFIX)
        if is_list and not path.with_suffix(INDEX_SUFFIX).exists():
            path.unlink()
    covered: set[str] = set()
    for file in reversed(index_files(folder, writer)):
        covered |= _keep_unless_covered(file, covered)
    return frozenset(covered)


def unique(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Sorted lines without those that come twice."""
    return (line for line, _ in groupby(lines))


def _keep_unless_covered(file: IndexFile, covered: set[str]) -> frozenset[str]:
    warcs = file.warcs()
    if warcs <= covered:
        file.remove()
    elif file.listed_warcs() is None:
        write_manifest(file.manifest, warcs)
    return warcs


def _full_tier(files: Sequence[IndexFile]) -> list[IndexFile]:
    """The eight oldest files of the lowest tier that has eight."""
    for _, group in groupby(files, key=lambda file: file.tier):
        if len(tier := list(group)) >= FAN_IN:
            return tier[:FAN_IN]
    return []


def _merged_lines(paths: Sequence[Path]) -> Iterator[bytes]:
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("rb", buffering=_BUFFER)) for path in paths]
        yield from unique(heapq.merge(*map(_whole_lines, files)))


def _whole_lines(file: BinaryIO) -> Iterable[bytes]:
    """The lines of a file; a last one that was cut off must not run into the next file's."""
    if file.seek(0, os.SEEK_END):
        file.seek(-1, os.SEEK_END)
    is_cut = file.read(1) not in {b"", b"\n"}
    file.seek(0)
    return (line.rstrip(b"\n") + b"\n" for line in file) if is_cut else file
