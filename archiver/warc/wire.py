"""HTTP as it was on the wire: where the head ends, and what the chunks contain."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"^HTTP/\d(?:\.\d)?[ \t]+(\d{3})")
# 101 ends HTTP on this connection: what follows belongs to it.
_INTERIM = re.compile(rb"^HTTP/\d(?:\.\d)?[ \t]+1(?!01)\d\d")
_CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CUT_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]{0,15}[ \t]*(?:;[^\r\n]*)?\r?")
# Whatever their headers say.
_BODILESS = {204, 304}
_END_OF_LINE = re.compile(rb"\r?\n")
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

    @property
    def is_chunked(self) -> bool:
        """Chunked and nothing else: with a compression besides, taking the header off would hide it."""
        if self.status in _BODILESS:
            return False
        values = [value for key, value in self.headers() if key.lower() == "transfer-encoding"]
        codings = {coding.strip().lower() for value in values for coding in value.split(",")}
        return codings == {"chunked"}


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
    parts: list[bytes] = []
    position = 0
    while match := _CHUNK_SIZE.match(body, position):
        size = int(match.group(1), 16)
        if size == 0:
            return b"".join(parts)
        position = match.end() + size
        parts.append(body[match.end() : position])
        end_of_line = _END_OF_LINE.match(body, position)
        if end_of_line is None:
            return b"".join(parts) if body[position:] in (b"", b"\r") else None
        position = end_of_line.end()
    # Cut between or within the lines that tell sizes: nothing of the content is missing up to here.
    is_cut = bool(parts or not body) and _CUT_CHUNK_SIZE.fullmatch(body, position)
    return b"".join(parts) if is_cut else None


def without_transfer_coding(response: WireResponse) -> WireResponse:
    """The response with its chunks joined and that header gone; every other byte as received."""
    if not response.is_chunked:
        return response
    content = dechunk(response.body)
    if content is None:
        return response
    head = _TRANSFER_ENCODING.sub(b"", response.head)
    return WireResponse(interim=response.interim, head=head, body=content)
