"""What a status means, and how long a server asks us to stay away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.outcomes import Failure, failure_of_status, retry_after

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
MOST = timedelta(days=30)


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (200, None),
        (203, None),
        (226, None),
        (304, None),
        (300, Failure.REDIRECTS),
        (302, Failure.REDIRECTS),
        (308, Failure.REDIRECTS),
        (400, Failure.CLIENT_ERROR),
        (401, Failure.REFUSED),
        (403, Failure.REFUSED),
        (404, Failure.NOT_FOUND),
        (410, Failure.GONE),
        (418, Failure.CLIENT_ERROR),
        (429, Failure.RATE_LIMITED),
        (451, Failure.REFUSED),
        (500, Failure.SERVER_ERROR),
        (503, Failure.UNAVAILABLE),
        (999, Failure.SERVER_ERROR),
    ],
)
def test_each_status_has_its_own_meaning(status: int, failure: Failure | None) -> None:
    assert failure_of_status(status) is failure


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("120", timedelta(minutes=2)),
        (" 120 ", timedelta(minutes=2)),
        ("0", timedelta()),
        ("007", timedelta(seconds=7)),
        ("Mon, 02 Mar 2026 08:00:00 GMT", timedelta(hours=1)),
        ("Monday, 02-Mar-26 08:00:00 GMT", timedelta(hours=1)),
        ("Mon Mar  2 08:00:00 2026", timedelta(hours=1)),
        ("Mon, 02 Mar 2026 09:00:00 +0100", timedelta(hours=1)),
        ("Mon, 02 Mar 2026 06:00:00 GMT", timedelta()),
    ],
)
def test_the_wait_is_read_from_seconds_and_dates(header: str, wait: timedelta) -> None:
    assert retry_after(header, NOW) == wait


@pytest.mark.parametrize(
    "header", ["31536000", "9" * 5000, "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 -2300"]
)
def test_nobody_silences_a_channel_for_years(header: str) -> None:
    assert retry_after(header, NOW) == MOST


@pytest.mark.parametrize(
    "header",
    [None, "", " ", "soon", "-5", "1.5", "1e3", "١٢", "Mon, 01 Jan 2024 00:00:00 +99999999999999999999"],
)
def test_a_header_that_says_nothing_is_no_wait(header: str | None) -> None:
    assert retry_after(header, NOW) is None


@given(st.text("0123456789 MonJanGMT:,+-ADPSTZ\t()", max_size=45) | st.text(max_size=20))
def test_no_header_can_break_a_poll(header: str) -> None:
    wait = retry_after(header, NOW)
    assert wait is None or timedelta() <= wait <= MOST


@given(st.datetimes(datetime(2026, 3, 2, 7), datetime(2026, 3, 30)))  # noqa: DTZ001 - given its zone below
def test_a_date_is_waited_for_to_the_second(moment: datetime) -> None:
    aware = moment.replace(microsecond=0, tzinfo=UTC)
    assert retry_after(format_datetime(aware, usegmt=True), NOW) == aware - NOW
