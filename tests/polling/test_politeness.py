"""How soon a channel may be asked: the floor, what publishers wish, and when their wishes give way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.decide import Decisions, floored
from archiver.acquisition.channels.polling.politeness import Politeness, earliest
from archiver.acquisition.channels.polling.wishes import Wishes
from tests.polling.test_schedule import INTERVALS, MOMENTS, WISHES

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)  # a Monday
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
POLITENESS = Politeness()
ANY_POLITENESS = st.builds(
    Politeness, floor=INTERVALS, floor_blind=INTERVALS, floor_urgent=INTERVALS, longest_wish=INTERVALS
)


def wait_for(wishes: Wishes, **other: datetime) -> timedelta:
    return earliest(replace(wishes, has_validators=True), POLITENESS, NOW, **other)[0] - NOW


@given(WISHES, ANY_POLITENESS, MOMENTS, st.none() | MOMENTS, st.none() | MOMENTS)
def test_never_in_the_past_never_below_the_floor_never_below_retry_after_never_beyond_the_cap(
    wishes: Wishes, politeness: Politeness, now: datetime, wanted: datetime | None, loses: datetime | None
) -> None:
    at, why = earliest(wishes, politeness, now, wanted=wanted, loses=loses)
    start = min(wishes.at or now, now)
    first = max(wanted or now, now)
    floor = politeness.floor if wishes.has_validators else max(politeness.floor, politeness.floor_blind)
    asked = start + (wishes.retry_after or timedelta())
    lowest = start + floor
    if loses is not None and loses < lowest:
        lowest = max(loses, start + min(floor, politeness.floor_urgent))
    assert at >= max(first, lowest, asked)
    assert at <= max(first + politeness.longest_wish, start + floor, asked)
    assert bool(why) == (at > first)


@given(WISHES, MOMENTS, st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]))
def test_the_zone_in_which_somebody_writes_the_time_changes_nothing(
    wishes: Wishes, now: datetime, zone: str
) -> None:
    assert earliest(wishes, POLITENESS, now.astimezone(ZoneInfo(zone))) == earliest(wishes, POLITENESS, now)


@given(WISHES, MOMENTS, st.timedeltas(timedelta(seconds=1), timedelta(days=9000)))
def test_a_clock_that_was_set_back_keeps_nobody_waiting_for_the_time_it_was_set_back_by(
    wishes: Wishes, now: datetime, jump: timedelta
) -> None:
    assert earliest(replace(wishes, at=now + jump), POLITENESS, now) == earliest(
        replace(wishes, at=now), POLITENESS, now
    )


def test_the_floor_is_longer_for_whoever_moves_the_whole_feed() -> None:
    assert earliest(Wishes(has_validators=True), POLITENESS, NOW) == (
        NOW + 30 * MINUTE,
        "not sooner than 30 min after a poll",
    )
    assert earliest(Wishes(), POLITENESS, NOW) == (
        NOW + 50 * MINUTE,
        "not sooner than 50 min after a poll, for want of validators",
    )


@pytest.mark.parametrize(
    ("wishes", "wait"),
    [
        (Wishes(max_age=2 * HOUR), 2 * HOUR),
        (Wishes(max_age=MINUTE), 30 * MINUTE),
        (Wishes(max_age=timedelta(), expires=9 * HOUR), 30 * MINUTE),
        (Wishes(expires=9 * HOUR), 9 * HOUR),
        (Wishes(ttl=3 * HOUR, max_age=2 * HOUR), 3 * HOUR),
        (Wishes(update_period="hourly"), HOUR),
        (Wishes(update_period="daily", update_frequency=4), 6 * HOUR),
        (Wishes(update_period="daily", update_frequency=0), DAY),
        (Wishes(update_period="fortnightly"), 30 * MINUTE),
        # By the feed's own plan the next update is at 12:00.
        (
            Wishes(
                update_period="daily", update_frequency=2, update_base=datetime(2020, 1, 1, 12, tzinfo=UTC)
            ),
            5 * HOUR,
        ),
        (Wishes(skip_hours=(7, 8, 9)), 3 * HOUR),
        (Wishes(skip_hours=(6, 8)), 30 * MINUTE),
        (Wishes(skip_days=("Monday",)), 17 * HOUR),
        (Wishes(skip_hours=(0, 1), skip_days=("Monday",)), 19 * HOUR),
        # Half past seven would be in an hour that is left out.
        (Wishes(skip_hours=(7,)), HOUR),
        # Somewhere in the hours that are left out: then after them.
        (Wishes(ttl=2 * HOUR, skip_hours=(9,)), 3 * HOUR),
    ],
)
def test_what_publishers_wish_is_done(wishes: Wishes, wait: timedelta) -> None:
    assert wait_for(wishes) == wait


@pytest.mark.parametrize(
    "silly",
    [
        Wishes(ttl=timedelta(days=4000)),
        Wishes(max_age=timedelta(days=365)),
        Wishes(expires=timedelta(days=3650)),
        Wishes(update_period="yearly"),
        Wishes(skip_hours=tuple(range(24))),
        Wishes(skip_days=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")),
        Wishes(skip_days=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")),
    ],
)
def test_nobody_silences_a_channel_for_more_than_a_day(silly: Wishes) -> None:
    assert wait_for(silly) <= DAY


def test_the_hours_left_out_count_for_whatever_moment_was_wanted() -> None:
    night = Wishes(skip_hours=(22, 23, 0, 1, 2, 3, 4, 5))
    assert wait_for(night, wanted=NOW + 8 * HOUR) == 8 * HOUR
    assert wait_for(night, wanted=NOW + 16 * HOUR) == 23 * HOUR


def test_a_wish_gives_way_where_entries_would_be_lost_and_no_further() -> None:
    wishes = Wishes(ttl=DAY)
    assert wait_for(wishes, loses=NOW + 5 * HOUR) == 5 * HOUR
    assert wait_for(wishes, loses=NOW + 2 * DAY) == DAY
    assert (
        earliest(wishes, POLITENESS, NOW, loses=NOW + 5 * HOUR)[1]
        == "the feed's ttl of 1 d, but entries would be lost"
    )


def test_to_a_wish_the_floor_does_not_give_way_and_nor_does_retry_after_to_anything() -> None:
    assert wait_for(Wishes(ttl=DAY), loses=NOW) == 30 * MINUTE
    assert wait_for(Wishes(ttl=HOUR, retry_after=2 * DAY), loses=NOW) == 2 * DAY
    assert wait_for(Wishes(retry_after=20 * MINUTE), loses=NOW) == 20 * MINUTE


@pytest.mark.parametrize("has_validators", [True, False])
def test_the_floor_gives_way_where_a_feed_would_overrun_as_far_as_it_must_and_to_five_minutes_at_most(
    has_validators: bool,
) -> None:
    """A feed that is all new is sent as a whole, validators or not."""
    wishes = Wishes(has_validators=has_validators)
    assert earliest(wishes, POLITENESS, NOW, loses=NOW + 12 * MINUTE) == (
        NOW + 12 * MINUTE,
        f"sooner than {30 if has_validators else 50} min after a poll, since entries would be lost",
    )
    assert earliest(wishes, POLITENESS, NOW, loses=NOW)[0] == NOW + 5 * MINUTE
    assert earliest(wishes, POLITENESS, NOW, wanted=NOW + 20 * MINUTE, loses=NOW + 12 * MINUTE) == (
        NOW + 20 * MINUTE,
        "",
    )


@pytest.mark.parametrize(
    ("wishes", "wait"),
    [
        (Wishes(max_age=MINUTE), 8 * MINUTE),
        (Wishes(max_age=10 * MINUTE), 10 * MINUTE),
        (Wishes(expires=10 * MINUTE), 10 * MINUTE),
        (Wishes(ttl=HOUR), 30 * MINUTE),
        (Wishes(update_period="hourly", update_frequency=4), 15 * MINUTE),
        (Wishes(update_period="hourly"), 30 * MINUTE),
        (Wishes(skip_hours=(7,)), 30 * MINUTE),
        (Wishes(skip_days=("Monday",)), 30 * MINUTE),
        (Wishes(skip_hours=(8,)), 8 * MINUTE),
    ],
)
def test_the_floor_gives_way_no_further_than_the_publisher_asks(wishes: Wishes, wait: timedelta) -> None:
    assert wait_for(wishes, loses=NOW + 8 * MINUTE) == wait


@given(st.integers(0, 10**6), st.integers(0, 10**6), ANY_POLITENESS)
def test_the_crawl_keeps_the_floor_that_the_simulation_keeps(
    wanted: int, later: int, politeness: Politeness
) -> None:
    """What is wanted is never later than what is lost: `decide` sees to that."""
    full = wanted + later
    wait, loses = (NOW + timedelta(seconds=span) for span in (wanted, full))
    found = Decisions(
        wait=np.array([float(wanted)]),
        reason=np.zeros(1, np.int64),
        expected=np.zeros(1),
        full=np.array([float(full)]),
    )
    floor, urgent = (one.total_seconds() for one in (politeness.floor, politeness.floor_urgent))
    at, _ = earliest(Wishes(has_validators=True), politeness, NOW, wanted=wait, loses=loses)
    assert at == NOW + timedelta(seconds=float(floored(found, floor, urgent)[0]))
