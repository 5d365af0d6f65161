"""Digests: what they have in common with others', what they ignore, and what they never ignore."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.utils import Digester

from archiver.digests import (
    are_comparable,
    first_digest,
    folded,
    fraction_of,
    is_digest_of,
    name_digest,
    normalised,
    short_key,
    text_digest,
    warc_digest,
)


@given(st.binary(max_size=200))
def test_payload_digests_are_those_of_other_tools(data: bytes) -> None:
    digester = Digester("sha1")
    digester.update(data)
    assert warc_digest(data) == str(digester)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a  b\n\tc", "a b c"),
        ("  a ", "a"),
        ("a\N{NO-BREAK SPACE}b", "a b"),
        ("caf\u00e9", "cafe\u0301"),
        ("\u201cIt\u2019s\u201d", '"It\'s"'),
        ("1999\u20132004 \u2014 then", "1999-2004 -- then"),
        ("and so\u2026", "and so..."),
        ("light\u00adhouse\u200b", "lighthouse"),
    ],
)
def test_texts_that_look_the_same_have_one_digest(one: str, other: str) -> None:
    assert text_digest(one) == text_digest(other)


@pytest.mark.parametrize(
    ("one", "other"), [("a b", "ab"), ("Yes", "yes"), ("10²", "102"), ("he did", "he did not"), ("", "a")]
)
def test_texts_that_read_differently_have_two_digests(one: str, other: str) -> None:
    assert text_digest(one) != text_digest(other)


def test_text_digests_name_their_version() -> None:
    assert re.fullmatch(r"t2:[0-9a-f]{64}", text_digest("a"))


def test_a_digest_of_before_is_still_made_and_never_compared_with_todays() -> None:
    old = first_digest("a \u2013  b")
    assert old.startswith("t1:")
    assert is_digest_of(old, "a \u2013 b") is True
    assert is_digest_of(old, "a - b") is False
    assert is_digest_of(text_digest("a - b"), "a \u2013 b") is True
    assert is_digest_of("t99:0", "a") is None
    assert not are_comparable(old, text_digest("a"))


@given(st.text())
def test_text_that_is_folded_stays_as_it_is(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.text())
def test_text_that_is_normal_stays_as_it_is(text: str) -> None:
    once = normalised(text)
    assert normalised(once) == once
    assert text_digest(once) == text_digest(text)


@pytest.mark.parametrize("text", ["x² + y³ = ½", "你好\uff0c世界\uff01", "naïve … ™"])
def test_characters_are_not_replaced_by_similar_ones(text: str) -> None:
    assert normalised(text) == text


def test_a_lone_surrogate_does_not_stop_a_digest() -> None:
    assert text_digest("\ud800")
    assert name_digest("\ud800")
    assert fraction_of("\ud800") >= 0


@given(st.text(), st.integers(8, 52))
def test_names_become_short_safe_and_stable(name: str, length: int) -> None:
    digest = name_digest(name, length)
    assert re.fullmatch(rf"[a-z2-7]{{{length}}}", digest)
    assert digest == name_digest(name, length)


@given(st.text())
def test_fractions_are_at_least_zero_and_below_one(name: str) -> None:
    assert 0 <= fraction_of(name) < 1
    assert fraction_of(name) == fraction_of(name)


def test_fractions_of_many_names_are_spread() -> None:
    fractions = [fraction_of(f"https://example.org/feed/{number}") for number in range(1000)]
    tenths = [sum(low <= 10 * fraction < low + 1 for fraction in fractions) for low in range(10)]
    assert min(tenths) > 50


@given(st.text(max_size=1500), st.text(min_size=1, max_size=5))
def test_keys_fit_into_an_index_and_stay_apart(key: str, more: str) -> None:
    assert len(short_key(key)) <= 600
    assert short_key(key) != short_key(key + more)


def test_a_key_that_fits_is_left_alone() -> None:
    assert short_key("https://example.org/a") == "https://example.org/a"
