"""The index of a WACZ: sorted lines in compressed blocks, and where each block begins."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import line_for
from archiver.archive.warc.writer import gzip_member

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from archiver.inspection.wacz.copying import Copied
    from archiver.inspection.wacz.package import Package

NAME = "index.cdx.gz"
_BLOCK = 1024
_LEVEL = 6


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
    )
    return told.encode() + b"\n"


def write_index(package: Package, lines: Iterable[bytes]) -> None:
    meta = json.dumps({"format": "cdxj-gzip-1.0", "filename": NAME})
    starts = [f"!meta 0 {meta}\n"]
    with package.entry(f"indexes/{NAME}") as entry:
        for block in _blocks(iter(lines)):
            data = gzip_member(b"".join(block), _LEVEL)
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
