"""Reading a captured response back from its record."""

from __future__ import annotations

import contextlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from archiver.archive.warc.wire import dechunk, split_response, without_transfer_coding
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.digests import warc_digest
from archiver.documents.codings import decode_content
from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.warc.wire import WireResponse


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
