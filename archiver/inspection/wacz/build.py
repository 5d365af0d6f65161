"""A WACZ, written from an archive."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import archiver
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.lines import line_for
from archiver.archive.warc import records
from archiver.archive.warc.writer import gzip_member
from archiver.errors import ArchiveError
from archiver.files import whole_file
from archiver.inspection.wacz.copying import Copier
from archiver.inspection.wacz.model import WaczReport
from archiver.inspection.wacz.needs import Needs
from archiver.inspection.wacz.package import Package
from archiver.inspection.wacz.pages import CopiedPlaces, write_pages
from archiver.inspection.wacz.plan import CopyPlan, Planner, SortedLines
from archiver.inspection.wacz.state import addresses, has_requisites, stored_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.wacz.copying import Copied
    from archiver.inspection.wacz.model import CaptureSelection, WaczFolders

INDEX_NAME = "index.cdx.gz"
_BLOCK = 1024
_INDEX_LEVEL = 6

# For a few captures, no file is read to its end: so many records behind the last of them are looked at.
_REACH = 200
WARC_NAME = "data.warc.gz"
_LEVEL = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class WaczRequest:
    """What to write."""

    selection: CaptureSelection
    title: str
    now: datetime
    # Told how many bytes of how many were copied.
    show: Callable[[int, int], None] = lambda done, total: None  # noqa: ARG005 - no progress is shown


class WaczWriter:
    """Reads the archive and its state store; changes neither."""

    def __init__(self, folders: WaczFolders, state: Connection, withheld: Withheld) -> None:
        self._folders = folders
        self._state = state
        self._index = Index(folders.index, withheld.hides)

    def write(self, path: Path, wish: WaczRequest) -> WaczReport:
        """Write the file under a temporary name, and rename it when it is whole."""
        report = WaczReport()
        with closing(CopyPlan()) as plan:
            self._fill(plan, wish, report)
            if not plan.bytes:
                raise ArchiveError("Nothing in the archive fits: check --channel, --since and --until")
            with whole_file(path) as file, Package(file, wish.now) as package:
                self._write(package, plan, wish, report)
                package.finish(wish.title)
        return report

    def _fill(self, plan: CopyPlan, wish: WaczRequest, report: WaczReport) -> None:
        chosen = wish.selection
        is_part = not chosen.is_everything and (bool(chosen.captures) or has_requisites(self._state))
        needs = Needs(self._index, self._folders.warc) if is_part else None
        found = None if chosen.channels is None else addresses(self._state, chosen.channels)
        Planner(self._index, self._folders.warc, chosen, report).fill(plan, found, needs)

    def _write(self, package: Package, plan: CopyPlan, wish: WaczRequest, report: WaczReport) -> None:
        places = CopiedPlaces()
        with closing(SortedLines()) as lines:
            self._copy(package, plan, wish, places, lines, report)
            write_index(package, lines)
        versions = stored_versions(self._state, wish.selection)
        chosen = wish.selection.captures or ()
        write_pages(package, versions, self._folders.objects, places, report, chosen)

    def _copy(
        self,
        package: Package,
        plan: CopyPlan,
        wish: WaczRequest,
        places: CopiedPlaces,
        lines: SortedLines,
        report: WaczReport,
    ) -> None:
        done = 0
        with package.entry(f"archive/{WARC_NAME}") as entry:
            entry.write(gzip_member(_warcinfo(wish).data, _LEVEL))
            reach = _REACH if wish.selection.captures else None
            for copied in Copier(self._folders.warc, entry, report, reach).copy(plan):
                places.add(copied.line.filename, copied.line.offset)
                lines.add(new_line(copied, WARC_NAME))
                done += copied.length
                wish.show(done, plan.bytes)


def _warcinfo(wish: WaczRequest) -> records.Record:
    fields = (
        ("software", f"archiver/{archiver.__version__}"),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("isPartOf", wish.title),
        ("description", "Records copied from other WARC files, whose warcinfo records follow"),
    )
    return records.warcinfo(WARC_NAME, wish.now, fields)


def new_line(copied: Copied, filename: str) -> bytes:
    """The line of a capture at its new place."""
    line = copied.line
    told = line_for(
        url=line.url,
        date=line.date,
        length=copied.length,
        offset=copied.offset,
        filename=filename,
        digest=line.digest,
        status=line.status,
        mime=line.mime,
        submitted=line.submitted,
    )
    return told.encode() + b"\n"


def write_index(package: Package, lines: Iterable[bytes]) -> None:
    meta = json.dumps({"format": "cdxj-gzip-1.0", "filename": INDEX_NAME})
    starts = [f"!meta 0 {meta}\n"]
    with package.entry(f"indexes/{INDEX_NAME}") as entry:
        for block in _blocks(iter(lines)):
            data = gzip_member(b"".join(block), _INDEX_LEVEL)
            starts.append(_start(block[0], entry.size, data))
            entry.write(data)
    with package.entry("indexes/index.idx", deflate=True) as entry:
        entry.write("".join(starts).encode())


def _blocks(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    while block := list(islice(lines, _BLOCK)):
        yield block


def _start(line: bytes, offset: int, data: bytes) -> str:
    key, stamp, _ = line.decode().split(" ", 2)
    place = {"offset": offset, "length": len(data), "digest": f"sha256:{hashlib.sha256(data).hexdigest()}"}
    return f"{key} {stamp} {json.dumps(place)}\n"
