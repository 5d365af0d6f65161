"""Entries that went from the middle of their feed, where older and newer ones still are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import update

from archiver.store.batches import batches
from archiver.store.schema import pages

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

WHY = "its entry vanished from the middle of its feed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntry:
    """An entry that was there when its feed was last looked at, and where it first stood."""

    sighting_id: int
    page_id: int | None
    place: int
    seen: datetime


def gone_from_the_middle(
    listed: Collection[ListedEntry], gone: Collection[ListedEntry], *, has_new: bool
) -> list[int]:
    """The pages of those that have neither aged out of the feed nor been its newest.

    Entries of one document may stand in either order: there, others must be left on both sides.
    """
    left = {one.sighting_id for one in gone}
    kept = [one for one in listed if one.sighting_id not in left]
    found = [one for one in gone if _has_older(one, kept) and (has_new or _has_newer(one, kept))]
    return [one.page_id for one in found if one.page_id is not None]


def _has_older(one: ListedEntry, kept: Sequence[ListedEntry]) -> bool:
    return any(other.seen < one.seen for other in kept) or _is_between(one, kept)


def _has_newer(one: ListedEntry, kept: Sequence[ListedEntry]) -> bool:
    return any(other.seen > one.seen for other in kept) or _is_between(one, kept)


def _is_between(one: ListedEntry, kept: Sequence[ListedEntry]) -> bool:
    places = [other.place for other in kept if other.seen == one.seen]
    return min(places, default=one.place) < one.place < max(places, default=one.place)


def look_now(connection: Connection, page_ids: Sequence[int], now: datetime) -> None:
    """Have these articles be due, also those that were settled for good; within the share of rechecks."""
    for some in batches(page_ids):
        watched = pages.c.id.in_(some) & pages.c.article_id.is_not(None) & pages.c.missing.is_(None)
        late = pages.c.recheck.is_(None) | (pages.c.recheck > now)
        due = update(pages).where(watched, pages.c.state == "settled", late)
        connection.execute(due.values(recheck=now, why=WHY))
