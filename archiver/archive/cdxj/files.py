"""Index files: sorted, never changed once they have their name, each with the WARCs that it covers.

`NAME.cdxj` is the index of NAME.warc.gz. `merged-TIER-GENERATION-WRITER.cdxj` holds the lines of several, and
the JSON file of the same name lists their WARCs: also those that have no line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.lines import parse_line
from archiver.archive.writers import ANYONE
from archiver.files import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from archiver.archive.writers import Writer

WARC_SUFFIX = ".warc.gz"
INDEX_SUFFIX = ".cdxj"
MANIFEST_SUFFIX = ".json"
_MERGED = re.compile(r"merged-(\d{2})-(\d{8})(?:-[A-Za-z0-9-]+)?\.cdxj")


class _Manifest(msgspec.Struct):
    version: int
    warcs: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFile:
    """One sorted file: of one WARC in tier 0, of many above. Later files have higher generations."""

    path: Path
    tier: int = 0
    generation: int = 0

    @property
    def manifest(self) -> Path:
        return self.path.with_suffix(MANIFEST_SUFFIX)

    def warcs(self) -> frozenset[str]:
        """The names of the WARCs that it covers."""
        listed = self.listed_warcs()
        # What a lost manifest said is in the lines; WARCs without any are indexed again.
        return frozenset(_warcs_in(self.path)) if listed is None else listed

    def listed_warcs(self) -> frozenset[str] | None:
        """The same from its name or manifest; None where the manifest is lost."""
        if self.tier == 0:
            return frozenset({self.path.name.removesuffix(INDEX_SUFFIX) + WARC_SUFFIX})
        try:
            return frozenset(msgspec.json.decode(self.manifest.read_bytes(), type=_Manifest).warcs)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def remove(self) -> None:
        # The manifest last: lines are never without it.
        self.path.unlink()
        self.manifest.unlink(missing_ok=True)


def index_files(folder: Path, writer: Writer = ANYONE) -> list[IndexFile]:
    """The writer's index files in a folder, leftovers of a crash included, in the order of tier and age."""
    files = [_index_file(path) for path in folder.glob(f"*{INDEX_SUFFIX}") if writer.owns(path.name)]
    return sorted(files, key=lambda file: (file.tier, file.generation, file.path.name))


def merged_file(folder: Path, tier: int, generation: int, writer: Writer = ANYONE) -> IndexFile:
    path = folder / f"merged-{tier:02d}-{generation:08d}{writer.mark}{INDEX_SUFFIX}"
    return IndexFile(path=path, tier=tier, generation=generation)


def write_lines(folder: Path, warc: str, lines: Iterable[str]) -> Path:
    """The index of a WARC that has its final name, from its lines in any order."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (warc.removesuffix(WARC_SUFFIX) + INDEX_SUFFIX)
    with whole_file(path) as file:
        file.writelines(sorted({line.encode() + b"\n" for line in lines}))
    return path


def write_manifest(path: Path, warcs: Iterable[str]) -> None:
    with whole_file(path) as file:
        file.write(msgspec.json.encode(_Manifest(version=1, warcs=sorted(warcs))))


def _index_file(path: Path) -> IndexFile:
    merged = _MERGED.fullmatch(path.name)
    if merged is None:
        return IndexFile(path=path)
    return IndexFile(path=path, tier=int(merged[1]), generation=int(merged[2]))


def _warcs_in(path: Path) -> set[str]:
    with path.open("rb") as file:
        return {parse_line(line).filename for line in file}
