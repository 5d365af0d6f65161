"""Two documents without anything in common are a gap; much that looks like one is none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from archiver.acquisition.channels.gaps.detect import Shown, is_gap, moment_of, overlaps, words_of
from archiver.documents.feeds.model import FeedDate, FeedEntry

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
EVERYTHING = range(100)


def entry(number: int, **other: object) -> FeedEntry:
    date = NOON + timedelta(hours=number)
    values = {
        "id": str(number),
        "link": f"http://example.org/{number}",
        "title": f"Title {number}",
        "published": FeedDate(text=date.isoformat(), utc=date),
    }
    return FeedEntry(**values | other)  # type: ignore[arg-type] # by name


def undated(number: int) -> FeedEntry:
    return entry(number, published=None)


def document(*numbers: int) -> list[FeedEntry]:
    return [entry(number) for number in numbers]


KNOWN = {words_of(entry(number)) for number in range(5)}


def is_one(found: list[FeedEntry], new: set[int], shown_before: int | None = 5) -> bool:
    return is_gap(found, new, known_words=KNOWN, shown_before=shown_before)


def test_everything_is_new() -> None:
    assert is_one(document(9, 8, 7), {0, 1, 2})
    assert is_one([undated(9), undated(8)], {0, 1})
    assert is_one(document(9), {0})


def test_one_known_entry_at_the_end_is_an_overlap() -> None:
    assert not is_one(document(9, 8, 4), {0, 1})
    assert not is_one([undated(9), undated(8), undated(4)], {0, 1})


def test_a_document_with_its_oldest_entries_first_overlaps() -> None:
    assert not is_one(document(4, 7, 8, 9), {1, 2, 3})


def test_without_dates_any_known_entry_is_an_overlap() -> None:
    assert not is_one([undated(4), undated(9), undated(8), undated(7)], {1, 2, 3})


def test_an_entry_that_is_pinned_to_the_top_hides_no_gap() -> None:
    assert is_one(document(0, 9, 8, 7), {1, 2, 3})
    assert is_one(document(0, 1, 9, 8, 7), {2, 3, 4})


def test_a_first_poll_shows_no_gap() -> None:
    assert not is_gap(document(9, 8), {0, 1}, known_words=set(), shown_before=None)


def test_an_empty_document_shows_no_gap_nor_does_what_comes_after_it() -> None:
    assert not is_one([], set())
    assert not is_one(document(9, 8), {0, 1}, shown_before=0)
    assert is_one(document(9, 8), {0, 1}, shown_before=None)


def test_a_feed_that_renames_everything_at_every_poll_shows_no_gap() -> None:
    renamed = [
        entry(number, id=f"session {number}", link=f"http://example.org/?s=7&n={number}") for number in (4, 3)
    ]
    assert not is_one(renamed, {0, 1})
    mostly = [*renamed, entry(9), entry(8), entry(7)]
    assert is_one(mostly, {0, 1, 2, 3, 4})


def test_entries_without_words_are_told_by_their_identity() -> None:
    bare = [FeedEntry(id=str(number)) for number in (9, 8)]
    assert is_gap(bare, {0, 1}, known_words={""} | KNOWN, shown_before=2)


@pytest.mark.parametrize(
    ("known", "expected"),
    [("", False), ("n", False), ("k", True), ("nk", True), ("nnkk", True), ("knk", True), ("nkn", True)],
)
def test_overlap_by_order_alone(known: str, expected: bool) -> None:
    assert overlaps([Shown(known=one == "k") for one in known]) is expected


def test_a_date_without_an_hour_is_taken_for_the_days_end() -> None:
    assert moment_of(entry(1, published=FeedDate(text="2026-03-02"))) == datetime(
        2026, 3, 2, 23, 59, 59, 999999, tzinfo=UTC
    )
    assert moment_of(entry(1, published=FeedDate(text="some day"))) is None
    assert moment_of(undated(1)) is None
    updated = FeedDate(text="x", utc=NOON)
    assert moment_of(entry(1, published=None, updated=updated)) == NOON
