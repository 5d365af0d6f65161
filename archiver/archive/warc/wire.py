"""HTTP as it was on the wire: where the head ends, and what the chunks contain."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.archive.warc.chunks import ChunkReader, NotChunkedError

if TYPE_CHECKING:
    from collections.abc import Iterable

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
# Three digits and no more: 1000 is not 100.
_STATUS = re.compile(rb"^HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)")
# 101 ends HTTP on this connection: what follows belongs to it.
_INTERIM = re.compile(rb"^HTTP/\d(?:\.\d)?[ \t]+1(?!01)\d\d(?!\d)")
# Whatever their headers say.
_BODILESS = {204, 304}
_LINE_END = re.compile(r"\r?\n")
# A header line with the lines that continue it.
_TRANSFER_ENCODING = re.compile(rb"(?im)^transfer-encoding[ \t]*:.*(?:\n[ \t].*)*\n?")
# A line that some reader takes for the blank one.
_LOOKS_BLANK = re.compile(rb"(?m)^(?:[^\S\n]|[\x1c-\x1f\x80-\xff])*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class WireResponse:
    """One response, split where HTTP splits it. Bytes that are not HTTP are all head."""

    interim: tuple[bytes, ...]  # 1xx responses that came before
    head: bytes  # with the blank line that ends it
    body: bytes  # as received, chunks included

    @property
    def status(self) -> int | None:
        match = _STATUS.match(self.head)
        return int(match.group(1)) if match else None

    def headers(self) -> list[tuple[str, str]]:
        """Names and values for decisions; what is stored is `head`."""
        return parse_headers(self.head)

    def header(self, name: str) -> str | None:
        wanted = name.lower()
        return next((value for key, value in self.headers() if key.lower() == wanted), None)

    @property
    def is_plain(self) -> bool:
        """Whether everybody would say that the head ends here."""
        blank = _LOOKS_BLANK.search(self.head)
        return blank is None or blank.end() == len(self.head)

    def codings(self, name: str) -> list[str]:
        """What a header lists in the order in which it was applied, on one line or several."""
        wanted = name.lower()
        values = [value for key, value in self.headers() if key.lower() == wanted]
        return listed_codings(values)

    @property
    def is_chunked(self) -> bool:
        """Chunked and nothing else: with a compression besides, taking the header off would hide it."""
        if self.status in _BODILESS:
            return False
        return set(self.codings("Transfer-Encoding")) == {"chunked"}


def listed_codings(values: Iterable[str]) -> list[str]:
    """The codings that lines of a header list; `identity` means none."""
    codings = (coding.strip().lower() for value in values for coding in value.split(","))
    return [coding for coding in codings if coding not in ("", "identity")]


def parse_headers(head: bytes) -> list[tuple[str, str]]:
    lines: list[str] = []
    # Not splitlines(): it also splits at bytes that are letters in UTF-8.
    for line in _LINE_END.split(head.decode("latin-1"))[1:]:
        if line[:1] in (" ", "\t") and lines:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    pairs = (line.partition(":") for line in lines if ":" in line)
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def split_response(raw: bytes) -> WireResponse:
    """Tell interim responses, head and body apart."""
    interim: list[bytes] = []
    while True:
        end = _BLANK_LINE.search(raw)
        if end is None:
            return WireResponse(interim=tuple(interim), head=raw, body=b"")
        head, rest = raw[: end.end()], raw[end.end() :]
        # Where nothing came after an interim response, it is the response.
        if not rest or not _INTERIM.match(head):
            return WireResponse(interim=tuple(interim), head=head, body=rest)
        interim.append(head)
        raw = rest


def dechunk(body: bytes) -> bytes | None:
    """The content of a chunked body, as far as it came; None when it is not what chunks look like."""
    reader = ChunkReader()
    parts: list[bytes] = []
    try:
        parts.extend(reader.feed(body))
    except NotChunkedError:
        if not reader.has_content:
            return None
    return b"".join(parts) if reader.can_end_here() or not body else None


def without_transfer_coding(response: WireResponse) -> WireResponse:
    """The response with its chunks joined and that header gone; every other byte as received."""
    if not response.is_chunked:
        return response
    content = dechunk(response.body)
    if content is None:
        return response
    return without_transfer_header(replace(response, body=content))


def without_transfer_header(response: WireResponse) -> WireResponse:
    return replace(response, head=_TRANSFER_ENCODING.sub(b"", response.head))


# Formats that carry their own compression.
_COMPRESSED_TYPES = (
    "image/",
    "video/",
    "audio/",
    "font/woff",
    "application/zip",
    "application/pdf",
    "application/gzip",
)


def is_compressed(wire: WireResponse) -> bool:
    """Return whether compressing a body once more would win nothing."""
    kind = (wire.header("Content-Type") or "").lower()
    if kind.startswith(_COMPRESSED_TYPES) and not kind.startswith("image/svg"):
        return True
    return bool(wire.codings("Content-Encoding"))
