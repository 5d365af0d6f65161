"""The exchanges of a WARC file in their order: what was asked, what came, and why it was asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from archiver.archive.storage import open_archived
from archiver.archive.warc.members import members
from archiver.archive.warc.reader import RecordHead, parse_head
from archiver.archive.warc.records import PAYLOAD_DIGEST, RECEIVED_BYTES, SUBMISSION
from archiver.archive.warc.wire import WireResponse, parse_headers, split_response

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from io import BufferedReader
    from pathlib import Path

_ANSWERS = frozenset({"response", "revisit"})
_PIECE = 1 << 16
# A head that is longer is cut off: nothing that is looked for stands so far behind.
_LONGEST_HEAD = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptExchange:
    """A response or a revisit, without its body, and what its request and its metadata record say."""

    head: RecordHead
    date: datetime
    file: str
    offset: int
    size: int  # of the block
    wire: WireResponse  # its head; of a 304, none
    # Of the request.
    asked: Mapping[str, str] = field(default_factory=dict)
    # From the metadata record, such as the feed and the entry that led here.
    context: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return self.head.headers.get("warc-target-uri", "")

    @property
    def status(self) -> int | None:
        return self.wire.status if self.wire.head else 304

    @property
    def is_whole(self) -> bool:
        return "warc-truncated" not in self.head.headers

    @property
    def digest(self) -> str:
        return self.head.headers.get("warc-payload-digest", "")

    @property
    def sha256(self) -> str:
        return self.head.headers.get(PAYLOAD_DIGEST.lower(), "")

    @property
    def submission(self) -> str:
        return self.head.headers.get(SUBMISSION.lower(), "")

    @property
    def received_size(self) -> int:
        """How many bytes came; where that was not noted, as in older archives, those of the block."""
        noted = self.context.get(RECEIVED_BYTES.lower(), "")
        return int(noted) if noted.isascii() and noted.isdigit() else self.size


def kept_exchanges(path: Path) -> Iterator[KeptExchange]:
    """Every exchange of a file that was answered. ValueError, EOFError or zlib.error where it is damaged."""
    answered: KeptExchange | None = None
    with open_archived(path) as file:
        for member, content in members(file):
            head = _record_head(content)
            if head.kind in _ANSWERS:
                if answered is not None:
                    yield answered
                answered = _answer(head, content, path.name, member.offset)
            elif answered is not None and head.headers.get("warc-concurrent-to") == answered.head.id:
                answered = _completed(answered, head, content)
            while content.read(_PIECE):
                pass
    if answered is not None:
        yield answered


def _record_head(content: BufferedReader) -> RecordHead:
    return parse_head(_lines(content, _LONGEST_HEAD))


def _lines(content: BufferedReader, most: int) -> bytes:
    """The lines up to the first empty one."""
    lines: list[bytes] = []
    while most > 0 and (line := content.readline(most)) not in (b"", b"\r\n", b"\n"):
        lines.append(line)
        most -= len(line)
    return b"".join(lines)


def _answer(head: RecordHead, content: BufferedReader, file: str, offset: int) -> KeptExchange:
    size = int(head.headers.get("content-length", ""))
    block = content.read(min(size, _LONGEST_HEAD))
    wire = split_response(block) if block else WireResponse(interim=(), head=b"", body=b"")
    return KeptExchange(
        head=head,
        date=datetime.fromisoformat(head.headers.get("warc-date", "")),
        file=file,
        offset=offset,
        size=size,
        wire=replace(wire, body=b""),
    )


def _completed(answered: KeptExchange, head: RecordHead, content: BufferedReader) -> KeptExchange:
    """The exchange with what its request or its metadata record says."""
    lines = _lines(content, _LONGEST_HEAD)
    if head.kind == "request":
        return replace(answered, asked=_fields(lines))
    if head.kind == "metadata":
        told = _fields(b"\r\n" + lines)  # which have no first line of their own
        return replace(answered, context={name: _as_utf_8(value) for name, value in told.items()})
    return answered


def _fields(lines: bytes) -> dict[str, str]:
    """By names in lower case; of repeated ones the first."""
    return {name.lower(): value for name, value in reversed(parse_headers(lines))}


def _as_utf_8(value: str) -> str:
    return value.encode("latin-1").decode("utf-8", "replace")
