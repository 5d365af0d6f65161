"""Styles and images of the archive: the capture of one that is nearest to a moment."""

from __future__ import annotations

import re
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.lines import mime_of, target_uri
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.retrieval import read_archived, redirect_of
from archiver.archive.warc.reader import read_head
from archiver.archive.warc.wire import split_response
from archiver.documents.requisites.model import StoredFile
from archiver.errors import ArchiverError
from archiver.urls import is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.documents.requisites.model import Kind, Stored

# A type that may be handed to a browser as what it says: no parameter, nothing to end an attribute with.
_IMAGE = re.compile(r"image/[a-z0-9][a-z0-9.+-]{0,40}")
# Browsers take nothing else for a style: often it is a page that says that there is none.
_STYLE = "text/css"
_MOST_HOPS = 3
# Captures of a style with other queries that are looked at; captures of one address.
_LOOKED_AT = 200


class KeptRequisite(msgspec.Struct, frozen=True, kw_only=True):
    """What was kept of a style or an image, and the capture that it is of."""

    url: str  # behind redirects
    content_type: str
    payload: bytes
    captured: datetime
    record_id: str
    file: str
    offset: int


def find_requisite(index: Index, url: str, at: datetime, kind: Kind = "image") -> CdxLine | None:
    """The capture to show for an address; from the index alone, so that many can be asked for.

    A style whose address has a query that was never fetched is shown as it was with another one.
    """
    if not is_web(url):
        return None
    try:
        address = request_url(url)
    except ValueError:
        return None
    nearest = index.nearest(address, at)
    if nearest is not None and _is_answer(nearest):
        return nearest
    others = islice(reversed(index.captures(address)), _LOOKED_AT) if nearest is not None else iter(())
    found = _nearest(others, at)
    if found is None and kind == "style":
        found = _nearest(islice(_with_other_queries(index, address), _LOOKED_AT), at)
    return found


def kept_requisite(
    index: Index, warc_folder: Path, url: str, at: datetime, kind: Kind = "image"
) -> KeptRequisite | None:
    """The style or image of an address as it was; None where the archive has none that can be shown."""
    try:
        for _ in range(_MOST_HOPS):
            line = find_requisite(index, url, at, kind)
            if line is None:
                return None
            onward = redirect_of(warc_folder, line)
            if not onward:
                return _read(index, warc_folder, line, kind)
            url = onward[0]
    except (ArchiverError, ValueError):
        # Damaged, or not an address: `scrapy verify` tells of the first.
        return None
    return None


def stored_files(index: Index, warc_folder: Path, at: datetime) -> Stored:
    """The same for pages that are shown: what they need is looked up as it was at a moment."""

    def stored(url: str, kind: Kind) -> StoredFile | None:
        found = kept_requisite(index, warc_folder, url, at, kind)
        if found is None:
            return None
        return StoredFile(url=found.url, content_type=found.content_type, body=found.payload)

    return stored


def _read(index: Index, warc_folder: Path, line: CdxLine, kind: Kind) -> KeptRequisite | None:
    response = read_archived(index, warc_folder, line)
    content_type = split_response(response.head).header("Content-Type") or ""
    mime = (mime_of(content_type) or "").lower()
    if not response.body or not (mime == _STYLE if kind == "style" else _IMAGE.fullmatch(mime)):
        return None
    return KeptRequisite(
        url=line.url,
        content_type=content_type if kind == "style" else mime,
        payload=response.body,
        captured=line.date,
        record_id=read_head(warc_folder, line.filename, line.offset).id,
        file=line.filename,
        offset=line.offset,
    )


def _is_answer(line: CdxLine) -> bool:
    return line.is_revisit or line.status == "200" or (line.status or "").startswith("3")


def _nearest(lines: Iterator[CdxLine], at: datetime) -> CdxLine | None:
    return min(filter(_is_answer, lines), key=lambda line: abs(line.date - at), default=None)


def _with_other_queries(index: Index, address: str) -> Iterator[CdxLine]:
    place, mark, _ = surt_key(target_uri(address)).partition("?")
    return index.range(f"{place}?") if mark else iter(())
