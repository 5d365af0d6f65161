"""The list of pages: a line for each version of an article, with its title and its text."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.storage import open_archived
from archiver.clock import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.inspection.wacz.model import WaczReport
    from archiver.inspection.wacz.package import Package
    from archiver.inspection.wacz.state import StoredVersion

_HEADER = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": True}


class _Object(msgspec.Struct):
    """What a page needs of an object."""

    id: str
    version: int
    title: str | None
    text: str


class CopiedPlaces:
    """Where the captures that were copied had been: eight bytes for each."""

    def __init__(self) -> None:
        self._offsets: defaultdict[str, array[int]] = defaultdict(lambda: array("Q"))

    def add(self, file: str, offset: int) -> None:
        """Note a place; those of a file come in order."""
        self._offsets[file].append(offset)

    def __contains__(self, place: tuple[str, int]) -> bool:
        file, offset = place
        known = self._offsets.get(file, array("Q"))
        position = bisect_left(known, offset)
        return position < len(known) and known[position] == offset


def write_pages(
    package: Package,
    versions: Iterable[StoredVersion],
    objects: Path,
    places: CopiedPlaces,
    report: WaczReport,
    chosen: Sequence[CdxLine] = (),
) -> None:
    """List the versions whose records are in the package: each line leads to something.

    Where captures were chosen and none of them has a version, these are listed.
    """
    with package.entry("pages/pages.jsonl", deflate=True) as entry:
        entry.write(msgspec.json.encode(_HEADER) + b"\n")
        for version in versions:
            if (version.capture.file, version.capture.offset) in places:
                line = _page(version, objects, report)
                entry.write(line)
                report.pages += bool(line)
        for capture in chosen if not report.pages else ():
            entry.write(_bare_page(capture))
            report.pages += 1


def _bare_page(capture: CdxLine) -> bytes:
    time = f"{rfc3339(capture.date)[:19]}Z"
    page = {
        "id": f"{capture.timestamp}-{capture.offset}",
        "url": capture.url,
        "ts": time,
        "title": capture.url,
    }
    return msgspec.json.encode(page) + b"\n"


def _page(version: StoredVersion, objects: Path, report: WaczReport) -> bytes:
    try:
        found = _object(objects / version.file, version.offset)
    except (OSError, msgspec.DecodeError) as error:
        report.problem(
            f"{objects / version.file}:{version.offset} is not an object: {error}; run `scrapy verify`"
        )
        return b""
    url = version.capture.url
    page = {
        "id": f"{found.id}-{found.version}",
        # As it stands in the index, not as the object shows it.
        "url": url,
        "ts": f"{rfc3339(version.capture.date)[:19]}Z",
        "title": found.title or url,
        "text": found.text,
    }
    return msgspec.json.encode(page) + b"\n"


def _object(path: Path, offset: int) -> _Object:
    with open_archived(path) as file:
        file.seek(offset)
        return msgspec.json.decode(file.readline(), type=_Object)
