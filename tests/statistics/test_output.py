"""The same numbers for every reader, and nothing that a feed says is taken for more than words."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from lxml import etree

from archiver.display.tables import display_width, printable
from archiver.inspection.statistics import tables
from archiver.inspection.statistics.axes import count_ticks, share_at, span_axis
from archiver.inspection.statistics.compute import Scope, statistics_of
from archiver.inspection.statistics.files import write_csv, write_json
from archiver.inspection.statistics.model import LeftOut, Statistics
from archiver.inspection.statistics.page import page_of
from archiver.inspection.statistics.svg import cumulative_svg, histogram_svg
from archiver.inspection.statistics.tables import (
    Column,
    ColumnKind,
    Table,
    all_tables,
    in_words,
    round_span,
    span_in_words,
)
from archiver.inspection.statistics.text import lines_of, table_lines
from tests.statistics.examples import DAY, HOUR, NOW, figures, none, some

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.inspection.statistics.tables import Cell

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
# A terminal, a page or a spreadsheet could obey these.
ORDERS = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str, _colour: str) -> str:
    return text


def as_text(width: int = 80) -> str:
    return "\n".join(lines_of(some(), plain, width=width, with_channels=True))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (0.25, "0.2 s"),
        (35, "35 s"),
        (59.6, "1 min"),
        (3600, "1 h"),
        (3 * HOUR + 59.7 * 60, "4 h"),
        (12 * DAY + 14 * HOUR + 12 * 60, "12 d 14 h 12 min"),
        (7 * DAY + 13 * 60, "7 d 13 min"),
        (3000 * DAY, "3,000 d"),
    ],
)
def test_spans_are_told_to_the_minute(seconds: float, words: str) -> None:
    assert span_in_words(seconds) == words


def test_cells_are_told_by_what_they_are() -> None:
    assert in_words(0.061, ColumnKind.SHARE) == "6.1%"
    assert in_words(1234, ColumnKind.COUNT) == "1,234"
    assert in_words(None, ColumnKind.SPAN) == "–"
    assert [round_span(one) for one in (60, 6 * HOUR, DAY, 365 * DAY)] == [
        "1 minute", "6 hours", "1 day", "365 days"
    ]  # fmt: skip


# ── The terminal ─────────────────────────────────────────────────────────────────────────────────────────


def table(*rows: tuple[Cell, ...], has_total: bool = False) -> Table:
    columns = (
        Column(name="a", title="Name"),
        Column(name="b", title="Number of things", kind=ColumnKind.COUNT),
    )
    return Table(name="t", title="T", columns=columns, rows=rows, has_total=has_total)


def test_tables_are_aligned_and_long_words_cut() -> None:
    shown = table(("a name that is too long", 1), ("新闻", 1234), ("Total", 1235), has_total=True)
    assert list(table_lines(shown, 20)) == [
        "              Number",
        "                  of",
        "Name          things",
        "------------  ------",
        "a name that…       1",
        "新闻           1,234",
        "------------  ------",
        "Total          1,235",
    ]


@pytest.mark.parametrize("width", [72, 80, 120, 200])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(display_width, as_text(width).splitlines())) <= width


def test_a_very_narrow_terminal_gets_it_all_the_same() -> None:
    assert "Pooled" in as_text(20)


def test_the_terminal_shows_each_table_of_the_study() -> None:
    told = " ".join(as_text().split())
    for words in (
        "Feed types",
        "RSS 2.0 2 50.0%",
        "3 feeds; half have at most 10; 100.0% have fewer than 30. Most frequent: 10 (3).",
        " 6–10 3 █",
        "news 2 2 12 13 h 46 min",
        "Total 4 3 14 3 d 40 min",
        "1 hour 33.3% 33.3% 33.3% 0.0% 0.0%",
        "0 minimum, 1 first quartile, 2 median, 3 third quartile, 4 maximum",
        "ttl 1 3 33.3%",
        "about one a day",
    ):
        assert words in told


def test_the_plot_rises_to_the_right() -> None:
    lines = as_text().splitlines()
    top = next(n for n, line in enumerate(lines) if line.startswith(" 100% |"))
    rows = lines[top : top + 17]
    assert rows[-1].startswith("   0% |")
    medians = [row.index("2") for row in rows if "2" in row[7:]]
    assert medians == sorted(medians, reverse=True)
    assert len(medians) == 3


def test_only_who_is_asked_to_paint_paints() -> None:
    def paint(text: str, colour: str) -> str:
        return f"<{colour}>{text}</>"

    painted = "\n".join(lines_of(some(), paint, width=80))
    assert "<bold>Feed types</>" in painted
    assert "<green>2</>" in painted
    assert "\x1b" not in as_text()


def test_hostile_words_reach_no_terminal() -> None:
    assert not ORDERS.search(as_text())
    assert printable("a\x1b[31m\tb\u202ec\nd") == "a\ufffd[31m b\ufffdc d"


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────


def test_json_holds_everything(tmp_path: Path) -> None:
    for found in (some(), none()):
        write_json(found, tmp_path / "all.json")
        assert msgspec.json.decode((tmp_path / "all.json").read_bytes(), type=Statistics) == found


def test_a_folder_of_csv_has_the_numbers_as_they_are(tmp_path: Path) -> None:
    found = some()
    written = write_csv(all_tables(found), tmp_path / "new")
    assert [path.stem for path in written] == [one.name for one in all_tables(found)]
    for path, shown in zip(written, all_tables(found), strict=True):
        head, *rows = csv.reader(path.read_text("utf-8").splitlines())
        assert head == [column.name for column in shown.columns]
        for row, expected in zip(rows, shown.rows, strict=True):
            for text, cell in zip(row, expected, strict=True):
                assert text == ("" if cell is None else printable(str(cell)))
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(path.name for path in written)


def test_one_csv_file_has_every_cell_on_a_line(tmp_path: Path) -> None:
    found = some()
    assert write_csv(all_tables(found), tmp_path / "all.csv") == [tmp_path / "all.csv"]
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text("utf-8").splitlines()))
    assert len(rows) == sum(len(one.rows) * len(one.columns) for one in all_tables(found))
    values = {(row["table"], row["row"], row["column"]): row["value"] for row in rows}
    assert float(values["intervals_by_label", "5", "average_mean"]) == found.total.average_mean
    assert values["channels", "1", "title"] == "Daily"


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r\n=1"])
def test_no_title_is_a_formula(tmp_path: Path, title: str) -> None:
    found = statistics_of([figures(1, [DAY], title=title)], LeftOut(), Scope(made=NOW))
    write_csv(all_tables(found), tmp_path / "all.csv")
    rows = csv.DictReader((tmp_path / "all.csv").read_text("utf-8").splitlines())
    [shown] = [row["value"] for row in rows if (row["table"], row["column"]) == ("channels", "title")]
    assert shown.startswith("'")


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────


def page(text: str) -> etree._Element:
    """The page read strictly: it is well-formed."""
    return etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))


def test_the_page_has_the_numbers_of_the_terminal() -> None:
    shown = ["".join(cell.itertext()) for cell in page(page_of(some())).iter(f"{HTML}td")]
    found = some()
    for one in (tables.feed_types(found), tables.intervals_by_label(found), tables.hints_present(found)):
        for row in one.rows:
            for cell, column in zip(row, one.columns, strict=True):
                assert in_words(cell, column.kind) in shown


def test_the_page_loads_and_runs_nothing() -> None:
    tree = page(page_of(some()))
    names = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert not names & {
        "script",
        "link",
        "img",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
        "a",
        "image",
        "use",
    }
    attributes = {name for element in tree.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or "href" in name or name == "src"]
    assert "url(" not in page_of(some())
    assert "default-src 'none'" in page_of(some()).replace("&#x27;", "'")


def test_hostile_words_are_words_on_the_page() -> None:
    text = page_of(some())
    assert not ORDERS.search(text)
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_every_plot_says_what_it_shows() -> None:
    plots = list(page(page_of(some())).iter(f"{SVG}svg"))
    assert len(plots) == 3
    for plot in plots:
        assert plot.get("role") == "img"
        named = [plot.find(f"{SVG}{tag}") for tag in ("title", "desc")]
        assert plot.get("aria-labelledby") == " ".join(one.get("id") for one in named)
        assert all(one.text for one in named)
        assert len({one.text for one in plot.iter(f"{SVG}text")}) > 3


def test_an_empty_archive_makes_a_page_without_plots() -> None:
    tree = page(page_of(none()))
    assert not list(tree.iter(f"{SVG}svg"))
    assert "No feed has two entries of known time yet." in "".join(tree.itertext())


def test_of_very_many_channels_the_page_shows_some_and_says_so() -> None:
    channels = [figures(number, [DAY]) for number in range(1, 1003)]
    text = page_of(statistics_of(channels, LeftOut(), Scope(made=NOW)))
    assert "The first 1,000; 2 more are in the CSV and JSON files." in text
    assert ("http://example.org/1000<" in text, "http://example.org/1001<" in text) == (True, False)


# ── Plots ────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_axis_of_spans_holds_every_value_between_two_names() -> None:
    axis = span_axis([0, 90, 5 * HOUR])
    assert (axis.first, axis.last) == (60, 6 * HOUR)
    assert [name for _, name in axis.ticks] == ["1 min", "10 min", "1 h", "6 h"]
    assert (axis.place(0), axis.place(60), axis.place(6 * HOUR)) == (0, 0, 1)
    assert axis.at(axis.place(HOUR)) == pytest.approx(HOUR)
    for values in ([], [0.0], [DAY], [1e-9], [1e12]):
        assert 0 <= span_axis(values).place(DAY) <= 1


def test_a_curve_holds_its_share_until_the_next_step() -> None:
    points = ((10.0, 0.5), (20.0, 1.0))
    assert [share_at(points, at) for at in (9, 10, 19, 20, 99)] == [0, 0.5, 0.5, 1, 1]
    assert share_at((), 5) == 0


@pytest.mark.parametrize("highest", [0, 1, 3, 7, 60, 72, 199, 1000, 123456])
def test_the_axis_of_counts_has_few_round_numbers_up_to_the_highest(highest: int) -> None:
    ticks = count_ticks(highest)
    assert ticks[0] == 0
    assert highest <= ticks[-1] < max(2, 2 * highest)
    assert 2 <= len(ticks) <= 7


def test_curves_end_at_the_whole_of_the_feeds() -> None:
    tree = etree.fromstring(cumulative_svg(some().curves, "q", "Title <", "Text &"))
    [median, _] = [one.get("d") for one in tree.iter(f"{SVG}path") if one.get("class") == "curve median"]
    heights = [float(step) for step in re.findall(r"V([\d.]+)", median)]
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] == 12.0


def test_bars_are_as_high_as_their_feeds() -> None:
    channels = [figures(number, [DAY] * entries) for number, entries in enumerate([4, 4, 4, 9], 1)]
    histogram = statistics_of(channels, LeftOut(), Scope(made=NOW)).kept
    tree = etree.fromstring(histogram_svg(histogram, "h", "Title", "Text"))
    heights = [float(one.get("height")) for one in tree.iter(f"{SVG}rect")]
    assert heights[0] == pytest.approx(3 * heights[1], rel=0.01)
