"""Captures found by URL and time and read back, a revisit with the payload of its original."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.archive.cdxj.lines import target_uri, timestamp
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.warc.reader import decoded_body, opened, read_block, read_head
from archiver.archive.warc.wire import split_response, without_transfer_coding
from archiver.clock import rfc3339
from archiver.errors import RecordError
from archiver.urls import is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.warc.reader import RecordHead


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedResponse:
    """What was kept of a response."""

    block: bytes  # as stored
    head: bytes
    body: bytes  # its codings undone
    # The capture whose payload this is, where it is another one.
    original: CdxLine | None = None
    is_not_modified: bool = False


# How much of the index is looked through for URLs that are like one.
_LOOKED_AT = 2000
_ALTERNATIVES = 5


def find_capture(index: Index, url: str, at: datetime | None) -> CdxLine | None:
    """The capture of a URL nearest to a moment, or the newest."""
    lines = index.lookup(request_url(url), at) if at else list(reversed(index.captures(request_url(url))))
    # The index does not tell http from https, nor A from a: the very URL comes first.
    exact = target_uri(request_url(url))
    return next((line for line in lines if line.url == exact), next(iter(lines), None))


def find_original(index: Index, warc_folder: Path, revisit: RecordHead) -> CdxLine | None:
    """The record that a revisit refers to."""
    headers = revisit.headers
    url, date = headers.get("warc-refers-to-target-uri"), headers.get("warc-refers-to-date")
    if not url or not date:
        return None
    try:
        stamp = timestamp(datetime.fromisoformat(date))
    except ValueError:
        return None
    # What is withheld is an address: a payload that others share with it is still theirs.
    for line in index.range_of_all(f"{surt_key(target_uri(url))} {stamp}"):
        if not line.is_revisit and _is_meant(read_head(warc_folder, line.filename, line.offset), headers):
            return line
    return None


def _is_meant(found: RecordHead, headers: Mapping[str, str]) -> bool:
    return found.id == headers.get("warc-refers-to", found.id)


def redirect_of(warc_folder: Path, line: CdxLine) -> list[str]:
    """The address to which a capture sends its reader, if it does."""
    if line.is_revisit or not (line.status or "").startswith("3"):
        return []
    try:
        block = read_block(warc_folder, line.filename, line.offset)
    except RecordError:
        return []  # told when it is copied
    target = urljoin(line.url, split_response(block).header("Location") or "")
    return [request_url(target)] if is_web(target) else []


def similar_urls(index: Index, url: str) -> list[str]:
    """URLs in the archive that are most like this one, of the same folder or else of the same host."""
    wanted = target_uri(request_url(url))
    for prefix in _prefixes(surt_key(wanted)):
        found = dict.fromkeys(line.url for line in islice(index.range(prefix), _LOOKED_AT))
        if found:
            return difflib.get_close_matches(wanted, found, _ALTERNATIVES, cutoff=0)
    return []


def _prefixes(key: str) -> Iterator[str]:
    """The key without its query, then its folders from the innermost, then its host."""
    path = key.partition("?")[0]
    yield path
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path + "/"
    yield key.partition(")")[0]


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
