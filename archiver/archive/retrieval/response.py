"""An archived response as somebody wants to see it: a revisit with the payload of its original."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.archive.retrieval.captures import find_original
from archiver.archive.warc.reader import decoded_body, opened, read_block
from archiver.archive.warc.wire import split_response, without_transfer_coding
from archiver.clock import rfc3339
from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedResponse:
    """What was kept of a response."""

    block: bytes  # as stored
    head: bytes
    body: bytes  # its codings undone
    # The capture whose payload this is, where it is another one.
    original: CdxLine | None = None
    is_not_modified: bool = False


def read_archived(index: Index, warc_folder: Path, line: CdxLine) -> ArchivedResponse:
    with opened(warc_folder, line.filename, line.offset) as record:
        head, block = record.head, record.block()
    if head.kind != "revisit":
        return _response(block)
    original = find_original(index, warc_folder, head)
    if original is None:
        raise RecordError(
            f"The capture of {rfc3339(line.date)} refers to {head.headers.get('warc-refers-to')},"
            f" which is not in {warc_folder}: bring back the file that had it, and run `scrapy verify`"
        )
    response = _response(read_block(warc_folder, original.filename, original.offset))
    # A 304 has no block; a capture with the same payload has a head of its own.
    return replace(response, head=block or response.head, original=original, is_not_modified=not block)


def _response(block: bytes) -> ArchivedResponse:
    wire = split_response(block)
    return ArchivedResponse(block=block, head=wire.head, body=decoded_body(without_transfer_coding(wire)))
