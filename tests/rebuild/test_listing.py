"""Which entries were listed at a moment, from the spans for which documents showed them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from archiver.inspection.rebuild.listing import listed_at
from archiver.inspection.rebuild.model import Grounds
from archiver.store.polling.sightings import SightingSpan

START = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)


def at(hours: float) -> datetime:
    return START + hours * HOUR


def span(number: int, place: int, seen: float, left: float | None = None, **other: Any) -> SightingSpan:
    """Documents came at full hours; the one before each an hour earlier."""
    hours = {
        "not_before": seen - 1,
        "left_after": None if left is None else left - 1,
        "published": None,
    } | other
    times = {name: None if hour is None else at(hour) for name, hour in hours.items()}
    gone = None if left is None else at(left)
    return SightingSpan(entry_id=number, place=place, seen=at(seen), left=gone, **times)


def numbers(spans: list[SightingSpan], hours: float, last_look: float = 100) -> list[int]:
    return [one.entry_id for one in listed_at(spans, at(hours), at(last_look))]


def grounds(spans: list[SightingSpan], hours: float, last_look: float = 100) -> dict[int, Grounds]:
    return {one.entry_id: one.grounds for one in listed_at(spans, at(hours), at(last_look))}


# Three at 0 o'clock; at 1 two newer ones came and the oldest two went.
OLD = [span(1, 0, 0), span(2, 1, 0, left=1), span(3, 2, 0, left=1)]
NEW = [span(4, 1, 1, published=0.4), span(5, 0, 1, published=0.8)]


def test_at_a_document_its_entries_are_listed_in_its_order() -> None:
    assert numbers(OLD + NEW, 0) == [1, 2, 3]
    assert numbers(OLD + NEW, 1) == [5, 4, 1]


def test_between_documents_an_entry_counts_from_when_it_was_published() -> None:
    assert numbers(OLD + NEW, 0.3) == [1, 2, 3]
    assert numbers(OLD + NEW, 0.5) == [4, 1, 2]
    assert numbers(OLD + NEW, 0.9) == [5, 4, 1]


def test_what_is_inferred_says_so() -> None:
    assert grounds(OLD + NEW, 0.5) == {
        1: Grounds.SHOWN,
        2: Grounds.NOT_YET_GONE,
        4: Grounds.PUBLISHED,
    }


def test_an_entry_without_a_date_or_with_one_of_another_time_counts_from_when_it_was_seen() -> None:
    late = [span(4, 0, 1), span(5, 1, 1, published=-20), span(6, 2, 1, published=7)]
    assert numbers(OLD + late, 0.9) == [1, 2, 3]
    assert numbers(OLD + late, 1) == [4, 5, 6, 1]


def test_what_nobody_pushed_out_stays_until_it_is_gone() -> None:
    """The publisher took it down some time before the next document."""
    spans = [span(1, 0, 0), span(2, 1, 0, left=1)]
    assert grounds(spans, 0.9) == {1: Grounds.SHOWN, 2: Grounds.NOT_YET_GONE}
    assert numbers(spans, 1) == [1]


def test_a_feed_that_grows_pushes_nothing_out() -> None:
    assert numbers([OLD[0], *NEW], 0.9) == [5, 4, 1]


def test_confirmed_by_a_304_an_entry_is_sure_up_to_then() -> None:
    spans = [span(1, 0, 0, left=3, left_after=2)]
    assert grounds(spans, 2) == {1: Grounds.SHOWN}
    assert grounds(spans, 2.5) == {1: Grounds.NOT_YET_GONE}


def test_after_the_last_look_the_last_list_is_all_that_is_known() -> None:
    assert grounds([OLD[0]], 5, last_look=1) == {1: Grounds.LAST_KNOWN}
    assert grounds([OLD[0]], 1, last_look=1) == {1: Grounds.SHOWN}


def test_before_anybody_looked_nothing_is_known() -> None:
    assert numbers([span(1, 0, 0, not_before=None, published=-1)], -0.5) == []


def test_entries_that_only_filling_a_gap_found_are_listed_between_the_documents() -> None:
    """A window of two: at one o'clock two others were there, and two had passed through."""
    before = [span(1, 0, 0, left=1), span(2, 1, 0, left=1)]
    missed = [
        span(3, 0, 1, left=1, left_after=None, published=0.2),
        span(4, 1, 1, left=1, left_after=None, published=0.3),
    ]
    after = [span(5, 1, 1, published=0.6), span(6, 0, 1, published=0.7)]
    spans = before + missed + after
    assert numbers(spans, 0.25) == [3, 1]
    assert numbers(spans, 0.5) == [4, 3]
    assert numbers(spans, 0.65) == [5, 4]
    assert numbers(spans, 0.9) == [6, 5]
    assert numbers(spans, 1) == [6, 5]


def test_a_feed_that_puts_new_entries_last_is_read_in_its_order() -> None:
    spans = [span(1, 0, 0, left=1), span(2, 1, 0), span(3, 2, 0), span(4, 2, 1, published=0.5)]
    assert numbers(spans, 0.4) == [1, 2, 3]
    assert numbers(spans, 0.6) == [2, 3, 4]
    assert numbers(spans, 1) == [2, 3, 4]


def test_an_entry_that_came_late_stands_at_its_place() -> None:
    assert numbers([span(1, 0, 0), span(2, 1, 0), span(3, 1, 2)], 2) == [1, 3, 2]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(1, 6), st.booleans())
def test_any_feed_that_keeps_the_order_of_its_entries_is_told_exactly(
    arrivals: list[int], window: int, is_newest_first: bool
) -> None:
    """Documents of a scripted feed become spans as the store notes them, and these the documents again."""
    documents, published = [], 0
    for count in arrivals:
        published += count
        listed = list(range(max(0, published - window), published))
        documents.append(listed[::-1] if is_newest_first else listed)
    spans = spans_of(documents)
    assert [numbers(spans, hour) for hour in range(len(documents))] == documents


def spans_of(documents: list[list[int]]) -> list[SightingSpan]:
    found: list[SightingSpan] = []
    for number in {one for document in documents for one in document}:
        hours = [hour for hour, document in enumerate(documents) if number in document]
        left = hours[-1] + 1 if hours[-1] + 1 < len(documents) else None
        found.append(span(number, documents[hours[0]].index(number), hours[0], left))
    return found
