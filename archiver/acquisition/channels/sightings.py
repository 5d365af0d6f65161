"""What a document tells of how long its feed lists each entry: which came, which went, which vanished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from archiver.documents.feeds.entries import EntryChanges

# Why an article is looked at whose entry went from the middle of its feed.
VANISHED = "its entry vanished from the middle of its feed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntry:
    """An entry that was there when its feed was last looked at, and where it first stood."""

    sighting_id: int
    page_id: int | None
    place: int
    seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CameEntry:
    """Where an entry first stood, and the last look before it: None where it may have been there."""

    place: int
    not_before: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSeen:
    """What one document tells."""

    came: Mapping[str, CameEntry]  # by their keys
    gone: tuple[int, ...] = ()  # the numbers of sightings that ended
    vanished: tuple[int, ...] = ()  # the pages of those that went from the middle of the feed


def document_seen(
    listed: Mapping[str, ListedEntry],
    changes: EntryChanges,
    *,
    last_look: datetime | None,
    is_whole: bool,
    was_noted: bool,
) -> DocumentSeen:
    """Compare a document with what was listed before it.

    `was_noted` says whether anything of this feed was ever noted: what was known before that may have been
    listed for long.
    """
    shown = set(changes.shown)
    gone = [one for key, one in listed.items() if key not in shown] if is_whole else []
    came = {key: place for place, key in enumerate(changes.shown) if key not in listed}
    new = {entry.key for entry in changes.new}
    is_certain = was_noted or new >= came.keys()
    return DocumentSeen(
        came={
            key: CameEntry(place=place, not_before=last_look if is_certain or key in new else None)
            for key, place in came.items()
        },
        gone=tuple(one.sighting_id for one in gone),
        vanished=gone_from_the_middle(listed.values(), gone, has_new=bool(came)),
    )


def gone_from_the_middle(
    listed: Collection[ListedEntry], gone: Collection[ListedEntry], *, has_new: bool
) -> tuple[int, ...]:
    """The pages of those that have neither aged out of the feed nor been its newest.

    Entries of one document may stand in either order: there, others must be left on both sides.
    """
    left = {one.sighting_id for one in gone}
    kept = [one for one in listed if one.sighting_id not in left]
    found = [one for one in gone if _has_older(one, kept) and (has_new or _has_newer(one, kept))]
    return tuple(one.page_id for one in found if one.page_id is not None)


def _has_older(one: ListedEntry, kept: Sequence[ListedEntry]) -> bool:
    return any(other.seen < one.seen for other in kept) or _is_between(one, kept)


def _has_newer(one: ListedEntry, kept: Sequence[ListedEntry]) -> bool:
    return any(other.seen > one.seen for other in kept) or _is_between(one, kept)


def _is_between(one: ListedEntry, kept: Sequence[ListedEntry]) -> bool:
    places = [other.place for other in kept if other.seen == one.seen]
    return min(places, default=one.place) < one.place < max(places, default=one.place)
