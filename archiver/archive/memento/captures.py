"""Which captures are mementos, and which is nearest to a time: found in the index however many there are."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import target_uri, timestamp
from archiver.archive.cdxj.surt import surt_key
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

# Failures that follow each other are passed over, up to so many.
_LOOKED_AT = 1000
_DIGITS = 14  # of a time in the index


def is_memento(line: CdxLine) -> bool:
    """Whether a capture shows a state of the resource: an answer, a redirect, or a reference to one.

    An error page, or the answer of a server that fails, does not show the resource.
    """
    if line.status is None or not line.status.isdecimal():
        # A server said that nothing changed: what is meant is what was there before.
        return line.is_revisit
    return 200 <= int(line.status) < 400


def captures_of(index: Index, url: str) -> list[CdxLine]:
    """The mementos of an address, the oldest first; one for each second and spelling of the address."""
    found: dict[tuple[str, str], CdxLine] = {}
    for line in index.captures(request_url(url)):
        if is_memento(line):
            # Its address has no fractions of a second: the first of two is the one that is meant.
            found.setdefault((line.timestamp, line.url), line)
    return list(found.values())


def nearest(
    index: Index, url: str, at: datetime, accepts: Callable[[CdxLine], bool] = is_memento
) -> CdxLine | None:
    """The memento nearest to a moment, the earlier of two; None where there is none.

    With `accepts`, the capture of which that is true.
    """
    found = index.nearest(request_url(url), at)
    if found is None or accepts(found):
        return found
    # A failure is nearest: those on both sides of it, to the second of the moment and after it.
    stamp = timestamp(at)
    upto = next(filter(accepts, islice(index.newest(request_url(url), stamp), _LOOKED_AT)), None)
    after = next(filter(accepts, islice(_later(index, url, stamp), _LOOKED_AT)), None)
    both = [one for one in (upto, after) if one is not None]
    best = min(both, key=lambda line: abs(line.date - at), default=None)
    if best is None:
        return None
    # Of one second, the first.
    return next(filter(accepts, index.range(f"{_key(url)} {best.timestamp}")), best)


def memento_before(index: Index, url: str, stamp: str) -> CdxLine | None:
    """The last memento before this second."""
    earlier = (line for line in index.newest(request_url(url), stamp) if line.timestamp < stamp)
    return next(filter(is_memento, islice(earlier, _LOOKED_AT)), None)


def memento_after(index: Index, url: str, stamp: str) -> CdxLine | None:
    """The first memento after this second."""
    return next(filter(is_memento, islice(_later(index, url, stamp), _LOOKED_AT)), None)


def _later(index: Index, url: str, stamp: str) -> Iterator[CdxLine]:
    """Digit by digit: the index finds what begins so, and later times differ from this one in some digit."""
    for place in range(_DIGITS - 1, -1, -1):
        for digit in range(int(stamp[place]) + 1, 10):
            yield from index.range(f"{_key(url)} {stamp[:place]}{digit}")


def _key(url: str) -> str:
    return surt_key(target_uri(request_url(url)))
