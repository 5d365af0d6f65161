"""Which entries a feed listed at a moment, and in which order, from the spans in which it was seen to."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from archiver.inspection.rebuild.model import Grounds, ShownEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from archiver.store.polling.sightings import SightingSpan


def listed_at(spans: Iterable[SightingSpan], at: datetime, last_look: datetime) -> list[ShownEntry]:
    """The entries that were listed then, in the order of the feed.

    Between two documents, what the later one brought counts from the time on at which it says that it was
    published; what it no longer had, until something newer takes its place.
    """
    spans = list(spans)
    before = in_order(span for span in spans if span.seen <= at and (span.left is None or span.left > at))
    came = [span for span in spans if span.not_before is not None and span.not_before <= at < span.seen]
    stayed = [span for span in before if _stayed(span, came)]
    slots = _slots(stayed, came, at)
    shown = _joined(before, stayed, slots)
    # New entries come first, but for some feeds last: at the other end old ones go.
    is_newest_last = any(slots) and 2 * max(slots) > len(stayed)
    kept = _within(shown, _window(before, stayed, came), at, from_front=is_newest_last)
    return [ShownEntry(entry_id=span.entry_id, grounds=_grounds(span, at, last_look)) for span in kept]


def in_order(spans: Iterable[SightingSpan]) -> list[SightingSpan]:
    """As the feed had them: each document put its new entries at their places among the old ones."""
    found: list[SightingSpan] = []
    for _, batch in groupby(sorted(spans, key=lambda span: span.seen), key=lambda span: span.seen):
        for span in sorted(batch, key=lambda span: span.place):
            found.insert(span.place, span)
    return found


def _slots(
    stayed: Sequence[SightingSpan], came: Sequence[SightingSpan], at: datetime
) -> dict[int, list[SightingSpan]]:
    """What had been published since, by how many of those that stayed stand above it."""
    shown = sorted((span for span in came if _was_shown(span)), key=lambda span: span.place)
    missed = sorted((span for span in came if not _was_shown(span)), key=_newest_first)
    slots: dict[int, list[SightingSpan]] = {}
    for above, span in enumerate(shown):
        if _was_published(span, at):
            slots.setdefault(min(span.place - above, len(stayed)), []).append(span)
    # They are older than all that the later document shows, and newer than all of the earlier one.
    if found := [span for span in missed if _was_published(span, at)]:
        slots.setdefault(0, []).extend(found)
    return slots


def _joined(
    before: Sequence[SightingSpan],
    stayed: Sequence[SightingSpan],
    slots: Mapping[int, Sequence[SightingSpan]],
) -> list[SightingSpan]:
    found = list(slots.get(0, ()))
    place_of = {id(span): number for number, span in enumerate(stayed, start=1)}
    for span in before:
        found.append(span)
        found.extend(slots.get(place_of.get(id(span), -1), ()))
    return found


def _within(
    spans: Sequence[SightingSpan], window: int, at: datetime, *, from_front: bool
) -> list[SightingSpan]:
    """Without those that newer ones pushed out, at the end where old ones are."""
    ends = spans if from_front else spans[::-1]
    may_go = [span for span in ends if not _is_sure(span, at)]
    gone = {id(span) for span in may_go[: max(0, len(spans) - window)]}
    return [span for span in spans if id(span) not in gone]


def _window(
    before: Sequence[SightingSpan], stayed: Sequence[SightingSpan], came: Sequence[SightingSpan]
) -> int:
    """How many entries the feed has room for, by the documents before and after."""
    return max(len(before), len(stayed) + sum(map(_was_shown, came)))


def _stayed(span: SightingSpan, came: Sequence[SightingSpan]) -> bool:
    """Whether the document that brought those still had it."""
    return span.left is None or not came or span.left > came[0].seen


def _was_shown(span: SightingSpan) -> bool:
    """Whether any document had it; what was found to fill a gap came and went between two."""
    return span.left != span.seen


def _was_published(span: SightingSpan, at: datetime) -> bool:
    return (
        span.published is not None and span.not_before is not None and span.not_before < span.published <= at
    )


def _newest_first(span: SightingSpan) -> float:
    return -span.published.timestamp() if span.published else 0.0


def _is_sure(span: SightingSpan, at: datetime) -> bool:
    return span.seen <= at and (span.left is None or (span.left_after is not None and span.left_after >= at))


def _grounds(span: SightingSpan, at: datetime, last_look: datetime) -> Grounds:
    if span.seen > at:
        return Grounds.PUBLISHED
    if not _is_sure(span, at):
        return Grounds.NOT_YET_GONE
    return Grounds.LAST_KNOWN if span.left is None and at > last_look else Grounds.SHOWN
