"""Whether a replay made the objects that the archive has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import object_files
from archiver.archive.storage import open_archived
from archiver.articles.objects.schema import ArticleKind

if TYPE_CHECKING:
    from pathlib import Path

Versions = dict[tuple[str, int], "_Line"]


class _Pointer(msgspec.Struct, frozen=True):
    record_id: str
    capture_id: str


class _Line(msgspec.Struct, frozen=True):
    """What is compared of an object."""

    url: str
    version: int
    digest: str
    warc: _Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    same: int
    missing: tuple[str, ...]  # in the archive, not made again from the same record
    unexpected: tuple[str, ...]  # made now, not in the archive
    reworded: tuple[str, ...]  # made from the same record, with other words


def compare_objects(archived: Path, replayed: Path) -> Comparison:
    """Compare two folders of objects, version by version."""
    before, now = _versions(archived), _versions(replayed)
    both = before.keys() & now.keys()
    moved = {key for key in both if before[key].warc != now[key].warc}
    reworded = {key for key in both - moved if before[key].digest != now[key].digest}
    return Comparison(
        same=len(both - moved - reworded),
        missing=_told(before.keys() - now.keys() | moved),
        unexpected=_told(now.keys() - before.keys()),
        reworded=_told(reworded),
    )


def _versions(folder: Path) -> Versions:
    decoder = msgspec.json.Decoder(_Line)
    found: Versions = {}
    for path in object_files(folder, [ArticleKind.name]):
        with open_archived(path) as file:
            for line in map(decoder.decode, file):
                found[line.url, line.version] = line
    return found


def _told(keys: set[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(f"{url} version {version}" for url, version in sorted(keys))
