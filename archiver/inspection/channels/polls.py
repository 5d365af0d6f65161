"""What the polls of a channel were answered with, from the index of the WARC files."""

from __future__ import annotations

import heapq
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.inspection.channels.model import PollNote
from archiver.store.schema import addresses, validators
from archiver.urls import redact, request_url

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

# A server may have sent a feed from one address to the next for years.
_MOST_ADDRESSES = 20


def addresses_of(state: Connection, row: Row[Any]) -> list[str]:
    """Where a channel is and was asked for."""
    moved = select(addresses.c.url).where(addresses.c.channel_id == row.id).limit(_MOST_ADDRESSES)
    passed = select(validators.c.url).where(validators.c.channel_id == row.id).limit(_MOST_ADDRESSES)
    found = [row.url, row.seed_url, *state.execute(moved).scalars(), *state.execute(passed).scalars()]
    return list(dict.fromkeys(request_url(url) for url in found))[:_MOST_ADDRESSES]


def poll_history(index: Index, urls: Iterable[str], limit: int) -> tuple[PollNote, ...]:
    """The newest answers, the last one first."""
    lines = heapq.merge(*(index.newest(url) for url in urls), key=lambda line: line.timestamp, reverse=True)
    return tuple(map(_note, islice(lines, limit)))


def _note(line: CdxLine) -> PollNote:
    status = int(line.status) if line.status and line.status.isdecimal() and len(line.status) < 5 else None
    # The index has no status where the record refers to what was there before: the server said 304.
    if status is None and line.is_revisit:
        status = 304
    return PollNote(
        time=line.date,
        url=redact(line.url),
        status=status,
        outcome=_outcome(status, is_revisit=line.is_revisit),
        bytes=line.length,
    )


def _outcome(status: int | None, *, is_revisit: bool) -> str:
    if status == 304:
        return "not_modified"
    if status is None or status >= 400:
        return "failed"
    if status >= 300:
        return "redirect"
    return "same" if is_revisit else "document"
