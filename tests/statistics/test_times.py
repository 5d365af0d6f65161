"""When entries were published, as far as anybody can know."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from archiver.inspection.statistics.times import (
    Period,
    SeenEntry,
    believed_date,
    intervals,
    publication_times,
)

SEEN = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def dated(hours_before: float, seen: datetime = SEEN) -> SeenEntry:
    return SeenEntry(first_seen=seen, published=SEEN - hours_before * HOUR)


def undated(seen: datetime) -> SeenEntry:
    return SeenEntry(first_seen=seen)


def test_dates_are_put_in_order() -> None:
    found = publication_times([dated(1), dated(5), dated(3)])
    assert found.times == (SEEN - 5 * HOUR, SEEN - 3 * HOUR, SEEN - HOUR)
    assert (found.dated, found.first_seen, found.unknown, found.entries) == (3, 0, 0, 3)
    assert intervals(found.times) == [7200.0, 7200.0]


def test_two_entries_of_the_same_moment_are_no_time_apart() -> None:
    assert intervals(publication_times([dated(1), dated(1)]).times) == [0.0]


def test_placeholders_and_the_future_are_not_believed() -> None:
    for wrong in (datetime(1970, 1, 1, tzinfo=UTC), SEEN + 15 * HOUR, SEEN + timedelta(days=400)):
        assert believed_date(SeenEntry(first_seen=SEEN, published=wrong)) is None
    zone = SEEN + 2 * HOUR
    assert believed_date(SeenEntry(first_seen=SEEN, published=zone)) == zone


def test_a_date_of_update_stands_in_until_the_entry_was_edited() -> None:
    updated = SeenEntry(first_seen=SEEN, updated=SEEN - HOUR)
    assert believed_date(updated) == SEEN - HOUR
    assert believed_date(updated._replace(is_edited=True)) is None
    both = SeenEntry(first_seen=SEEN, published=SEEN - 9 * HOUR, updated=SEEN - HOUR)
    assert believed_date(both) == SEEN - 9 * HOUR


def test_undated_entries_go_by_when_they_were_first_seen_but_not_those_of_the_first_poll() -> None:
    found = publication_times([undated(SEEN), undated(SEEN), undated(SEEN + HOUR), undated(SEEN + 3 * HOUR)])
    assert found.times == (SEEN + HOUR, SEEN + 3 * HOUR)
    assert (found.dated, found.first_seen, found.unknown) == (0, 2, 2)


def test_undated_entries_that_one_poll_found_are_one_update() -> None:
    later = SEEN + HOUR
    found = publication_times([dated(4), undated(later), undated(later)])
    assert found.times == (SEEN - 4 * HOUR, later)
    assert (found.dated, found.first_seen, found.entries) == (1, 2, 3)


def test_a_period_has_both_its_ends_and_nothing_of_unknown_time() -> None:
    entries = [dated(5), dated(3), dated(1), undated(SEEN), undated(SEEN + HOUR)]
    found = publication_times(entries, Period(since=SEEN - 3 * HOUR, until=SEEN - HOUR))
    assert found.times == (SEEN - 3 * HOUR, SEEN - HOUR)
    assert found.entries == 2
    assert publication_times(entries, Period(since=SEEN)).times == (SEEN + HOUR,)
    assert publication_times(entries, Period(until=SEEN - 4 * HOUR)).times == (SEEN - 5 * HOUR,)


def test_nothing_comes_of_nothing() -> None:
    found = publication_times([])
    assert (found.times, found.entries, intervals(found.times)) == ((), 0, [])
