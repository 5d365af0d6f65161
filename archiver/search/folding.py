"""Text as the index has it: words, and pairs of characters where a script puts no spaces between words.

A run of such characters becomes a pair for each of its characters: it and the next one; the last one is
alone. So one character is the beginning of a pair, two are a pair, and more are pairs in a row: all of them
are found, and nothing is found that two runs only have together.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from archiver.documents.pages.words import UNSPACED, normal, spaced

_RUN = re.compile(f"[{UNSPACED}]+")


# Both take long to make, and not every command asks for words.
@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    return re.compile(spaced())


@lru_cache(maxsize=1)
def _word_or_run() -> re.Pattern[str]:
    return re.compile(f"({spaced()})|([{UNSPACED}]+)")


def split_scripts(text: str) -> tuple[str, str]:
    """A text without the runs of unspaced scripts, and the pairs of these."""
    if text.isascii():
        return text, ""
    text = normal(text)
    runs = _RUN.findall(text)
    if not runs:
        return text, ""
    return _RUN.sub(" ", text), " ".join(map(pairs, runs))


def pairs(run: str) -> str:
    """All pairs of a run, as the index has them."""
    return " ".join(run[start : start + 2] for start in range(len(run)))


def words_of(text: str) -> list[str]:
    """The words of what was typed, without runs of unspaced scripts."""
    return [word for word in _word().findall(_encodable(normal(text))) if any(map(str.isalnum, word))]


def names_of(text: str) -> list[str]:
    """The words and runs of a name that was typed, in order."""
    found = (match[0] for match in _word_or_run().finditer(_encodable(normal(text))))
    return [word for word in found if any(map(str.isalnum, word))]


def runs_of(text: str) -> list[str]:
    return _RUN.findall(_encodable(normal(text)))


def runs_as_typed(text: str) -> list[str]:
    """The same in the form in which they were typed, and in which they stand in most texts."""
    return _RUN.findall(_encodable(text))


def tokens_of(text: str) -> list[re.Match[str]]:
    """Words and runs where they stand in a text, as it is shown."""
    return list(_word_or_run().finditer(text))


@lru_cache(maxsize=50_000)
def folded(word: str) -> str:
    """A word as it is compared: without case and accents."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", normal(word))
    return "".join(one for one in apart if not unicodedata.combining(one))


def _encodable(text: str) -> str:
    """What a terminal may send and no database takes: lone surrogates."""
    return text.encode("utf-8", "replace").decode()
