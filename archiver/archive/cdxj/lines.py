"""One line of a CDXJ index, from what was written or from what was read back: the same either way."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.submitted import SubmittedQuery
from archiver.archive.cdxj.surt import surt_key
from archiver.errors import ArchiveError

if TYPE_CHECKING:
    from typing import Protocol

    from warcio.statusandheaders import StatusAndHeadersParser

    class Stream(Protocol):
        """What warcio reads a head from."""

        def readline(self, length: int | None = None, /) -> bytes: ...


REVISIT = "warc/revisit"
_STAMP = "%Y%m%d%H%M%S"
_END_OF_MIME = re.compile(r"[;\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpFields:
    """What a line says about an HTTP head. None where the head doesn't say, empty where it says nothing."""

    status: str | None = None
    mime: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CdxLine:
    """A capture, as the index knows it."""

    key: str
    timestamp: str
    url: str
    mime: str | None
    status: str | None
    digest: str | None
    length: int
    offset: int
    filename: str
    submitted: SubmittedQuery | None = None

    @property
    def date(self) -> datetime:
        return datetime.strptime(self.timestamp, _STAMP).replace(tzinfo=UTC)

    @property
    def is_revisit(self) -> bool:
        return self.mime == REVISIT


class _Fields(msgspec.Struct):
    """The JSON of a line: in an index, numbers are strings."""

    url: str = ""
    mime: str | None = None
    status: str | None = None
    digest: str | None = None
    length: str = "0"
    offset: str = "0"
    filename: str = ""
    requestBody: str = ""  # noqa: N815 - the name that pywb knows
    method: str = ""


_decoder = msgspec.json.Decoder(_Fields)


def line_for(  # noqa: PLR0913 - a line has so many fields
    *,
    url: str,
    date: datetime,
    length: int,
    offset: int,
    filename: str,
    digest: str | None = None,
    status: str | None = None,
    mime: str | None = None,
    submitted: SubmittedQuery | None = None,
) -> str:
    """The line of a record, without an end of line. A revisit has the mime type `REVISIT`."""
    uri = target_uri(url)
    values: dict[str, str | None] = {"url": uri or None, "mime": mime, "status": status, "digest": digest}
    values |= {"length": str(length), "offset": str(offset), "filename": filename}
    if submitted is not None:
        values |= {"requestBody": submitted.query, "method": submitted.method}
    fields = json.dumps({name: value for name, value in values.items() if value is not None})
    return f"{surt_key(submitted.appended_to(uri) if submitted else uri)} {timestamp(date)} {fields}"


def parse_line(line: bytes) -> CdxLine:
    try:
        key, stamp, fields = line.decode().split(" ", 2)
        values = _decoder.decode(fields)
        length, offset = int(values.length), int(values.offset)
    except ValueError as error:
        raise ArchiveError(f"Not a line of a CDXJ index: {line[:200]!r}. Build the index again.") from error
    return CdxLine(
        key=key,
        timestamp=stamp,
        url=values.url,
        mime=values.mime,
        status=values.status,
        digest=values.digest,
        length=length,
        offset=offset,
        filename=values.filename,
        submitted=SubmittedQuery(method=values.method, query=values.requestBody) if values.method else None,
    )


def target_uri(url: str) -> str:
    """A URL as warcio reads it back from WARC-Target-URI."""
    return url.strip().replace(" ", "%20")


def timestamp(moment: datetime) -> str:
    # In years before 1000, no platform agrees on the digits of %Y.
    return moment.astimezone(UTC).strftime(_STAMP).rjust(14, "0")


def http_fields(head: bytes) -> HttpFields:
    """Status and type from the bytes of a response; what follows the head is not looked at."""
    return read_http_fields(BytesIO(head)) if head else HttpFields()


@lru_cache(maxsize=1)
def _head_parser() -> StatusAndHeadersParser:
    """As lenient as cdxj-indexer's: a head that is not HTTP is read as far as it goes."""
    # Takes long with all that it imports, and most commands that know the store read no head.
    from warcio.statusandheaders import StatusAndHeadersParser  # noqa: PLC0415

    return StatusAndHeadersParser([], verify=False)


def read_http_fields(stream: Stream) -> HttpFields:
    """The same from a stream, which is left where the body begins."""
    try:
        head = _head_parser().parse(stream)
    except EOFError:
        return HttpFields()
    if not head:
        return HttpFields()
    content_type = head.get_header("Content-Type")
    return HttpFields(status=head.get_statuscode(), mime=mime_of(content_type))


def mime_of(content_type: str | None) -> str | None:
    return None if content_type is None else _END_OF_MIME.split(content_type, maxsplit=1)[0]
