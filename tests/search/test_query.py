"""The language of searches: everything that can be typed means something, and never an error."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.search.expression import expression
from archiver.search.lexemes import clean, tsquery_of, vector_of
from archiver.search.lines import IndexedText
from archiver.search.query import QueryTerm, parse
from archiver.search.sieve import Sieve
from tests.store.samples import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNS = st.sampled_from(
    [
        '"',
        "-",
        "*",
        "OR",
        "AND",
        "NOT",
        "NEAR(",
        "(",
        ")",
        ":",
        "{",
        "}",
        "^",
        "+",
        " ",
        "title:",
        "北京",
        "ดำ",
        "a",
    ]
)


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    tokenizer = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
    connection.execute(
        "CREATE VIRTUAL TABLE words USING"
        f" fts5 (title, text, grams, authors, categories, tags, content = '', tokenize = \"{tokenizer}\")"
    )
    connection.execute("INSERT INTO words (rowid, text, tags) VALUES (1, 'a ferry', 'anything')")
    yield connection
    connection.close()


@given(typed=st.text() | st.lists(SIGNS | st.text(max_size=3)).map("".join), name=st.text(max_size=9))
def test_whatever_is_typed_is_no_error(index: sqlite3.Connection, typed: str, name: str) -> None:
    query = parse(typed)
    asked = expression(query, [["channel1", "channel2"]], author=name, category=name)
    # It has no such channel.
    assert index.execute("SELECT rowid FROM words WHERE words MATCH ?", (asked,)).fetchall() == []
    if query:
        found = index.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression(query),))
        assert found.fetchall() in ([], [(1,)])


@pytest.mark.zoo
@given(
    typed=st.text() | st.lists(SIGNS | st.text(max_size=3)).map("".join),
    name=st.text(max_size=9),
    said=st.text(),
)
def test_whatever_is_typed_or_said_is_no_error_in_postgresql(
    postgresql: str, typed: str, name: str, said: str
) -> None:
    sieve = Sieve(query=parse(typed), tags=(("channel1",),), author=name, category=name)
    line = IndexedText(NOW, 0, said, said + typed, name, typed, "anything")
    with psycopg.connect(f"{postgresql} dbname=postgres") as connection:
        values = (clean(vector_of(line)), clean(tsquery_of(sieve)))
        found = connection.execute("SELECT CAST(%s AS tsvector) @@ CAST(%s AS tsquery)", values).fetchone()
        # It has no such channel.
        assert found == (False,)


@given(word=st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_word_is_found_as_it_was_typed(word: str) -> None:
    assert parse(word).groups == ((QueryTerm(words=(word,)),),)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("ferry boat", [[("ferry",)], [("boat",)]]),
        ('"ferry boat"', [[("ferry", "boat")]]),
        ('"ferry boat', [[("ferry", "boat")]]),
        ("ferry OR boat pier", [[("ferry",), ("boat",)], [("pier",)]]),
        ("OR ferry OR", [[("ferry",)]]),
        ("ferry AND boat", [[("ferry",)], [("boat",)]]),
        ("covid-19", [[("covid", "19")]]),
        ("don't", [[("don", "t")]]),
        ('title:"x"', [[("title",)], [("x",)]]),
        ("*** !!! ___", []),
        ("-", []),
    ],
)
def test_what_is_typed_is_read_as_it_is_meant(typed: str, words: list[list[tuple[str, ...]]]) -> None:
    assert [[term.words for term in group] for group in parse(typed).groups] == words


def test_a_minus_excludes_a_word_or_a_phrase() -> None:
    assert [term.words for term in parse('-ferry -"old boat" pier').without] == [("ferry",), ("old", "boat")]


def test_a_beginning_has_at_least_three_letters() -> None:
    assert [term.is_beginning for term in parse("fe* fer* ferry").terms] == [False, True, False]


def test_an_endless_query_is_cut_and_not_an_error(index: sqlite3.Connection) -> None:
    for typed, found in (("word OR " * 5000 + "-x " * 5000, []), ("ferry OR " * 5000, [(1,)])):
        asked = expression(parse(typed))
        assert index.execute("SELECT rowid FROM words WHERE words MATCH ?", (asked,)).fetchall() == found
