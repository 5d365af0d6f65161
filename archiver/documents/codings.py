"""Content codings undone, with a limit on what comes out."""

from __future__ import annotations

import contextlib
import zlib
from typing import TYPE_CHECKING

import brotli
import zstandard

if TYPE_CHECKING:
    from collections.abc import Callable


# What a page may grow to when it is decompressed: a bomb stops here.
MAX_CONTENT = 128 * 1024 * 1024


_PIECE = 1 << 14


_GZIP_MAGIC = b"\x1f\x8b"


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
