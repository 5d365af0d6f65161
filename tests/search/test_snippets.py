"""The words around what was searched for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.search.query import parse
from archiver.search.snippets import ELLIPSIS, snippet


def marked(text: str, typed: str) -> str:
    """With brackets around what is marked."""
    return "".join(
        f"[{piece.text}]" if piece.marked else piece.text for piece in snippet(text, parse(typed).terms)
    )


@pytest.mark.parametrize(
    ("text", "typed", "told"),
    [
        ("The ferry runs.", "FERRY", "The [ferry] runs."),
        ("Le café fermé", "cafe", "Le [café] fermé"),
        ("old harbour, old town", '"old town"', "old harbour, [old] [town]"),
        ("harbours and harbingers", "harb*", "[harbours] and [harbingers]"),
        ("北京大学的学生", "大学 学生", "北京[大学]的[学生]"),
        ("แมวดำนอน", "ดำ", "แมว[ดำ]นอน"),
        ("No match here.", "ferry", "No match here."),
        ("Two\nlines\tand ferry", "ferry", "Two lines and [ferry]"),
        ("", "ferry", ""),
    ],
)
def test_the_words_are_marked(text: str, typed: str, told: str) -> None:
    assert marked(text, typed) == told


def test_a_long_text_is_shown_where_most_of_the_words_are() -> None:
    text = f"ferry {'word ' * 200}the ferry in the harbour {'word ' * 200}"
    told = marked(text, "ferry harbour")
    assert "[ferry] in the [harbour]" in told
    assert told.startswith(ELLIPSIS)
    assert told.endswith(ELLIPSIS)
    assert len(told) < 300


def test_a_text_without_spaces_is_cut_all_the_same() -> None:
    told = marked("x" * 5000, "")
    assert told == "x" * 240 + ELLIPSIS


@given(text=st.text(), typed=st.text())
def test_nothing_is_lost_but_the_kind_of_space(text: str, typed: str) -> None:
    pieces = snippet(text, parse(typed).terms, length=10_000)
    assert "".join(piece.text for piece in pieces) == "".join(" " if one.isspace() else one for one in text)
