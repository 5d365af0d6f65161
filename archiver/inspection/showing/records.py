"""The records of one capture as they are, gzip member by gzip member: a small WARC file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.retrieval import find_original
from archiver.archive.warc.members import DamagedMember, HashedSource, read_member
from archiver.archive.warc.reader import open_file, parse_head, read_head
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.warc.reader import RecordHead

_PIECE = 1 << 16
# Behind a response stand its request and its metadata.
_BESIDE = 2
_HEAD_END = b"\r\n\r\n"


def capture_records(index: Index, warc_folder: Path, line: CdxLine) -> Iterator[bytes]:
    """The response with its request and metadata, after the original where it is a revisit.

    Each after the record that tells how its file was made. Raises RecordError before anything is given.
    """
    head = read_head(warc_folder, line.filename, line.offset)
    refers_to = head.headers.get("warc-refers-to-target-uri", "")
    original = None
    if head.kind == "revisit" and not index.hides(refers_to):
        original = find_original(index, warc_folder, head)
    return _copied(warc_folder, [one for one in (original, line) if one is not None])


def _copied(warc_folder: Path, lines: list[CdxLine]) -> Iterator[bytes]:
    told: set[str] = set()
    for line in lines:
        with open_file(warc_folder, line.filename) as file:
            if line.filename not in told:
                told.add(line.filename)
                yield from _warcinfo(file)
            for offset, end in _members(file, line):
                yield from _pieces(file, offset, end)


def _warcinfo(file: BinaryIO) -> Iterator[bytes]:
    head, end = _member(HashedSource(file), 0)
    if head is not None and head.kind == "warcinfo":
        yield from _pieces(file, 0, end)


def _members(file: BinaryIO, line: CdxLine) -> Iterator[tuple[int, int]]:
    """Where the record of a capture is, and those behind it that are about it."""
    source = HashedSource(file)
    own, end = _member(source, line.offset)
    if own is None:
        raise RecordError(f"{line.filename}:{line.offset} cannot be read: run `scrapy verify`")
    yield line.offset, end
    for _ in range(_BESIDE):
        offset = end
        head, end = _member(source, offset)
        if head is None or head.headers.get("warc-concurrent-to") != own.id:
            return
        yield offset, end


def _member(source: HashedSource, offset: int) -> tuple[RecordHead | None, int]:
    """The head of the record there, and where it ends; None where there is none that can be read."""
    data = bytearray()

    def take(piece: bytes) -> None:
        if _HEAD_END not in data:
            data.extend(piece)

    try:
        end = read_member(source, offset, take) if source.piece(offset) else offset
    except DamagedMember:
        return None, offset
    return (parse_head(bytes(data.partition(_HEAD_END)[0])), end) if data else (None, offset)


def _pieces(file: BinaryIO, offset: int, end: int) -> Iterator[bytes]:
    file.seek(offset)
    left = end - offset
    while left > 0 and (piece := file.read(min(left, _PIECE))):
        left -= len(piece)
        yield piece
