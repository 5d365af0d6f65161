"""Reading a captured response back from its record."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import brotli
import zstandard
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from archiver.errors import RecordError
from archiver.warc.wire import split_response, without_transfer_coding
from archiver.warc.writer import OPEN_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from archiver.warc.wire import WireResponse

# What a page may grow to when it is decompressed: a bomb stops here.
MAX_CONTENT = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse:
    """A response as archived, with its content decoded as the headers say."""

    url: str
    status: int | None
    content_type: str | None
    content: bytes


def find_file(folder: Path, name: str) -> Path:
    """A WARC by its final name, also while it is still being written."""
    for path in (folder / name, folder / (name + OPEN_SUFFIX)):
        if path.exists():
            return path
    raise RecordError(f"{name} is not in {folder}: was the archive moved without it?")


def read_response(folder: Path, name: str, offset: int) -> StoredResponse:
    """The response in the record that starts at this offset."""
    path = find_file(folder, name)
    with path.open("rb") as file:
        file.seek(offset)
        try:
            record = next(iter(ArchiveIterator(file, no_record_parse=True)))
        except (StopIteration, ArchiveLoadFailed, zlib.error) as error:
            raise RecordError(f"No record at {name}:{offset}") from error
        url = record.rec_headers.get_header("WARC-Target-URI")
        wire = without_transfer_coding(split_response(record.raw_stream.read()))
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
    unzip = zlib.decompressobj(zlib.MAX_WBITS | 32)
    return unzip.decompress(data, MAX_CONTENT)


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
