"""The part of a text in which most of what was searched for stands, with the words marked."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from archiver.search.folding import folded, tokens_of
from archiver.search.model import SnippetPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.search.query import QueryTerm

_LENGTH = 240  # characters
_BEFORE = 60  # the first word that is marked
# Of a long text only its beginning is looked through.
_LOOKED_AT = 100_000
# Of one term. A part that is shown has far fewer.
_MOST_MARKS = 2000
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
    places: dict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(words):
        places[word].append(at)
    found: set[Mark] = set()
    # Some say a word thousands of times, in a text or in a search.
    for number, term in enumerate(dict.fromkeys(terms)):
        marked = (Mark(tokens[at].start(), tokens[at].end(), number) for at in _places(words, places, term))
        found.update(islice(chain(marked, _run_marks(text, term, number)), _MOST_MARKS))
    at = 0
    for mark in sorted(found):
        if mark.start >= at:
            yield mark
            at = mark.end


def _places(words: Sequence[str], places: Mapping[str, list[int]], term: QueryTerm) -> Iterator[int]:
    """Which words belong to a term, each once."""
    if not term.words:
        return
    *first, last = term.folded
    told = 0
    for end in _ends(places, last, is_beginning=term.is_beginning):
        start = end - len(first)
        if start >= 0 and (not first or words[start:end] == first):
            yield from range(max(start, told), end + 1)
            told = end + 1


def _ends(places: Mapping[str, list[int]], last: str, *, is_beginning: bool) -> Sequence[int]:
    if not is_beginning:
        return places.get(last, [])
    return sorted(at for word, found in places.items() if word.startswith(last) for at in found)


def _run_marks(text: str, term: QueryTerm, number: int) -> Iterator[Mark]:
    for run in dict.fromkeys((*term.runs, *term.typed_runs) if term.runs else ()):
        at = text.find(run)
        while at >= 0:
            yield Mark(at, at + len(run), number)
            at = text.find(run, at + len(run))


def _start(text: str, marks: Sequence[Mark], length: int) -> int:
    """Where a part begins that has the most different terms; of several, the first."""
    best, most, reached = 0, 0, 0
    inside: Counter[int] = Counter()
    for mark in marks:
        while reached < len(marks) and marks[reached].start < mark.start + length - _BEFORE:
            inside[marks[reached].term] += 1
            reached += 1
        if len(inside) > most:
            best, most = mark.start, len(inside)
        inside[mark.term] -= 1
        if not inside[mark.term]:
            del inside[mark.term]
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
