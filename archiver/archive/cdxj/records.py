"""The lines of a WARC: a line for each record that `cdxj-indexer` has one for.

warcio reads the heads. That each record is whole is checked here: its iterator passes over damage in silence.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from warcio.limitreader import LimitReader
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException
from warcio.timeutils import iso_date_to_datetime

from archiver.archive.cdxj.lines import REVISIT, HttpFields, line_for, mime_of, read_http_fields
from archiver.archive.cdxj.submitted import submitted_query
from archiver.archive.storage import open_archived
from archiver.archive.warc.members import members
from archiver.archive.warc.reader import bare_uri
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedReader
    from pathlib import Path
    from typing import BinaryIO

    from warcio.statusandheaders import StatusAndHeaders

    from archiver.archive.cdxj.submitted import SubmittedQuery

_INDEXED = frozenset({"response", "revisit", "resource", "metadata"})
_HTTP_TYPES = frozenset({"response", "revisit"})
_FIELDS_TYPE = "application/warc-fields"
_PARSER = StatusAndHeadersParser(["WARC/1.1", "WARC/1.0"])
_DAMAGE = (ValueError, EOFError, OSError, zlib.error, StatusAndHeadersParserException)
_END = b"\r\n\r\n"
_PIECE = 1 << 16
# More of a body than any key holds is not looked at.
_LONGEST_REQUEST = 1 << 20


def index_lines(path: Path) -> Iterator[str]:
    """The lines of a WARC in the order of its records, without ends of lines."""
    try:
        with open_archived(path) as file:
            yield from _lines(file, path.name)
    except _DAMAGE as error:
        raise RecordError(f"{path} cannot be indexed: {error}") from error


def _lines(file: BinaryIO, name: str) -> Iterator[str]:
    before: _Indexed | None = None
    for member, content in members(file):
        record = _indexed(content)
        # Where a record ends is known once it was read.
        if content.read(len(_END) + 1) != _END:
            raise ValueError(f"the record at {member.offset} is not as long as it says")
        if record.line is not None:
            record.line = partial(record.line, offset=member.offset, length=member.length, filename=name)
        if before is not None:
            _exchange(before, record)
            yield from before.finished()
        before = record
    if before is not None:
        yield from before.finished()


@dataclass(slots=True)
class _Indexed:
    """A record on its way to the index: its line waits for the request, which stands before or behind it."""

    headers: StatusAndHeaders
    line: Callable[..., str] | None = None
    submitted: SubmittedQuery | None = None

    def finished(self) -> Iterator[str]:
        if self.line is not None:
            yield self.line(submitted=self.submitted)


def _exchange(first: _Indexed, second: _Indexed) -> None:
    """Give the response what its request submitted, where these two are one exchange."""
    if first.submitted is None and second.submitted is None:
        return
    if second.headers.get_header("WARC-Concurrent-To") == first.headers.get_header("WARC-Record-ID"):
        first.submitted = second.submitted = first.submitted or second.submitted


def _indexed(content: BufferedReader) -> _Indexed:
    """What the index needs of a record, but for its place."""
    headers = _PARSER.parse(content)
    block = LimitReader(content, int(headers.get_header("Content-Length") or ""))
    found = _Indexed(headers=headers)
    if headers.get_header("WARC-Type") == "request":
        found.submitted = submitted_query(block.read(_LONGEST_REQUEST))
    elif _is_indexed(headers):
        found.line = _line(headers, block)
    while block.read(_PIECE):
        pass
    return found


def _is_indexed(headers: StatusAndHeaders) -> bool:
    kind = headers.get_header("WARC-Type")
    # The 304's headers and such are no captures.
    is_about_another = kind not in _HTTP_TYPES and headers.get_header("Content-Type") == _FIELDS_TYPE
    return kind in _INDEXED and not is_about_another


def _line(headers: StatusAndHeaders, block: LimitReader) -> Callable[..., str]:
    kind = headers.get_header("WARC-Type")
    url = bare_uri(headers.get_header("WARC-Target-URI") or "")
    fields = _fields(kind, url, headers, block)
    digest = headers.get_header("WARC-Payload-Digest")
    if not digest and kind != "revisit":
        digest = _digest_of_rest(block)
    return partial(
        line_for,
        url=url,
        date=iso_date_to_datetime(headers.get_header("WARC-Date") or "", tz_aware=True),
        status=fields.status,
        mime=REVISIT if kind == "revisit" else fields.mime,
        digest=digest,
    )


def _fields(kind: str, url: str, headers: StatusAndHeaders, block: LimitReader) -> HttpFields:
    if kind not in _HTTP_TYPES:
        return HttpFields(mime=mime_of(headers.get_header("Content-Type")))
    if not block.limit or not url.startswith(("http:", "https:")):
        return HttpFields()
    return read_http_fields(block)


def _digest_of_rest(block: LimitReader) -> str:
    """The payload's digest, for records written without one."""
    digest = hashlib.sha1(usedforsecurity=False)
    while piece := block.read(_PIECE):
        digest.update(piece)
    return "sha1:" + base64.b32encode(digest.digest()).decode("ascii")
