"""A question in SPARQL, looked through before it is asked: nothing in it may write, or reach another machine.

The store's own parser reads the rest, and says where something is wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

# What may hold any word without meaning it, then words (SPARQL 1.1, 19.8).
_TOKENS = re.compile(
    r"""
    \#[^\n\r]*
    | <[^<>"{}|^`\\\x00-\x20]*>
    | \"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3} | '{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
    | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*'
    | \\.                                   # in a name: `ex:a\#b` is no comment
    | (?P<word>[?$@:]?[\w.:%-]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_UPDATES = frozenset({"insert", "delete", "load", "clear", "drop", "create", "add", "move", "copy", "with"})
_QUESTIONS = frozenset({"select", "ask", "construct", "describe"})
_REFUSED = {
    "service": "SERVICE would query another server; only this archive can be queried",
    "graph": "GRAPH matches nothing, because the store has one graph: leave it out",
    "from": "FROM matches nothing, because the store has one graph: leave it out",
}


class Word(NamedTuple):
    """A word of a question, in small letters, and where it stands, both counted from 1."""

    text: str
    line: int
    column: int

    @property
    def place(self) -> str:
        return f"{self.line}:{self.column}"


def check_question(text: str) -> None:
    """Raise ConfigurationError for what is not a question, or not for this store."""
    is_asked = False
    for word in words_of(text):
        if word.text in _REFUSED:
            raise ConfigurationError(f"Query, {word.place}: {_REFUSED[word.text]}")
        if word.text in _UPDATES and not is_asked:
            told = f"Query, {word.place}: {word.text.upper()} would change the store"
            raise ConfigurationError(f"{told}: use SELECT, ASK, CONSTRUCT or DESCRIBE")
        is_asked |= word.text in _QUESTIONS
    if not text.strip():
        raise ConfigurationError("Write a query, such as 'SELECT ?a WHERE {?a a schema:Article}'")


def words_of(text: str) -> Iterator[Word]:
    """The words that are none of names, variables, strings, addresses and comments."""
    for found in _TOKENS.finditer(text):
        word = found["word"]
        if word and word.isalpha():
            start = found.start()
            line = text.count("\n", 0, start) + 1
            yield Word(word.lower(), line, start - text.rfind("\n", 0, start))


_PLACE = re.compile(r"error at (?P<line>\d+):(?P<column>\d+): (?:expected )?(?P<rest>.*)", re.DOTALL)
_CLASS = re.compile(r"\['?.*?\](?=,|$)", re.DOTALL)


def syntax_in_words(message: str, text: str) -> str:
    """Where the parser stopped, with that line, and what it names: not every character that might follow."""
    found = _PLACE.match(message)
    if found is None:
        return f"Query: syntax error: {message}"
    line, column = int(found["line"]), int(found["column"])
    lines = text.split("\n")
    shown = lines[line - 1][: column - 1] if line <= len(lines) else ""
    told = f"Query, {line}:{column}: syntax error"
    if shown.strip():
        told += f" after {shown.strip()[-40:]!r}"
    if "Prefix not found" in found["rest"]:
        return f"{told}: undeclared prefix"
    if "unbound" in found["rest"]:
        return f"{told}: SELECT uses a variable that is not in GROUP BY"
    return told
