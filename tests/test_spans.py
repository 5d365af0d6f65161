"""Times as a person types them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from archiver.display.spans import parse_span

MOMENT = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-02T07:05:09Z",
        "2026-03-02t07:05:09.75z",
        "2026-03-02 07:05:09",
        "2026-03-02T08:05:09+01:00",
        "20260302070509",
        " 20260302070509 ",
    ],
)
def test_a_time_means_its_second(text: str) -> None:
    span = parse_span(text)
    assert span.first == MOMENT
    assert span.last == MOMENT.replace(microsecond=999_999)


@pytest.mark.parametrize("text", ["2026-03-02", "20260302"])
def test_a_date_means_the_whole_day(text: str) -> None:
    span = parse_span(text)
    assert span.first == datetime(2026, 3, 2, tzinfo=UTC)
    assert span.last == datetime(2026, 3, 2, 23, 59, 59, 999_999, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-02-30", "20260230000000", "9999-12-31", "2026-03-02T25:00"]
)
def test_what_is_no_time_is_refused_with_advice(text: str) -> None:
    with pytest.raises(ValueError, match="write 2026-03-02"):
        parse_span(text)
