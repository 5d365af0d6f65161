"""The captures before and after a time, found in the index however many there are."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import target_uri
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.memento.timemap import is_memento
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

# Failures that follow each other are passed over, up to so many.
_LOOKED_AT = 1000
_DIGITS = 14


def memento_before(index: Index, url: str, stamp: str) -> CdxLine | None:
    """The last memento before this second."""
    earlier = (line for line in index.newest(request_url(url), stamp) if line.timestamp < stamp)
    return next(filter(is_memento, islice(earlier, _LOOKED_AT)), None)


def memento_after(index: Index, url: str, stamp: str) -> CdxLine | None:
    """The first memento after this second."""
    return next(filter(is_memento, islice(_later(index, url, stamp), _LOOKED_AT)), None)


def _later(index: Index, url: str, stamp: str) -> Iterator[CdxLine]:
    """Digit by digit: the index finds what begins so, and later times differ from this one in some digit."""
    key = surt_key(target_uri(request_url(url)))
    for place in range(_DIGITS - 1, -1, -1):
        for digit in range(int(stamp[place]) + 1, 10):
            yield from index.range(f"{key} {stamp[:place]}{digit}")
