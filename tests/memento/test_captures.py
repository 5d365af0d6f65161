"""Which captures are mementos, and which is nearest to a time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.files import write_lines
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.lines import REVISIT, line_for
from archiver.archive.memento.captures import captures_of, memento_after, memento_before, nearest
from tests.warc.cdxj_samples import START

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://a.example/page"


def index_of(folder: Path, *captures: tuple[int, str | None, str], url: str = URL) -> Index:
    """Captures by the second, the status and the type."""
    lines = [
        line_for(
            url=url,
            date=START + timedelta(seconds=second),
            length=10,
            offset=offset,
            filename="a.warc.gz",
            status=status,
            mime=mime,
        )
        for offset, (second, status, mime) in enumerate(captures)
    ]
    write_lines(folder / "index", "a.warc.gz", lines)
    return Index(folder / "index")


def seconds(index: Index, url: str = URL) -> list[int]:
    return [int((line.date - START).total_seconds()) for line in captures_of(index, url)]


@pytest.mark.parametrize(
    ("status", "mime"),
    [
        ("200", "text/html"),
        ("301", "text/html"),
        ("203", "x/y"),
        ("200", REVISIT),
        ("302", REVISIT),
        (None, REVISIT),
    ],
)
def test_answers_redirects_and_references_to_them_are_mementos(
    tmp_path: Path, status: str | None, mime: str
) -> None:
    assert seconds(index_of(tmp_path, (3, status, mime))) == [3]


@pytest.mark.parametrize(
    ("status", "mime"),
    [("404", "text/html"), ("500", "text/html"), ("410", REVISIT), (None, "text/html"), ("0", "text/html")],
)
def test_failures_are_not(tmp_path: Path, status: str | None, mime: str) -> None:
    index = index_of(tmp_path, (3, status, mime))
    assert captures_of(index, URL) == []
    assert nearest(index, URL, START) is None


def test_they_come_in_order_and_one_for_each_second(tmp_path: Path) -> None:
    index = index_of(tmp_path, (5, "200", "a/b"), (1, "200", "a/b"), (5, "200", REVISIT))
    assert seconds(index) == [1, 5]


def test_nearest_is_the_one_before_or_after(tmp_path: Path) -> None:
    index = index_of(tmp_path, (10, "200", "a/b"), (20, "200", "a/b"))

    def found(second: int) -> int:
        line = nearest(index, URL, START + timedelta(seconds=second))
        assert line is not None
        return int((line.date - START).total_seconds())

    assert [found(second) for second in (-100, 14, 15, 16, 1000)] == [10, 10, 10, 20, 20]


def test_a_failure_that_is_nearer_is_passed_over(tmp_path: Path) -> None:
    index = index_of(tmp_path, (10, "200", "a/b"), (20, "503", "a/b"))
    line = nearest(index, URL, START + timedelta(seconds=19))
    assert line is not None
    assert line.date == START + timedelta(seconds=10)


def test_an_address_that_was_never_captured_has_none(tmp_path: Path) -> None:
    index = index_of(tmp_path, (10, "200", "a/b"))
    assert captures_of(index, "http://b.example/") == []
    assert nearest(index, "http://b.example/", START) is None


@pytest.mark.parametrize("at", range(0, 130, 7))
def test_among_failures_the_nearest_is_what_a_look_at_all_finds(tmp_path: Path, at: int) -> None:
    statuses = {
        0: "200",
        3: "500",
        30: "404",
        31: "200",
        60: "503",
        61: "500",
        62: "301",
        100: "500",
        128: "404",
    }
    index = index_of(tmp_path, *((second, status, "a/b") for second, status in statuses.items()))
    moment = START + timedelta(seconds=at)
    expected = min(captures_of(index, URL), key=lambda line: abs(line.date - moment))
    assert nearest(index, URL, moment) == expected


def test_long_before_all_captures_the_first_is_nearest(tmp_path: Path) -> None:
    index = index_of(tmp_path, (0, "404", "a/b"), (10, "200", "a/b"), (20, "200", "a/b"), (30, "500", "a/b"))
    for year in (1, 999, 1000):
        found = nearest(index, URL, START.replace(year=year))
        assert found is not None
        assert found.date == START + timedelta(seconds=10)


def test_those_before_and_after_a_time_are_mementos(tmp_path: Path) -> None:
    days = 86_400
    captures = (
        (0, "200"),
        (5, "500"),
        (9, "200"),
        (9, "404"),
        (10, "500"),
        (40 * days, "301"),
        (400 * days, "200"),
    )
    index = index_of(tmp_path, *((second, status, "a/b") for second, status in captures))
    lines = captures_of(index, URL)
    for place, line in enumerate(lines):
        assert memento_before(index, URL, line.timestamp) == (lines[place - 1] if place else None)
        assert memento_after(index, URL, line.timestamp) == next(iter(lines[place + 1 :]), None)
    assert memento_after(index, URL, "00000000000000") == lines[0]
    assert memento_before(index, URL, "99999999999999") == lines[-1]
