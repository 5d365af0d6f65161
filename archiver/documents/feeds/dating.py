"""How far the dates of a feed's entries can be believed, as only the whole document shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.documents.times.model import Bracket  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.documents.times.order import are_of_poll, neighbours_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.documents.feeds.model import FeedEntry

# Of longer documents the end is old, and was seen before.
_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Dating:
    """Between which dates a document lists an entry, and whether it dates its entries at all."""

    between: Bracket | None = None
    of_poll: bool = False


def datings(entries: Sequence[FeedEntry], fetched: datetime) -> list[Dating]:
    """One for each of the first entries of a document."""
    dates = [entry.published.utc if entry.published else None for entry in entries[:_MOST]]
    of_poll = are_of_poll(dates, fetched)
    return [Dating(between=neighbours_in(dates, place), of_poll=of_poll) for place in range(len(dates))]
