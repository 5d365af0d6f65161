"""Lines and columns of a difference: every word of both texts is there once, and nothing is too wide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from archiver.articles.versions.words import WordRun, diff_words
from archiver.display.tables import display_width
from archiver.documents.pages.model import Image, Link
from archiver.inspection.history.articles import ObjectWords
from archiver.inspection.history.diff_html import columns_html, inline_html, lists_html, title_html
from archiver.inspection.history.diff_text import inline, side_by_side, wrapped
from archiver.inspection.history.difference import compare_articles
from archiver.inspection.history.layout import Skipped, is_changed_line, lines_of, rows_of, without_same

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = st.lists(st.sampled_from(["one", "two", "three", "four,", "渡し船", "\n", "\n\n", "- "]), max_size=25)
TEXTS = WORDS.map(" ".join)
ANY = st.text(max_size=60)


def words(lines: Iterable[tuple[WordRun, ...] | None], *kinds: str) -> list[str]:
    pieces = (piece for line in lines for piece in line or () if piece.kind in kinds)
    return "".join(f"{piece.text} " for piece in pieces).split()


def plain(text: str, _colour: str = "") -> str:
    return text


@given(TEXTS, TEXTS)
def test_no_word_is_lost_in_lines_and_columns(before: str, now: str) -> None:
    pieces = diff_words(before, now)
    lines, rows = lines_of(pieces), rows_of(pieces)
    for kinds, text, column in (
        (("same", "removed"), before, [row.before for row in rows]),
        (("same", "added"), now, [row.now for row in rows]),
    ):
        wanted = "".join(text.split())
        assert "".join(words(lines, *kinds)) == wanted
        assert "".join(words(column, *kinds)) == wanted
    assert not words([row.before for row in rows], "added")
    assert not words([row.now for row in rows], "removed")


def columns(before: str, now: str) -> list[tuple[str | None, str | None]]:
    def text(line: tuple[WordRun, ...] | None) -> str | None:
        return None if line is None else "".join(piece.text for piece in line).strip()

    return [(text(row.before), text(row.now)) for row in rows_of(diff_words(before, now))]


def test_a_paragraph_that_came_has_a_row_of_its_own() -> None:
    first, second, third = "The ferry runs daily.", "Nets are at risk.", "The end."
    new = "The mayor has since replied."
    assert columns(f"{first}\n\n{second}\n\n{third}", f"{first}\n\n{new}\n\n{second}\n\n{third}") == [
        (first, first),
        (None, new),
        (second, second),
        (third, third),
    ]
    assert columns(f"{first}\n\n{second}", f"{new}\n\n{first}\n\n{second}") == [
        (None, new),
        (first, first),
        (second, second),
    ]
    assert columns(f"{first}\n\n{new}\n\n{third}", f"{first}\n\n{third}") == [
        (first, first),
        (new, None),
        (third, third),
    ]


def test_a_line_stands_beside_the_one_that_shares_most_of_it() -> None:
    before = "The old ferry runs on Monday and on Friday."
    now = "The mayor spoke.\n\nThe old ferry runs on Monday and on Sunday."
    assert columns(before, now) == [(None, "The mayor spoke."), (before, now.rpartition("\n")[2])]


def test_lines_that_share_nothing_still_stand_side_by_side() -> None:
    assert columns("One two.\n\nSame.", "Three four.\n\nSame.") == [
        ("One two.", "Three four."),
        ("Same.", "Same."),
    ]


@given(TEXTS, TEXTS)
def test_rows_keep_the_order_of_both_texts(before: str, now: str) -> None:
    pieces = diff_words(before, now)
    rows = rows_of(pieces)
    assert [row.before for row in rows if row.before] == lines_of(
        piece for piece in pieces if piece.kind != "added"
    )
    assert [row.now for row in rows if row.now] == lines_of(
        piece for piece in pieces if piece.kind != "removed"
    )


@given(st.lists(st.booleans(), max_size=20))
def test_what_is_left_out_is_far_from_all_changes(changed: list[bool]) -> None:
    lines = [(WordRun(kind="added" if one else "same", text=str(n)),) for n, one in enumerate(changed)]
    shown: list[int] = []
    left_out: list[int] = []
    for one in without_same(lines, is_changed_line):
        into = left_out if isinstance(one, Skipped) else shown
        into += [int(line[0].text) for line in (one.lines if isinstance(one, Skipped) else (one,))]
    assert sorted(shown + left_out) == list(range(len(changed)))
    assert not [n for n in left_out if any(changed[max(0, n - 1) : n + 2])]
    assert all(any(changed[max(0, n - 1) : n + 2]) for n in shown)


COLOURED = st.tuples(st.text("ab渡é", min_size=1, max_size=30), st.sampled_from(["", "red"]), st.booleans())


@given(st.lists(COLOURED), st.integers(2, 20))
def test_no_line_is_wider_than_its_column(found: list[tuple[str, str, bool]], width: int) -> None:
    lines = wrapped(found, width)
    painted = [line.painted(plain) for line in lines]
    assert all(display_width(text) == line.width <= width for text, line in zip(painted, lines, strict=True))
    assert "".join(painted).replace(" ", "") == "".join(text for text, _, _ in found)


def test_a_word_that_takes_the_place_of_the_last_does_not_stick_to_it() -> None:
    found = compare_articles(ObjectWords(title="The old ferry"), ObjectWords(title="The old pier"))
    assert "".join(title_html(found)).endswith("The old <del>ferry</del> <ins>pier</ins></p>")
    assert "The old [-ferry-] {+pier+}" in list(inline(found, plain, width=80))


def test_a_link_that_moved_and_one_with_other_words() -> None:
    def said(*links: Link, image: str) -> ObjectWords:
        return ObjectWords(links=links, images=(Image(url="http://example.org/i", alt=image),))

    before = said(Link(url="a", text="A"), Link(url="b", text="B"), image="Pier")
    now = said(Link(url="b", text="Be"), Link(url="c", text=""), image="Pier")
    found = compare_articles(before, now)
    assert [one.url for one in found.links.added] == ["c"]
    assert [one.url for one in found.links.removed] == ["a"]
    assert [(old.text, new.text) for old, new in found.links.reworded] == [("B", "Be")]
    assert found
    assert not found.images
    assert not compare_articles(before, before)


@given(ANY, ANY, ANY)
def test_whatever_an_article_says_its_markup_is_well_formed_and_its_lines_give_no_orders(
    before: str, now: str, title: str
) -> None:
    old = ObjectWords(title=before, text=before, links=(Link(url=title, text=before),))
    found = compare_articles(old, ObjectWords(title=title, text=now, images=(Image(url=now, alt=title),)))
    parts = [
        *title_html(found),
        *inline_html(found, is_foldable=True),
        *columns_html(found, (before, now)),
        *lists_html(found),
    ]
    page = etree.fromstring(f"<div>{''.join(parts)}</div>")
    tags = {"div", "p", "ins", "del", "h2", "ul", "li", "code", "details", "summary"}
    assert {str(one.tag) for one in page.iter()} <= tags | {"table", "thead", "tbody", "tr", "th", "td"}
    for view in (inline, side_by_side):
        assert all(line.isprintable() for line in view(found, plain, width=40, is_whole=True))
