"""Reading a captured response back from its record."""

from __future__ import annotations

import contextlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import brotli
import zstandard
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from archiver.archive.warc.wire import dechunk, split_response, without_transfer_coding
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.digests import warc_digest
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.warc.wire import WireResponse

# What a page may grow to when it is decompressed: a bomb stops here.
MAX_CONTENT = 128 * 1024 * 1024
_PIECE = 1 << 14
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse:
    """A response as archived, with its content decoded as the headers say."""

    url: str
    status: int | None
    content_type: str | None
    content: bytes
    headers: tuple[tuple[str, str], ...] = ()


def open_file(folder: Path, name: str) -> BinaryIO:
    """A WARC by its final name, also while it is still being written."""
    # The final name again: between the first two looks it may have been closed.
    for path in (folder / name, folder / (name + OPEN_SUFFIX), folder / name):
        with contextlib.suppress(FileNotFoundError):
            return path.open("rb")
    raise RecordError(f"{name} is not in {folder}: was the archive moved without it?")


def read_response(folder: Path, name: str, offset: int) -> StoredResponse:
    """The response in the record that starts at this offset."""
    url, block = _response_block(folder, name, offset)
    wire = without_transfer_coding(split_response(block))
    return StoredResponse(
        url=url,
        status=wire.status,
        content_type=wire.header("Content-Type"),
        content=decoded_body(wire),
        headers=tuple(wire.headers()),
    )


def read_body(folder: Path, name: str, offset: int) -> bytes:
    """The body of a response exactly as its record has it."""
    return split_response(_response_block(folder, name, offset)[1]).body


def _response_block(folder: Path, name: str, offset: int) -> tuple[str, bytes]:
    with open_file(folder, name) as file:
        file.seek(offset)
        try:
            record = next(iter(ArchiveIterator(file, no_record_parse=True)))
            block = record.raw_stream.read()
        except (StopIteration, ArchiveLoadFailed, zlib.error) as error:
            raise RecordError(f"No record at {name}:{offset}") from error
    headers = record.rec_headers
    # warcio takes nonsense for a record of the older ARC format, and does not look at digests.
    if record.rec_type != "response" or headers.get_header("WARC-Block-Digest") != warc_digest(block):
        raise RecordError(f"No whole response at {name}:{offset}")
    return headers.get_header("WARC-Target-URI"), block


def decoded_body(wire: WireResponse) -> bytes:
    """The body with its content codings undone; as it is where that fails."""
    # A compression in the transfer coding was applied last; with it, the chunks are kept as well.
    transfer, body = wire.codings("Transfer-Encoding"), wire.body
    if transfer[-1:] == ["chunked"]:
        content = dechunk(body)
        body = body if content is None else content
    return decode_content(body, wire.codings("Content-Encoding") + transfer)


def decode_content(content: bytes, codings: list[str], most: int | None = None) -> bytes:
    """Undo content codings, up to about as many bytes as are wanted at most."""
    for coding in reversed(codings):
        decode = _DECODERS.get(coding)
        if decode is None or not content:
            continue
        try:
            content = decode(content, most or MAX_CONTENT)
        except (zlib.error, brotli.error, zstandard.ZstdError):
            return content  # servers do label plain bodies as compressed
    return content


def _gunzip(data: bytes, most: int) -> bytes:
    return _unzip(data, most, zlib.MAX_WBITS | 32)  # gzip or zlib


def _inflate(data: bytes, most: int) -> bytes:
    try:
        return _gunzip(data, most)
    except zlib.error:  # "deflate" without the zlib header is common
        return _unzip(data, most, -zlib.MAX_WBITS)


def _unzip(data: bytes, most: int, form: int) -> bytes:
    """The content of all members, as far as they are sound; whatever else follows them is not part of it."""
    content = bytearray()
    position = _unzip_member(data, 0, content, most, form)
    while data.startswith(_GZIP_MAGIC, position) and len(content) < most:
        try:
            position = _unzip_member(data, position, content, most, form)
        except zlib.error:
            break
    return bytes(content)


def _unzip_member(data: bytes, start: int, content: bytearray, most: int, form: int) -> int:
    """Add what is sound of one member; where it ends. Browsers do not look at its checksum either."""
    unzip, found = zlib.decompressobj(form), len(content)
    for position in range(start, len(data), _PIECE):
        piece = data[position : position + _PIECE]
        # At the beginning a new one will do: of many small members, each would be copied.
        before = unzip.copy() if position > start else zlib.decompressobj(form)
        try:
            content += unzip.decompress(piece, most - len(content))
        except zlib.error:
            content += _before_damage(before, piece)
            if len(content) == found:
                raise
            return len(data)
        if unzip.eof:
            return position + len(piece) - len(unzip.unused_data)
        if len(content) >= most:
            break
    return len(data)


def _before_damage(unzip: zlib._Decompress, piece: bytes) -> bytes:
    found = bytearray()
    with contextlib.suppress(zlib.error):
        for position in range(len(piece)):
            found += unzip.decompress(piece[position : position + 1])
    return bytes(found)


def _unbrotli(data: bytes, most: int) -> bytes:
    return bytes(brotli.Decompressor().process(data, output_buffer_limit=most))


def _unzstd(data: bytes, most: int) -> bytes:
    """All frames are one content, as far as they are sound."""
    content = bytearray()
    with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
        try:
            while len(content) < most and (piece := stream.read(min(_PIECE, most - len(content)))):
                content += piece
        except zstandard.ZstdError:
            if not content:
                raise
    return bytes(content)


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
