"""Seeds as CSV."""

from __future__ import annotations

from datetime import timedelta

import pytest

from archiver.errors import SeedError
from tests.seeds.seed_files import Read, reasons, urls


def test_columns_come_in_any_order_and_others_are_ignored(read: Read) -> None:
    found = read('Every, owner ,URL,label\n2h,me,https://a.example/,"x,y"\n,,https://b.example/,\n', "l.csv")
    assert [(seed.url, seed.labels, seed.every, seed.line) for seed in found.seeds] == [
        ("https://a.example/", ("x", "y"), timedelta(hours=2), 2),
        ("https://b.example/", (), None, 3),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_seen_in_the_header(read: Read, delimiter: str) -> None:
    lines = [delimiter.join(cells) for cells in (("url", "label"), ("https://a.example/", "x"))]
    (seed,) = read("\ufeff" + "\r\n".join(lines), "l.csv").seeds
    assert (seed.url, seed.labels) == ("https://a.example/", ("x",))


def test_lines_are_counted_as_in_the_file(read: Read) -> None:
    found = read('\nurl,label\n\nhttps://a.example/,"two\nlines"\nbad,\nhttps://b.example/\n', "l.csv")
    assert [(seed.line, seed.labels) for seed in found.seeds] == [(4, ("two lines",)), (7, ())]
    assert reasons(found) == ["l.csv:6: not a URL: bad"]


def test_bad_rows_are_reported_and_the_others_kept(read: Read) -> None:
    found = read(
        "url,label,url,label\n"
        ",x\n"
        "https://a.example/,x,,,,\n"
        'https://b.example/,"x"y\n'
        "https://c.example/,x,https://d.example/\n"
        'https://e.example/,"x\n',
        "l.csv",
    )
    assert reasons(found) == [
        "l.csv:1: column label stands twice in the header: the first is read",
        "l.csv:1: column url stands twice in the header: the first is read",
        "l.csv:2: the url cell is empty",
        'l.csv:3: 6 cells under 4 columns: put "quotes" around a cell that holds the delimiter',
        "l.csv:4: broken CSV: ',' expected after '\"'",
        "l.csv:6: broken CSV: unexpected end of data",
    ]
    assert urls(found) == ["https://c.example/"]


def test_without_a_header_the_file_is_refused(read: Read) -> None:
    with pytest.raises(SeedError, match=r"l\.csv:1: the first line is not a header: it names no column url"):
        read("https://a.example/,x\n", "l.csv")


@pytest.mark.parametrize(
    ("content", "count"), [("url;label\nhttps://a.example/;x", 1), ('"url"\nhttps://a.example/', 1)]
)
def test_csv_without_an_extension_is_known_by_its_header(read: Read, content: str, count: int) -> None:
    assert len(read(content, "list").seeds) == count


def test_text_without_an_extension_is_known_by_its_lines(read: Read) -> None:
    assert urls(read("# x, url, y\nhttps://a.example/,b\n", "list")) == ["https://a.example/,b"]
