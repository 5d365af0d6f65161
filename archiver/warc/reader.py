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

from archiver.digests import warc_digest
from archiver.errors import RecordError
from archiver.warc.wire import split_response, without_transfer_coding
from archiver.warc.writer import OPEN_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from archiver.warc.wire import WireResponse

# What a page may grow to when it is decompressed: a bomb stops here.
MAX_CONTENT = 128 * 1024 * 1024
_ANY_ZIP = zlib.MAX_WBITS | 32  # gzip or zlib
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse:
    """A response as archived, with its content decoded as the headers say."""

    url: str
    status: int | None
    content_type: str | None
    content: bytes


def open_file(folder: Path, name: str) -> BinaryIO:
    """A WARC by its final name, also while it is still being written."""
    # The final name again: between the first two looks it may have been closed.
    for path in (folder / name, folder / (name + OPEN_SUFFIX), folder / name):
        with contextlib.suppress(FileNotFoundError):
            return path.open("rb")
    raise RecordError(f"{name} is not in {folder}: was the archive moved without it?")


def read_response(folder: Path, name: str, offset: int) -> StoredResponse:
    """The response in the record that starts at this offset."""
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
    url = headers.get_header("WARC-Target-URI")
    wire = without_transfer_coding(split_response(block))
    return StoredResponse(
        url=url, status=wire.status, content_type=wire.header("Content-Type"), content=decoded_body(wire)
    )


def decoded_body(wire: WireResponse) -> bytes:
    """The body with its content codings undone; as it is where that fails."""
    codings = [coding.strip().lower() for coding in (wire.header("Content-Encoding") or "").split(",")]
    return decode_content(wire.body, codings)


def decode_content(content: bytes, codings: list[str]) -> bytes:
    for coding in reversed(codings):
        decode = _DECODERS.get(coding)
        if decode is None or not content:
            continue
        try:
            content = decode(content)
        except (zlib.error, brotli.error, zstandard.ZstdError):
            return content  # servers do label plain bodies as compressed
    return content


def _gunzip(data: bytes) -> bytes:
    """All members; what follows the last one counts for nothing."""
    unzip = zlib.decompressobj(_ANY_ZIP)
    try:
        content = unzip.decompress(data, MAX_CONTENT)
    except zlib.error:
        return _until_damage(data)
    while unzip.unused_data.startswith(_GZIP_MAGIC) and len(content) < MAX_CONTENT:
        data, unzip = unzip.unused_data, zlib.decompressobj(_ANY_ZIP)
        try:
            content += unzip.decompress(data, MAX_CONTENT - len(content))
        except zlib.error:
            break
    return content


def _until_damage(data: bytes) -> bytes:
    """What comes before the damage, such as all of a page whose checksum is wrong."""
    unzip = zlib.decompressobj(_ANY_ZIP)
    content = bytearray()
    for position in range(len(data)):
        try:
            content += unzip.decompress(data[position : position + 1])
        except zlib.error:
            if not content:
                raise
            break
        if len(content) >= MAX_CONTENT:
            break
    return bytes(content)


def _inflate(data: bytes) -> bytes:
    try:
        return _gunzip(data)
    except zlib.error:  # "deflate" without the zlib header is common
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, MAX_CONTENT)


def _unbrotli(data: bytes) -> bytes:
    decompressor = brotli.Decompressor()
    parts = [decompressor.process(data, output_buffer_limit=MAX_CONTENT)]
    return b"".join(parts)


def _unzstd(data: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(data) as stream:
        return stream.read(MAX_CONTENT)


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
