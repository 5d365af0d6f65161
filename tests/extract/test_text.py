"""Text as a person would copy it."""

from __future__ import annotations

from itertools import islice

import pytest

from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.text import opened, plain, text_of


def text(markup: str) -> str:
    tree = parse_markup(markup)
    return "" if tree is None else text_of(tree)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>one <a>two</a>  three</p>\n<p>four</p>five", "one two three\n\nfour\n\nfive"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<h1>Title</h1>text<h2>Part</h2>", "Title\n\ntext\n\nPart"),
        ("a<br>b<br/><br>c", "a\nb\n\nc"),
        ("<b>a</b><i>b</i> <u> c</u>", "ab c"),
        ("a&nbsp;&nbsp;b\u00adc\u200bd", "a bcd"),
        ("<p> </p><p>x</p><div></div>", "x"),
    ],
)
def test_paragraphs_are_apart_and_spaces_are_one(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("x<ul><li>a</li><li>b</li></ul>y", "x\n\n- a\n- b\n\ny"),
        ("<ol><li><p>a</p></li><li><p>b</p><p>c</p></li></ol>", "- a\n\n- b\n\nc"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ul><li></li><li>a</li></ul>", "- a"),
    ],
)
def test_items_of_lists_are_on_lines_of_their_own(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>x", "A\tB\n1\t2\n\nx"),
        ("<table><tr><td><p>1</p></td><td><p>2</p></td></tr></table>", "1\t2"),
        ("<table><tr><td><p>a</p><p>b</p></td><td><p>c</p></td></tr></table>", "a\n\nb\n\nc"),
    ],
)
def test_rows_are_on_lines_and_cells_between_tabs(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<tr><th>A<th>B<th>C<tr><td>1<td><td>3<tr><td>4<td>5<td>", "A\tB\tC\n1\t\t3\n4\t5"),
        ("<tr><td><th>A<th>B<tr><th>x<td>1<td>2", "\tA\tB\nx\t1\t2"),
        ("<tr><td><td>An article beside a margin.", "An article beside a margin."),
    ],
)
def test_empty_cells_keep_columns_apart(markup: str, expected: str) -> None:
    assert text(f"<table>{markup}</table>") == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("x<blockquote><p>a</p><p>b<br>c</p></blockquote>y", "x\n\n> a\n\n> b\n> c\n\ny"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n\n> > b"),
        ("<blockquote><ul><li>a<ul><li>b</ul></ul></blockquote>", "> - a\n>   - b"),
        ("<blockquote><pre>a\n  b\n</pre></blockquote>c", "> a\n>   b\n\nc"),
    ],
)
def test_every_line_of_a_quotation_is_marked(markup: str, expected: str) -> None:
    assert text(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<li>a<br><br></li><br><li>b</li>", "- a\n- b"),
        ("<li><br>a</li>", "- a"),
        ("<p>a<br></p><br><br><br><p>b</p>", "a\n\nb"),
        ("<pre>a<br>b<div>c</div></pre>", "a\nb\nc"),
    ],
)
def test_line_breaks_beside_blocks_add_nothing(markup: str, expected: str) -> None:
    assert text(markup) == expected


def test_preformatted_text_is_kept_as_it_is() -> None:
    code = "def f():\n    return <b>1</b>\n\n\n# end\n"
    assert text(f"<p>See  this:</p><pre>\n{code}</pre><p>x</p>") == (
        "See this:\n\ndef f():\n    return 1\n\n\n# end\n\nx"
    )


def test_skipped_subtree_leaves_the_text_after_it_apart() -> None:
    tree = parse_markup("<div>a<ul><li>b</li></ul>c</div>")
    assert tree is not None
    assert text_of(tree, lambda element: element.tag == "ul") == "a\n\nc"


def test_text_after_the_root_is_not_its_text() -> None:
    tree = parse_markup("<div><p>a</p>b</div>")
    assert tree is not None
    paragraph = tree.find(".//p")
    assert paragraph is not None
    assert text_of(paragraph) == "a"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a  b", "a b"),
        ("<p>a</p><p>b &amp; c</p>", "a b & c"),
        ("", ""),
        ("<!-- -->", ""),
        ("1 < 2 &lt;", "1 < 2 <"),
    ],
)
def test_markup_of_a_summary_is_stripped(markup: str, expected: str) -> None:
    assert plain(markup) == expected


def test_elements_are_found_but_in_what_is_skipped() -> None:
    tree = parse_markup("<div><a>1</a><p><a>2</a><i><a>3</a></i></p><b>4</b><p><a>5</a></p></div>")
    assert tree is not None
    out = set(islice(tree.iter("p"), 1))
    assert [one.text for one in opened(tree, out.__contains__, "a", "b")] == ["1", "4", "5"]
    # What is looked into is not asked about itself.
    (first,) = out
    assert [one.text for one in opened(first, out.__contains__, "a")] == ["2", "3"]
