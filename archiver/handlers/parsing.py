"""Responses parsed as browsers parse them, where Twisted and Scrapy would refuse what is odd but clear."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from twisted.web.http_headers import InvalidHeaderName

from archiver.archive.warc.chunks import ChunkReader
from archiver.archive.warc.wire import listed_codings
from archiver.handlers.internals import ClientParser, DataLoss, ParseError

if TYPE_CHECKING:
    from collections.abc import Callable

# As in browsers. Twisted bounds the lines of a head, not their number: one without end would fill the memory.
LONGEST_HEAD = 256 * 1024
_TRANSFER_ENCODING = b"Transfer-Encoding"
# RFC 9110, 15: three digits, from 100 on. Any other number is told as itself, or as this one if it is less,
# so that it is never taken for a success.
_STATUS = re.compile(rb"[1-9]\d\d")
_NO_STATUS = 999


class ChunkedDecoder:
    """Decodes chunks for Twisted, in place of its own decoder, which refuses what browsers take."""

    def __init__(self, on_data: Callable[[bytes], None], on_end: Callable[[bytes], None]) -> None:
        self._reader = ChunkReader()
        self._on_data = on_data
        self._on_end = on_end

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        for piece in self._reader.feed(data):
            self._on_data(piece)
        if self._reader.is_done:
            self._on_end(self._reader.rest)

    def noMoreData(self) -> None:  # noqa: N802 - Twisted's name
        if not self._reader.is_done:
            raise DataLoss("the connection closed between or within chunks")


class LenientParser(ClientParser, decoders={b"chunked": ChunkedDecoder}):
    """Scrapy's parser, which takes the long lines, odd names, chunks and codings that browsers take."""

    MAX_LENGTH = LONGEST_HEAD

    def statusReceived(self, status: bytes) -> None:  # noqa: N802 - Twisted's name
        """Take a number that is not a status for a failure, and read what comes with it all the same."""
        version, _, rest = status.partition(b" ")
        code, space, phrase = rest.partition(b" ")
        if code.isdigit() and not _STATUS.fullmatch(code):
            code = b"%d" % max(int(code[:9]), _NO_STATUS)
        elif not code.isdigit():  # Python takes +200 and 2_00 for numbers
            raise ParseError("non-integer status code", status)  # type: ignore[no-untyped-call]
        super().statusReceived(b" ".join((version, code)) + space + phrase)  # type: ignore[no-untyped-call]

    def headerReceived(self, name: bytes, value: bytes) -> None:  # noqa: N802 - Twisted's name
        with suppress(InvalidHeaderName):  # passed over, like a line without a colon
            super().headerReceived(name.rstrip(b" \t"), value)  # type: ignore[no-untyped-call]

    def allHeadersReceived(self) -> None:  # noqa: N802 - Twisted's name
        """Leave one of the transfer codings: Twisted ends in an error where it does not know the first."""
        lines = self.connHeaders.getRawHeaders(_TRANSFER_ENCODING, [])
        if lines:
            self.connHeaders.removeHeader(_TRANSFER_ENCODING)
            # As in browsers: other codings do not tell where a body ends.
            if "chunked" in listed_codings(line.decode("latin-1") for line in lines):
                self.connHeaders.addRawHeader(_TRANSFER_ENCODING, b"chunked")
        super().allHeadersReceived()  # type: ignore[no-untyped-call]
