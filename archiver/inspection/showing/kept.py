"""The capture that stands for an address at a time, with its payload: redirects and revisits are followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.archive.cdxj.lines import mime_of, target_uri
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.memento.captures import is_memento, nearest
from archiver.archive.retrieval import read_archived
from archiver.archive.warc.wire import split_response
from archiver.urls import is_web, request_url

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

# As many as browsers follow, at most.
_MOST_REDIRECTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCopy:
    """A capture and what it shows."""

    line: CdxLine
    status: int | None
    content_type: str | None
    body: bytes  # its codings undone
    # Where it sends its reader, as an address of the Web.
    location: str | None = None

    @property
    def mime(self) -> str:
        return (mime_of(self.content_type) or "").strip().lower()


def kept_at(index: Index, warc_folder: Path, url: str, at: datetime) -> KeptCopy | None:
    """The capture of an address nearest to a moment, a redirect as it is; None where there is none."""
    line = nearest(index, url, at)
    copy = read_copy(index, warc_folder, line) if line is not None else None
    if copy is None or copy.location is None or not _is_same(copy.location, url):
        return copy
    # From http to https, or to www.: the index does not tell them apart. What it leads to is meant.
    meant = nearest(index, url, at, _is_answer)
    return read_copy(index, warc_folder, meant) if meant is not None else None


def followed(index: Index, warc_folder: Path, url: str, at: datetime) -> KeptCopy | None:
    """The same, and where it is a redirect, what it leads to."""
    for _ in range(_MOST_REDIRECTS):
        copy = kept_at(index, warc_folder, url, at)
        if copy is None or copy.location is None:
            return copy
        url = copy.location
    return None


def read_copy(index: Index, warc_folder: Path, line: CdxLine) -> KeptCopy:
    response = read_archived(index, warc_folder, line)
    # What a 304 leaves out, the original has.
    own, original = split_response(response.head), split_response(response.block)
    target = own.header("Location") or ""
    is_redirect = own.status is not None and 300 <= own.status < 400 and bool(target)
    return KeptCopy(
        line=line,
        status=own.status,
        content_type=own.header("Content-Type") or original.header("Content-Type"),
        body=response.body,
        location=_absolute(line.url, target) if is_redirect else None,
    )


def _is_answer(line: CdxLine) -> bool:
    return is_memento(line) and not (line.status or "").startswith("3")


def _absolute(base: str, target: str) -> str | None:
    try:
        found = urljoin(base, target)
    except ValueError:
        return None
    return request_url(found) if is_web(found) else None


def _is_same(url: str, other: str) -> bool:
    return surt_key(target_uri(request_url(url))) == surt_key(target_uri(request_url(other)))
