"""Captures found by URL and time, and the originals of revisits."""

from __future__ import annotations

import difflib
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import target_uri, timestamp
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.warc.reader import read_head
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.warc.reader import RecordHead

# How much of the index is looked through for URLs that are like one.
_LOOKED_AT = 2000
_ALTERNATIVES = 5


def find_capture(index: Index, url: str, at: datetime | None) -> CdxLine | None:
    """The capture of a URL nearest to a moment, or the newest."""
    lines = index.lookup(request_url(url), at) if at else list(reversed(index.captures(request_url(url))))
    # The index does not tell http from https, nor A from a: the very URL comes first.
    exact = target_uri(request_url(url))
    return next((line for line in lines if line.url == exact), next(iter(lines), None))


def find_original(index: Index, warc_folder: Path, revisit: RecordHead) -> CdxLine | None:
    """The record that a revisit refers to."""
    headers = revisit.headers
    url, date = headers.get("warc-refers-to-target-uri"), headers.get("warc-refers-to-date")
    if not url or not date:
        return None
    try:
        stamp = timestamp(datetime.fromisoformat(date))
    except ValueError:
        return None
    for line in index.range(f"{surt_key(target_uri(url))} {stamp}"):
        if not line.is_revisit and _is_meant(read_head(warc_folder, line.filename, line.offset), headers):
            return line
    return None


def _is_meant(found: RecordHead, headers: Mapping[str, str]) -> bool:
    return found.id == headers.get("warc-refers-to", found.id)


def similar_urls(index: Index, url: str) -> list[str]:
    """URLs in the archive that are most like this one, of the same folder or else of the same host."""
    wanted = target_uri(request_url(url))
    for prefix in _prefixes(surt_key(wanted)):
        found = dict.fromkeys(line.url for line in islice(index.range(prefix), _LOOKED_AT))
        if found:
            return difflib.get_close_matches(wanted, found, _ALTERNATIVES, cutoff=0)
    return []


def _prefixes(key: str) -> Iterator[str]:
    """The key without its query, then its folders from the innermost, then its host."""
    path = key.partition("?")[0]
    yield path
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path + "/"
    yield key.partition(")")[0]
