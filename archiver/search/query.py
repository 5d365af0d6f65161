"""The language of searches: words, "phrases", -without, this OR that, begin*. All that is typed is valid.

ferry harbour        both words
"ferry harbour"      the words in this order
ferry OR boat        either; `ferry OR boat harbour`: either, and harbour
ferry -harbour       ferry, and not harbour
harb*                words that begin so; at least three letters
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from archiver.search.folding import folded, runs_as_typed, runs_of, words_of

# A beginning that is shorter stands for most words of a language, and all their places would be read.
_SHORTEST_BEGINNING = 3
# More than anyone types; SQLite limits how deep an expression is.
_MOST_TERMS = 60
# A phrase may lack its end.
_TYPED = re.compile(r'(?P<without>-)?(?:"(?P<phrase>[^"]*)(?:"|$)|(?P<word>[^\s"]+))')


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """One word or phrase."""

    words: tuple[str, ...] = ()  # in this order
    is_beginning: bool = False  # of a word: the last of them
    runs: tuple[str, ...] = ()  # of characters of unspaced scripts
    typed_runs: tuple[str, ...] = ()  # the same as they were typed

    @property
    def folded(self) -> tuple[str, ...]:
        return tuple(map(folded, self.words))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """All of the groups, each by any of its terms, and none of the others."""

    groups: tuple[tuple[QueryTerm, ...], ...] = ()
    without: tuple[QueryTerm, ...] = ()

    @property
    def terms(self) -> tuple[QueryTerm, ...]:
        """Those that are to be found."""
        return tuple(term for group in self.groups for term in group)

    def __bool__(self) -> bool:
        return bool(self.groups or self.without)


def parse(typed: str) -> Query:
    """What was meant; empty where there is no word in it."""
    groups: list[list[QueryTerm]] = []
    without: list[QueryTerm] = []
    is_either = False
    for found in list(_TYPED.finditer(typed))[:_MOST_TERMS]:
        if found["word"] in {"OR", "AND"} and not found["without"]:
            is_either = found["word"] == "OR"
            continue
        term = term_of(found["word"] or found["phrase"] or "")
        if not (term.words or term.runs):
            continue
        if found["without"]:
            without.append(term)
        elif is_either and groups:
            groups[-1].append(term)
        else:
            groups.append([term])
        is_either = False
    return Query(groups=tuple(map(tuple, groups)), without=tuple(without))


def term_of(text: str) -> QueryTerm:
    words = tuple(words_of(text))
    is_beginning = text.endswith("*") and bool(words) and len(words[-1]) >= _SHORTEST_BEGINNING
    return QueryTerm(
        words=words,
        is_beginning=is_beginning,
        runs=tuple(runs_of(text)),
        typed_runs=tuple(runs_as_typed(text)),
    )
