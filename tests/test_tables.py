"""Tables fit their window, whatever is in them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.display.tables import Coloured, TableColumn, display_width, folded, shortened, table_lines
from archiver.display.when import when

COLUMNS = (
    TableColumn(title="no.", is_number=True),
    TableColumn(title="url", narrowest=10),
    TableColumn(title="title", narrowest=6, is_optional=True),
    TableColumn(title="status"),
)
ROWS = (
    ("1", "http://example.org/feed.xml", "The Example", "active"),
    ("12", "http://example.net/", "東京の新聞", Coloured("failing", "red")),
)


def test_a_table_has_a_heading_and_a_line_for_each_row() -> None:
    assert list(table_lines(COLUMNS, ROWS, width=80)) == [
        "no.  url                          title        status",
        "  1  http://example.org/feed.xml  The Example  active",
        " 12  http://example.net/          東京の新聞   failing",
    ]


def test_long_cells_are_shortened_before_columns_are_left_out() -> None:
    assert list(table_lines(COLUMNS, ROWS, width=40)) == [
        "no.  url            title        status",
        "  1  http://examp…  The Example  active",
        " 12  http://examp…  東京の新聞   failing",
    ]
    assert list(table_lines(COLUMNS, ROWS, width=26)) == [
        "no.  url           status",
        "  1  http://exam…  active",
        " 12  http://exam…  failing",
    ]


def test_without_a_window_nothing_is_shortened() -> None:
    long = "http://example.org/" + "x" * 500
    assert long in "".join(table_lines(COLUMNS, [("1", long, "t", "active")], width=None))


def test_colours_take_no_room() -> None:
    def paint(text: str, colour: str) -> str:
        return f"<{colour}>{text}</>"

    lines = list(table_lines(COLUMNS, ROWS, width=60, paint=paint))
    assert lines[2].endswith("<red>failing</>")
    assert lines[0].startswith("<bold>no.</>  <bold>url</>      ")


@given(
    st.lists(st.tuples(*[st.text(max_size=60)] * len(COLUMNS)), max_size=5),
    st.integers(1, 200),
)
def test_no_line_is_wider_than_the_window_nor_gives_orders_to_it(
    rows: list[tuple[str, ...]], width: int
) -> None:
    lines = list(table_lines(COLUMNS, rows, width=width))
    assert len(lines) == len(rows) + 1
    for line in lines:
        assert display_width(line) <= width
        assert line.isprintable()


@given(st.text(max_size=40), st.integers(0, 50))
def test_a_shortened_text_is_no_wider_and_says_that_it_was_cut(text: str, width: int) -> None:
    short = shortened(text, width)
    assert display_width(short) <= width
    assert short == text or short.endswith("…") or not width


@pytest.mark.parametrize(
    ("ahead", "told"),
    [
        (timedelta(seconds=2), "now"),
        (timedelta(seconds=40), "in 40 seconds"),
        (timedelta(minutes=-89), "89 minutes ago"),
        (timedelta(minutes=-91), "2 hours ago"),
        (timedelta(hours=30), "in 30 hours"),
        (timedelta(days=-3), "3 days ago"),
        (timedelta(days=100), "in 3 months"),
        (timedelta(days=-800), "2 years ago"),
    ],
)
def test_times_are_told_in_the_unit_that_says_enough(ahead: timedelta, told: str) -> None:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    assert when(now + ahead, now) == told


def test_a_text_is_folded_between_words_and_long_words_stay_whole() -> None:
    text = "Channel failing: http://example.org/a/long/address: timed out"
    assert folded(text, 20) == "Channel failing:\n  http://example.org/a/long/address:\n  timed out"
    assert folded(text, None) == text
    assert folded("  Labels    one two", 15, indent=" " * 12) == "  Labels    one\n            two"


def test_colours_take_no_room_where_a_text_is_folded() -> None:
    painted = "\x1b[1mone\x1b[0m two"
    assert folded(painted, 7) == painted
    assert folded(painted, 6) == "\x1b[1mone\x1b[0m\n  two"
