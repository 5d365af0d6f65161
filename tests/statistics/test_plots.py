"""Plots of pages: well-formed, with names and descriptions, and coloured by classes alone."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from lxml import etree

from archiver.inspection.statistics.plots import days_svg, week_svg, week_words

SVG = "{http://www.w3.org/2000/svg}"
LAST = date(2026, 3, 31)


def days(*counts: int) -> list[tuple[date, int]]:
    return [(LAST - timedelta(days=len(counts) - 1 - place), count) for place, count in enumerate(counts)]


@pytest.mark.parametrize("counts", [(), (0,), (0, 0, 0), (1, 0, 12345678), tuple(range(30))])
def test_each_day_has_a_bar_within_the_plot(counts: tuple[int, ...]) -> None:
    tree = etree.fromstring(days_svg(days(*counts), "entries", "New entries a day"))
    bars = tree.findall(f"{SVG}rect")
    assert len(bars) == len(counts)
    heights = [float(bar.get("height", "-1")) for bar in bars]
    assert all(0 <= height <= 120 for height in heights)
    assert heights == sorted(heights) or list(counts) != sorted(counts)
    assert not any("style" in node.attrib or "fill" in node.attrib for node in tree.iter())


def test_what_it_shows_is_said_in_words() -> None:
    tree = etree.fromstring(days_svg(days(1, 5, 2), "articles", "New articles a day"))
    assert tree.get("aria-labelledby") == "articles-days-title articles-days-text"
    told = tree.findtext(f"{SVG}desc") or ""
    assert told == "8 new articles in 3 days, at most 5 on a day, which was 2026-03-30."


def test_a_week_has_a_cell_for_each_hour_the_darker_the_more() -> None:
    hours = [[0] * 24 for _ in range(7)]
    hours[2][8], hours[2][9], hours[6][23] = 1, 10, 5
    tree = etree.fromstring(week_svg(hours, "rhythm", "Entries by hour of the week"))
    cells = tree.findall(f"{SVG}rect")
    assert len(cells) == 7 * 24
    shades = {cell.findtext(f"{SVG}title"): cell.get("class") for cell in cells}
    assert shades["Monday 0–1 h: 0"] == "heat heat-0"
    assert shades["Wednesday 8–9 h: 1"] == "heat heat-1"
    assert shades["Sunday 23–24 h: 5"] == "heat heat-3"
    assert shades["Wednesday 9–10 h: 10"] == "heat heat-5"


def test_a_week_in_words() -> None:
    hours = [[0] * 24 for _ in range(7)]
    assert week_words(hours) == "No entry has a date with a time of day."
    for day in range(6):
        hours[day][9] = day + 1
    assert week_words(hours) == (
        "Most entries: Saturday 9–10 h (6), Friday 9–10 h (5), Thursday 9–10 h (4). None on Sunday."
    )
