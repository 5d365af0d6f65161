"""What publishers wish, read from heads and feeds: what makes no sense counts for nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polling.wishes import Wishes, joined, wishes_of_head
from archiver.clock import http_date
from archiver.documents.feeds.model import FeedDate, FeedInfo

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DATE = "Mon, 02 Mar 2026 07:00:00 GMT"


def head(**headers: str) -> Wishes:
    return wishes_of_head({name.replace("_", "-"): value for name, value in headers.items()}, NOW)


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("max-age=3600", 3600),
        ("public, MAX-AGE = 3600, must-revalidate", 3600),
        ('max-age="60"', 60),
        ("max-age=0", 0),
        ("max-age=-1", None),
        ("s-maxage=60", None),
        ("max-age=soon", None),
        ("no-cache, max-age=3600", None),
        ("max-age=3600, no-store", None),
        ('no-cache="Set-Cookie", max-age=60', 60),
        ("max-age=" + "9" * 400, 10**9),
        ("", None),
    ],
)
def test_max_age_counts_where_it_is_one(control: str, seconds: int | None) -> None:
    assert head(cache_control=control).max_age == (None if seconds is None else timedelta(seconds=seconds))


@pytest.mark.parametrize(("age", "left"), [("600", 3000), ("99999", 0), ("-5", 3600), ("old", 3600)])
def test_time_in_caches_is_time_that_passed(age: str, left: int) -> None:
    assert head(cache_control="max-age=3600", age=age).max_age == timedelta(seconds=left)


@pytest.mark.parametrize(
    ("expires", "date", "wait"),
    [
        ("Mon, 02 Mar 2026 08:00:00 GMT", DATE, HOUR),
        ("Mon, 02 Mar 2026 08:00:00 GMT", "", HOUR),
        # A clock that is three years slow still knows how long an hour is.
        ("Thu, 02 Mar 2023 08:00:00 GMT", "Thu, 02 Mar 2023 07:00:00 GMT", HOUR),
        ("Mon, 02 Mar 2026 06:00:00 GMT", DATE, timedelta()),
        ("0", DATE, None),
        ("-1", DATE, None),
        ("never", DATE, None),
    ],
)
def test_expires_counts_by_the_servers_own_clock(expires: str, date: str, wait: timedelta | None) -> None:
    assert head(expires=expires, date=date).expires == wait


def test_what_must_not_be_kept_does_not_expire() -> None:
    assert head(cache_control="no-cache", expires="Mon, 02 Mar 2026 08:00:00 GMT").expires is None


def test_an_answer_may_carry_retry_after() -> None:
    assert head(retry_after="7200").retry_after == 2 * HOUR


def test_a_leap_second_is_the_second_after_it() -> None:
    assert http_date("Sat, 31 Dec 2016 23:59:60 GMT") == datetime(2017, 1, 1, tzinfo=UTC)


@given(st.text(max_size=60))
def test_whatever_a_server_calls_a_date_is_one_or_none(text: str) -> None:
    found = http_date(text)
    assert found is None or found.utcoffset() == timedelta()


@given(
    st.dictionaries(st.sampled_from(["cache-control", "age", "expires", "date", "retry-after"]), st.text())
)
def test_whatever_a_head_says_can_be_kept_and_is_no_debt(headers: dict[str, str]) -> None:
    wishes = wishes_of_head(headers, NOW)
    spans = (wishes.max_age, wishes.expires, wishes.retry_after)
    assert all(span is None or span >= timedelta() for span in spans)
    assert msgspec.json.decode(msgspec.json.encode(wishes), type=Wishes) == wishes


INFO = FeedInfo(
    ttl=90,
    skip_hours=(1, 2),
    skip_days=("Sunday",),
    update_period="daily",
    update_frequency=4,
    update_base=FeedDate(text="2026-01-01", utc=datetime(2026, 1, 1, tzinfo=UTC)),
)


def test_the_feed_says_the_rest() -> None:
    wishes = joined(None, head(cache_control="max-age=60"), INFO, at=NOW, has_validators=True)
    assert (wishes.max_age, wishes.ttl) == (timedelta(minutes=1), timedelta(minutes=90))
    assert (wishes.skip_hours, wishes.skip_days) == ((1, 2), ("Sunday",))
    assert (wishes.update_period, wishes.update_frequency) == ("daily", 4)
    assert wishes.update_base == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_304_leaves_what_the_feed_said_and_renews_what_the_head_said() -> None:
    before = joined(
        None, head(cache_control="max-age=60", retry_after="9"), INFO, at=NOW, has_validators=True
    )
    after = joined(before, wishes_of_head({}, NOW), None, at=NOW + HOUR, has_validators=None)
    assert (after.at, after.max_age, after.retry_after) == (NOW + HOUR, None, None)
    assert (after.ttl, after.has_validators) == (timedelta(minutes=90), True)


def test_a_feed_that_no_longer_wishes_anything_is_believed() -> None:
    before = joined(None, head(), INFO, at=NOW, has_validators=True)
    after = joined(before, head(), FeedInfo(), at=NOW, has_validators=False)
    assert after == Wishes(at=NOW)
