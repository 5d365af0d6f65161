"""The part of a text in which most of what was searched for stands, with the words marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from archiver.search.folding import folded, tokens_of
from archiver.search.model import SnippetPiece

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from archiver.search.query import QueryTerm

_LENGTH = 240  # characters
_BEFORE = 60  # the first word that is marked
# Of a long text only its beginning is looked through.
_LOOKED_AT = 100_000
ELLIPSIS = "…"


class Mark(NamedTuple):
    """Where something stands that was searched for."""

    start: int
    end: int
    term: int  # which one


def snippet(text: str, terms: Sequence[QueryTerm], length: int = _LENGTH) -> tuple[SnippetPiece, ...]:
    """The beginning of the text where nothing is found in it."""
    text = text[:_LOOKED_AT]
    marks = list(find_marks(text, terms))
    start = _start(text, marks, length)
    end = _end(text, start + length)
    return tuple(_pieces(text, start, end, [mark for mark in marks if start <= mark.start < end]))


def find_marks(text: str, terms: Sequence[QueryTerm]) -> Iterator[Mark]:
    """Every word that belongs to what was searched for, in order, none twice."""
    tokens = tokens_of(text)
    words = [folded(token[0]) for token in tokens]
    found = {
        mark
        for number, term in enumerate(terms)
        for mark in (*_word_marks(tokens, words, term, number), *_run_marks(tokens, term, number))
    }
    at = 0
    for mark in sorted(found):
        if mark.start >= at:
            yield mark
            at = mark.end


def _word_marks(
    tokens: Sequence[re.Match[str]], words: Sequence[str], term: QueryTerm, number: int
) -> Iterator[Mark]:
    wanted = term.folded
    if not wanted:
        return
    *first, last = wanted
    for at in range(len(words) - len(wanted) + 1):
        word = words[at + len(first)]
        is_last = word.startswith(last) if term.is_beginning else word == last
        if is_last and (not first or list(words[at : at + len(first)]) == first):
            for token in tokens[at : at + len(wanted)]:
                yield Mark(token.start(), token.end(), number)


def _run_marks(tokens: Sequence[re.Match[str]], term: QueryTerm, number: int) -> Iterator[Mark]:
    for token in tokens if term.runs else ():
        for run in {*term.runs, *term.typed_runs}:
            at = token[0].find(run)
            while at >= 0:
                yield Mark(token.start() + at, token.start() + at + len(run), number)
                at = token[0].find(run, at + len(run))


def _start(text: str, marks: Sequence[Mark], length: int) -> int:
    """Where a part begins that has the most different terms; of several, the first."""
    best, most = 0, 0
    for mark in marks[:500]:
        reach = mark.start + length - _BEFORE
        terms = len({other.term for other in marks if mark.start <= other.start < reach})
        if terms > most:
            best, most = mark.start, terms
    if best <= _BEFORE:
        return 0
    # From a word on, where there is a space.
    space = text.find(" ", best - _BEFORE, best)
    return best - _BEFORE if space < 0 else space + 1


def _end(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", end - 30, end)
    return end if space < 0 else space


def _pieces(text: str, start: int, end: int, marks: Sequence[Mark]) -> Iterator[SnippetPiece]:
    at = start
    lead = ELLIPSIS if start else ""
    for mark in marks:
        if before := lead + _one_line(text[at : mark.start]):
            yield SnippetPiece(text=before)
        yield SnippetPiece(text=_one_line(text[mark.start : mark.end]), marked=True)
        at, lead = mark.end, ""
    if rest := lead + _one_line(text[at:end]) + (ELLIPSIS if end < len(text) else ""):
        yield SnippetPiece(text=rest)


def _one_line(text: str) -> str:
    return "".join(" " if one.isspace() else one for one in text)
