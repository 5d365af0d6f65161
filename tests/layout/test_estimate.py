"""Where things are on a page, by an estimate that needs no browser."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from archiver.articles.layout.drawing import html_of
from archiver.articles.layout.estimate import estimate
from archiver.articles.layout.model import ELEMENT, FARTHEST, TEXT
from archiver.documents.pages.dom import parse_markup

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.layout.model import Box


def boxes(markup: str, *sheets: str) -> dict[str, Box]:
    """The boxes of elements with an id, by it."""
    tree = parsed(markup)
    layout = estimate(tree, sheets)
    names = {number: element.get("id") for number, element in enumerate(tree.iter())}
    return {names[box.node] or "": box for box in layout.boxes if box.part == ELEMENT and names[box.node]}


def texts(markup: str) -> dict[str, Box]:
    tree = parsed(markup)
    elements = list(tree.iter())
    return {elements[box.node].text or "": box for box in estimate(tree).boxes if box.part == TEXT}


def parsed(markup: str) -> Element:
    tree = parse_markup(markup)
    assert tree is not None
    return tree


def test_blocks_stand_below_each_other_as_wide_as_the_page() -> None:
    found = boxes("<h1 id=a>Title</h1><p id=b>one</p><p id=c>two</p>")
    assert found["a"].y < found["b"].y < found["c"].y
    assert {found[name].w for name in "abc"} == {1024 - 16.0}
    assert (found["a"].size, found["a"].weight, found["b"].size) == (32.0, 700, 16.0)


def test_text_takes_lines_by_its_length() -> None:
    found = boxes(f"<p id=a>{'word ' * 20}</p><p id=b>{'word ' * 400}</p>")
    assert found["b"].h > 10 * found["a"].h


def test_floats_make_columns() -> None:
    style = "<style>#main { float: left; width: 70% } #side { float: right; width: 25% }</style>"
    found = boxes(f"{style}<div id=main><p>{'word ' * 300}</p></div><div id=side>{'more ' * 50}</div>")
    assert found["main"].x + found["main"].w <= found["side"].x
    assert found["main"].y == found["side"].y


@pytest.mark.parametrize(
    ("style", "is_beside"),
    [
        ("display: flex", True),
        ("display: flex; flex-direction: column", False),
        ("display: grid; grid-template-columns: repeat(2, 1fr)", True),
        ("display: block", False),
    ],
)
def test_items_of_rows_stand_beside_each_other(style: str, is_beside: bool) -> None:
    found = boxes(f"<div style='{style}'><div id=a>{'one ' * 90}</div><div id=b>{'two ' * 90}</div></div>")
    assert (found["a"].x < found["b"].x) is is_beside
    assert (found["a"].y < found["b"].y) is not is_beside


def test_columns_of_a_table_are_as_wide_as_what_they_hold() -> None:
    rows = f"<tr><td id=a>1<td id=b>{'long text ' * 60}</tr><tr><td id=c>2<td id=d>short</tr>"
    found = boxes(f"<table>{rows}</table>")
    assert found["a"].x == found["c"].x < found["b"].x == found["d"].x
    assert found["a"].w < found["b"].w
    assert found["c"].y > found["b"].y


def test_rules_are_for_the_elements_that_they_name() -> None:
    sheet = ".lead p { font-size: 20px } #x { font-weight: bold } p.small { font-size: .5em }"
    found = boxes("<div class=lead><p id=a>1</p></div><p id=x class=small>2</p><p id=b>3</p>", sheet)
    assert [(found[name].size, found[name].weight) for name in "axb"] == [(20, 400), (8, 700), (16, 400)]


def test_media_count_on_a_screen_of_1024_pixels_only() -> None:
    sheet = (
        "@media (max-width: 600px) { p { font-size: 1px } } @media print { p { font-size: 2px } }"
        "@media screen and (min-width: 900px) { p { font-size: 30px } } @font-face { font-size: 3px }"
    )
    assert boxes("<p id=a>1</p>", sheet)["a"].size == 30


@pytest.mark.parametrize("hiding", ["style='display:none'", "hidden", "style='visibility: hidden'"])
def test_what_is_hidden_is_not_shown(hiding: str) -> None:
    found = boxes(f"<div {hiding} id=a><p id=b>secret</p></div><p id=c>open</p>")
    assert all(not found[name].is_shown for name in "ab" if name in found)
    assert found["c"].is_shown


def test_words_in_a_line_follow_each_other() -> None:
    found = texts("<p>one <b>two</b> <s>three</s></p>")
    assert found["one "].x < found["two"].x < found["three"].x
    assert found["one "].y == found["two"].y
    assert found["two"].weight == 700
    assert found["three"].is_struck


def test_images_have_the_size_that_they_state() -> None:
    found = boxes("<img id=a width=640 height=480><p><img id=b style='width:50px;height:20px'>")
    assert (found["a"].w, found["a"].h, found["b"].w, found["b"].h) == (640, 480, 50, 20)


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p>",
        "<div>" * 3000 + "deep",
        "<table>" * 300 + "<td>x",
        "<p style='width:1e99px;margin:-9e99px;font-size:1e30em'>large</p>",
        "<style>" + "a{" * 5000 + "</style><p>x",
        "<style>}}}{{{p{font-size:}</style><p>x",
        "<style>" + "p{font-size:2px}" * 6000 + "</style><p>x",
        "<td colspan=99999999999>x",
        "<div style='display:flex'>" * 200 + "x",
    ],
)
def test_no_page_breaks_the_estimate(markup: str) -> None:
    tree = parse_markup(f"<body>{markup}</body>")
    assert tree is not None
    began = time.process_time()
    layout = estimate(tree)
    assert time.process_time() - began < 2
    numbers = [number for box in layout.boxes for number in (*box[2:6], layout.height)]
    assert all(abs(number) <= FARTHEST for number in numbers)


def test_a_picture_of_the_boxes_says_what_is_where_and_loads_nothing() -> None:
    tree = parsed(
        "<h1>Head &amp; line</h1><p>text <a href=x>link</a><img src='http://x.test/a.png' width=99>"
    )
    drawn = html_of(estimate(tree), tree, "<title>")
    assert "Head &amp; line" in drawn
    assert 'class="link"' in drawn
    assert 'width="99"' in drawn
    assert "x.test" not in drawn
    assert "&lt;title&gt;" in drawn
