"""Where a captured redirect leads."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.archive.warc.reader import read_block
from archiver.archive.warc.wire import split_response
from archiver.errors import RecordError
from archiver.urls import is_web, request_url

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine


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
