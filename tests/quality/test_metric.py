"""The measure of extraction: pairs of neighbouring words, each counted once."""

from __future__ import annotations

import pytest

from bench.extraction_metric import Score, neighbours, quality, score, words_in


def f1(value: float) -> Score:
    return Score(precision=value, recall=value, f1=value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Ferry, again!", ["the", "ferry", "again"]),
        ("It's the captain\u2019s", ["its", "the", "captains"]),
        ("\ufb01ne \uff21", ["fine", "a"]),
        # A character is a word where words have no spaces between them; the middle dot is none.
        ("渡轮 abc 12カ・ナ배", ["渡", "轮", "abc", "12", "カ", "ナ", "배"]),
        ("snake_case", ["snake_case"]),
        ("… — !", []),
    ],
)
def test_words_are_compared_without_case_punctuation_and_apostrophes(text: str, words: list[str]) -> None:
    assert words_in(text) == words


def test_a_pair_counts_once_and_a_single_word_stands_for_itself() -> None:
    assert neighbours("to be to be") == {("to", "be"), ("be", "to")}
    assert neighbours("ferry") == {("ferry",)}
    assert neighbours("") == set()


def test_precision_falls_with_what_is_too_much_and_recall_with_what_is_missing() -> None:
    assert score("a b c", "a b c") == f1(1.0)
    assert score("a b c", "a b c d e") == Score(precision=0.5, recall=1.0, f1=2 / 3)
    assert score("a b c d e", "a b c") == Score(precision=1.0, recall=0.5, f1=2 / 3)
    assert score("a b", "") == score("", "a b") == score("a b", "b a") == f1(0.0)


def test_the_tenth_percentile_is_the_page_a_tenth_from_the_worst() -> None:
    found = quality([f1(place / 20) for place in reversed(range(20))])
    assert (found.pages, found.median, found.p10) == (20, 0.5, 0.1)
    assert found.f1 == pytest.approx(0.475)
