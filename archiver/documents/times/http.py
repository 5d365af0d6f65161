"""Evidence from the head of an HTTP response: when the server wrote the page, where that can be told."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from archiver.clock import http_date
from archiver.documents.times.model import Evidence, Source, What, Why

if TYPE_CHECKING:
    from collections.abc import Iterable

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A page that was made for the request is a moment older than its answer, or by a slow clock younger.
_MADE_NOW = timedelta(seconds=5)
# Two ways to write the time of one file: HTTP has no fractions of seconds.
_SAME = timedelta(seconds=2)
# nginx: seconds and size. Apache: perhaps the inode, size, microseconds. What a compression adds is behind.
_NGINX = re.compile(r"([0-9a-f]{8})-[0-9a-f]{1,10}")
_APACHE = re.compile(r"(?:[0-9a-f]{1,16}-)?[0-9a-f]{1,10}-([0-9a-f]{13,14})")
_COMPRESSED = re.compile(r"(?:-(?:gzip|br|zstd|df)|;(?:gzip|br|zstd))+$")
# A hexadecimal number that is a time of the web.
_SINCE, _UNTIL = datetime(1995, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


def from_head(headers: Iterable[tuple[str, str]]) -> list[Evidence]:
    """When the page was written: nothing where it was made for this request."""
    fields = {name.lower(): value for name, value in reversed(list(headers))}
    now, text = http_date(fields.get("date", "")), fields.get("last-modified", "")
    modified = http_date(text)
    if modified is not None and now is not None and modified > now - _MADE_NOW:
        modified = None
    found = [_evidence(Source.HTTP, modified, text)] if modified is not None else []
    tag = fields.get("etag", "")
    written = time_in_etag(tag)
    if written is None or (now is not None and written > now):
        return found
    # Both are the time of one file: where they differ, a proxy on the way has changed one of them.
    is_rewritten = modified is not None and abs(written - modified) > _SAME
    return [*found, _evidence(Source.ETAG, written, tag, Why.REWRITTEN if is_rewritten else None)]


def time_in_etag(tag: str) -> datetime | None:
    """The time of the file, where the tag has the form in which nginx or Apache write it."""
    bare = _COMPRESSED.sub("", tag.strip().removeprefix("W/").strip('"').lower())
    if found := _APACHE.fullmatch(bare):
        written = _EPOCH + timedelta(microseconds=int(found.group(1), 16))
    elif found := _NGINX.fullmatch(bare):
        written = _EPOCH + timedelta(seconds=int(found.group(1), 16))
    else:
        return None
    return written if _SINCE <= written <= _UNTIL else None


def _evidence(source: Source, at: datetime, text: str, doubt: Why | None = None) -> Evidence:
    return Evidence(what=What.MODIFIED, source=source, at=at, text=text[:100], doubt=doubt)
