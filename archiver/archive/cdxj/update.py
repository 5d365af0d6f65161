"""Bringing the index up to date with the WARCs: at the end of a run, and at the start after a crash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.cdxj.files import WARC_SUFFIX, index_files, write_lines
from archiver.archive.cdxj.records import index_lines
from archiver.archive.cdxj.tiers import FAN_IN, merge_tiers, repair
from archiver.archive.writers import ANYONE
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from archiver.archive.writers import Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexUpdate:
    """What was done. A WARC with a problem has no index and is tried again next time."""

    indexed: tuple[str, ...] = ()
    merges: int = 0
    problems: tuple[str, ...] = ()


def update(warc_folder: Path, index_folder: Path, writer: Writer = ANYONE) -> IndexUpdate:
    """Repair the writer's index, index its WARCs that it lacks, and merge. One process at a time."""
    indexed: list[str] = []
    problems: list[str] = []
    merges = 0
    for path in _uncovered(warc_folder, repair(index_folder, writer)):
        if not writer.owns(path.name):
            continue
        try:
            write_index(path, index_folder)
        except RecordError as error:
            problems.append(str(error))
            continue
        indexed.append(path.name)
        # Not all at the end: after the loss of a whole index there would be as many files as WARCs.
        if len(indexed) % FAN_IN == 0:
            merges += merge_tiers(index_folder, writer)
    merges += merge_tiers(index_folder, writer)
    return IndexUpdate(indexed=tuple(indexed), merges=merges, problems=tuple(problems))


def write_index(warc: Path, index_folder: Path) -> Path:
    """Index one WARC that has its final name, by reading it."""
    return write_lines(index_folder, warc.name, index_lines(warc))


def missing_indexes(warc_folder: Path, index_folder: Path) -> list[Path]:
    """The closed WARCs that no index file covers, oldest first. Changes nothing."""
    covered = frozenset().union(*(file.warcs() for file in index_files(index_folder)))
    return _uncovered(warc_folder, covered)


def _uncovered(warc_folder: Path, covered: AbstractSet[str]) -> list[Path]:
    return sorted(path for path in warc_folder.glob(f"*{WARC_SUFFIX}") if path.name not in covered)
