"""Words as PostgreSQL's text search has them: lexemes with places, made here: both indexes find the same.

What is not a word of title or text has a sign before it: `~` a pair of characters, `@` an author, `%` a
category, `#` a tag.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.words import normal
from archiver.search.folding import folded, names_of, pairs, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from archiver.search.lines import IndexedText
    from archiver.search.query import QueryTerm
    from archiver.search.sieve import Sieve

# PostgreSQL's own limits: of a place, of a lexeme, and of all of them together in bytes, with some room.
_LAST_PLACE = 16_383
_LONGEST = 500
_MOST_BYTES = 900_000
# No phrase reaches over it.
_GAP = 10


def vector_of(text: IndexedText) -> str:
    """A `tsvector`, as it is written down."""
    places: dict[str, list[str]] = {}
    size = 0
    for lexeme, place, weight in _placed(text):
        known = places.setdefault(lexeme, [])
        size += 4 + (0 if known else len(lexeme.encode()) + 8)
        if size > _MOST_BYTES:
            break
        known.append(f"{min(place, _LAST_PLACE)}{weight}")
    return " ".join(f"{_quoted(lexeme)}:{','.join(found)}" for lexeme, found in places.items())


def _placed(text: IndexedText) -> Iterator[tuple[str, int, str]]:
    """Every lexeme with its place and weight; tags first, since a long text is cut."""
    for place, tag in enumerate(text.tags.split(), 1):
        yield f"#{tag}", place, "D"
    for sign, names in (("@", text.authors), ("%", text.categories)):
        for place, name in enumerate(_listed(names), 1):
            yield f"{sign}{name}", place, "D"
    place = 1
    for part, weight in ((text.title, "A"), (text.text, "D")):
        for lexeme in _lexemes(part):
            yield lexeme, place, weight
            place += 1
        place += _GAP


def _listed(names: str) -> Iterator[str]:
    """The words of names, with a word between two names that no phrase has."""
    for number, name in enumerate(names.split(" , ")):
        yield from [","] if number else []
        yield from map(_short, names_of(name))


def _lexemes(text: str) -> Iterator[str]:
    for token in tokens_of(normal(text)):
        if token[2]:
            yield from (f"~{pair}" for pair in pairs(token[2]).split(" "))
            yield "~"  # between two runs
        else:
            yield _short(folded(token[1]))


def _short(word: str) -> str:
    return word[:_LONGEST]


def tsquery_of(sieve: Sieve) -> str:
    """A `tsquery`, as it is written down."""
    query = sieve.query
    parts = [_any(map(_term, group)) for group in query.groups]
    parts += [_any(_quoted(f"#{tag}") for tag in group) for group in sieve.tags]
    for sign, name in (("@", sieve.author), ("%", sieve.category)):
        if words := [f"{sign}{_short(word)}" for word in names_of(name)]:
            parts.append(_phrase(words, is_beginning=_is_run(name)))
    parts += [f"!{_term(term)}" for term in query.without]
    return " & ".join(parts)


def _is_run(name: str) -> bool:
    return any(token[2] for token in tokens_of(name))


def _term(term: QueryTerm) -> str:
    parts = [_run(run) for run in term.runs]
    if term.words:
        parts.append(_phrase([_short(word) for word in term.folded], is_beginning=term.is_beginning))
    return f"({' & '.join(parts)})"


def _run(run: str) -> str:
    if len(run) == 1:
        return f"{_quoted(f'~{run}')}:*"
    return _phrase([f"~{pair}" for pair in pairs(run).split(" ")[:-1]], is_beginning=False)


def _phrase(words: Sequence[str], *, is_beginning: bool) -> str:
    found = " <-> ".join(map(_quoted, words))
    return f"({found}{':*' if is_beginning else ''})"


def _any(parts: Iterable[str]) -> str:
    return f"({' | '.join(parts)})"


def _quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def clean(written: str) -> str:
    """What PostgreSQL takes: no NUL, no lone surrogates."""
    return written.replace("\0", " ").encode("utf-8", "replace").decode()
