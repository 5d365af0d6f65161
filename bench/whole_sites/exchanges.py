"""HTTP exchanges of a crawl, read from its WARC files in the order of writing."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    url: str
    status: int
    content_type: str
    body: bytes

    @property
    def is_page(self) -> bool:
        return self.status == 200 and "html" in self.content_type

    @property
    def is_robots(self) -> bool:
        return urlsplit(self.url).path == "/robots.txt"


def exchanges_in(paths: Iterable[Path]) -> Iterator[Exchange]:
    """Read each response; one whose payload was captured before has no body, and is a request like others."""
    for path in paths:
        with path.open("rb") as stream:
            try:
                yield from filter(None, map(_exchange, ArchiveIterator(stream)))
            except (ArchiveLoadFailed, EOFError, zlib.error):
                # A crawl that was ended leaves half a record.
                continue


def _exchange(record: Any) -> Exchange | None:
    if record.rec_type not in {"response", "revisit"} or record.http_headers is None:
        return None
    return Exchange(
        url=record.rec_headers.get_header("WARC-Target-URI").strip("<>"),
        status=int(record.http_headers.get_statuscode()),
        content_type=record.http_headers.get_header("Content-Type") or "",
        body=record.content_stream().read(),
    )
