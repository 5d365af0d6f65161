"""Records read back, each from its place: the one way to open a WARC record."""

from __future__ import annotations

import contextlib
import zlib
from dataclasses import dataclass, replace
from io import BufferedReader
from typing import TYPE_CHECKING

from archiver.archive.storage import open_archived
from archiver.archive.warc.members import GzipMember
from archiver.archive.warc.rendered import HTML
from archiver.archive.warc.wire import dechunk, parse_headers, split_response, without_transfer_coding
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.digests import StatedDigest
from archiver.documents.codings import decode_content
from archiver.errors import RecordError
from archiver.files import is_outside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.warc.records import Capture
    from archiver.archive.warc.wire import WireResponse

_DAMAGE = (ValueError, EOFError, OSError, zlib.error)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHead:
    """What a record says of itself."""

    headers: Mapping[str, str]  # by names in lower case; of repeated ones the first

    @property
    def id(self) -> str:
        return self.headers.get("warc-record-id", "")

    @property
    def kind(self) -> str:
        return self.headers.get("warc-type", "")


def parse_head(head: bytes) -> RecordHead:
    headers = {name.lower(): value for name, value in reversed(parse_headers(head))}
    return RecordHead(headers=with_bare_uri(headers))


def with_bare_uri(headers: dict[str, str]) -> dict[str, str]:
    """The headers of a record, its address without the angle brackets that wget puts around it."""
    if headers.get("warc-target-uri", "").startswith("<"):
        headers["warc-target-uri"] = bare_uri(headers["warc-target-uri"])
    return headers


def bare_uri(stated: str) -> str:
    return stated[1:-1] if stated.startswith("<") and stated.endswith(">") else stated


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
    if is_outside(name):
        raise RecordError(f"{name} is not the name of a WARC file: build the index again")
    # The final name again: between the first two looks it may have been closed.
    for path in (folder / name, folder / (name + OPEN_SUFFIX), folder / name):
        with contextlib.suppress(FileNotFoundError):
            return open_archived(path)
    raise RecordError(f"{name} is not in {folder}: was the archive moved without it?")


class OpenRecord:
    """A record whose head was read; the block is read when it is asked for."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        file.seek(offset)
        self._content = BufferedReader(GzipMember(file, offset, b""))
        lines = []
        while (line := self._content.readline()) not in (b"", b"\r\n"):
            lines.append(line)
        if not lines or not lines[0].startswith(b"WARC/"):
            raise ValueError("no WARC record is there")
        self.head = parse_head(b"".join(lines))

    def block(self) -> bytes:
        length = int(self.head.headers.get("content-length", ""))
        block = self._content.read(length)
        if len(block) != length:
            raise ValueError("the record is shorter than it says")
        return block


@contextlib.contextmanager
def opened(folder: Path, name: str, offset: int) -> Iterator[OpenRecord]:
    """The record at this place, also of a file that is still being written."""
    with open_file(folder, name) as file:
        try:
            yield OpenRecord(file, offset)
        except _DAMAGE as error:
            told = f"{folder / name}:{offset} cannot be read: {error}; run `scrapy verify`"
            raise RecordError(told) from error


def read_head(folder: Path, name: str, offset: int) -> RecordHead:
    with opened(folder, name, offset) as record:
        return record.head


def read_block(folder: Path, name: str, offset: int) -> bytes:
    with opened(folder, name, offset) as record:
        return record.block()


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


def read_capture(folder: Path, capture: Capture) -> StoredResponse:
    """The response of a capture; where a browser made a document of it, with that for its content."""
    stored = read_response(folder, capture.file, capture.offset)
    if capture.rendered is None or capture.rendered.place is None:
        return stored
    return replace(stored, content=read_rendered(folder, *capture.rendered.place), content_type=HTML)


def read_rendered(folder: Path, name: str, offset: int) -> bytes:
    """The document in the record of a rendered page."""
    with opened(folder, name, offset) as record:
        head, block = record.head, record.block()
    if head.kind != "conversion" or not _has_digest(head, block):
        raise RecordError(f"No whole rendered page at {name}:{offset}")
    return block


def _response_block(folder: Path, name: str, offset: int) -> tuple[str, bytes]:
    with opened(folder, name, offset) as record:
        headers, block = record.head.headers, record.block()
    if record.head.kind != "response" or not _has_digest(record.head, block):
        raise RecordError(f"No whole response at {name}:{offset}")
    return headers.get("warc-target-uri", ""), block


def _has_digest(head: RecordHead, block: bytes) -> bool:
    """Whether a block has the digest that its record states; other programs may state none."""
    digest = StatedDigest(head.headers.get("warc-block-digest", ""))
    digest.update(block)
    return digest.is_right()


def decoded_body(wire: WireResponse) -> bytes:
    """The body with its content codings undone; as it is where that fails."""
    # A compression in the transfer coding was applied last; with it, the chunks are kept as well.
    transfer, body = wire.codings("Transfer-Encoding"), wire.body
    if transfer[-1:] == ["chunked"]:
        content = dechunk(body)
        body = body if content is None else content
    return decode_content(body, wire.codings("Content-Encoding") + transfer)
