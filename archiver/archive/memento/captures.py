"""Which captures of an address are mementos, and which of them is nearest to a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.urls import request_url

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine


def captures_of(index: Index, url: str) -> list[CdxLine]:
    """The mementos of an address, the oldest first; one for each second and spelling of the address."""
    found: dict[tuple[str, str], CdxLine] = {}
    for line in index.captures(request_url(url)):
        if is_memento(line):
            # Its address has no fractions of a second: the first of two is the one that is meant.
            found.setdefault((line.timestamp, line.url), line)
    return list(found.values())


def nearest(index: Index, url: str, at: datetime) -> CdxLine | None:
    """The memento nearest to a moment, the earlier of two; None where there is none."""
    found = index.nearest(request_url(url), at)
    if found is None or is_memento(found):
        return found
    # Seldom: a failure is nearest.
    return min(captures_of(index, url), key=lambda line: abs(line.date - at), default=None)


def is_memento(line: CdxLine) -> bool:
    """Whether a capture shows a state of the resource: an answer, a redirect, or a reference to one.

    What a server answers when it fails, or has no such page, is no state of what is there.
    """
    if line.status is None or not line.status.isdecimal():
        # A server said that nothing changed: what is meant is what was there before.
        return line.is_revisit
    return 200 <= int(line.status) < 400
