"""The diff of words: what it shows is what became of them, however hostile the texts are."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.articles.versions.words import WordRun, count_changes, diff_words, plain_words, words_of
from archiver.digests import folded

TEXTS = st.text(alphabet="ab \n.\u4e2d\u2019", max_size=60)


def shown(pieces: list[WordRun]) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in pieces]


def test_a_word_that_was_replaced_stands_beside_its_successor() -> None:
    assert shown(diff_words("The red boat sank.", "The blue boat sank.")) == [
        ("same", "The "),
        ("removed", "red "),
        ("added", "blue "),
        ("same", "boat sank."),
    ]


def test_no_piece_goes_over_the_end_of_a_paragraph() -> None:
    pieces = diff_words("One.\n\nTwo.", "One.\n\nTwo.\n\nThree and four.\n\nFive.")
    assert shown(pieces) == [
        ("same", "One."),
        ("same", "\n\n"),
        ("same", "Two."),
        ("added", "\n\n"),
        ("added", "Three and four."),
        ("added", "\n\n"),
        ("added", "Five."),
    ]


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    assert shown(diff_words("船沉了", "船没沉")) == [
        ("same", "船"),
        ("added", "没"),
        ("same", "沉"),
        ("removed", "了"),
    ]


def test_what_is_only_typography_is_the_same() -> None:
    assert {piece.kind for piece in diff_words('it\'s "so"', "it\u2019s \u201cso\u201d")} == {"same"}


@given(TEXTS, TEXTS)
def test_the_pieces_make_both_texts(before: str, now: str) -> None:
    pieces = diff_words(before, now)
    old = "".join(piece.text for piece in pieces if piece.kind != "added")
    new = "".join(piece.text for piece in pieces if piece.kind != "removed")
    assert new == now
    assert folded(old) == folded(before)


@given(TEXTS, TEXTS)
def test_counts_are_the_same_in_both_directions(before: str, now: str) -> None:
    added, removed = count_changes(words_of(before), words_of(now))
    assert count_changes(words_of(now), words_of(before)) == (removed, added)
    assert len(words_of(now)) - added == len(words_of(before)) - removed


@given(TEXTS)
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert {piece.kind for piece in diff_words(text, text)} <= {"same"}


def test_plain_words_have_neither_case_nor_marks() -> None:
    assert plain_words("It\u2019s \u201cSO\u201d, 船!") == ["it", "s", "so", "船"]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("a " * 200_000, "a " * 150_000),
        ("a b " * 60_000, "b a " * 60_000),
        (" ".join(map(str, range(60_000))), " ".join(map(str, range(60_000, 0, -1)))),
        ("x" * 1_000_000, "y" * 1_000_000),
        ("a\n" * 100_000, "\na" * 100_000),
    ],
    ids=["one word", "two words", "backwards", "no words", "lines"],
)
def test_hostile_texts_take_no_longer_than_others(before: str, now: str) -> None:
    start = time.process_time()
    diff_words(before, now)
    assert time.process_time() - start < 5
