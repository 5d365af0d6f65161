"""The shop's search: an index in memory, with the habits of real catalogues."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sample.shop.books import Book

# How several words are taken: all of them, any of them, or all of them as beginnings of words.
Semantics = Literal["and", "or", "prefix"]
TEXTS = ("title", "author", "publisher", "isbn")
_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """Lower case, without accents: as the index has them."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(one for one in plain if not unicodedata.combining(one)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked for. Inputs that are empty filter nothing."""

    q: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    category: str = ""
    years: tuple[int | None, int | None] = (None, None)
    prices: tuple[int | None, int | None] = (None, None)

    @property
    def is_empty(self) -> bool:
        open_ends = (None, None)
        return not (self.q or any(self.texts.values()) or self.category) and (
            self.years == open_ends == self.prices
        )


class Catalogue:
    """Finds books. Words of the stop list are not in the index."""

    def __init__(
        self, books: Sequence[Book], semantics: Semantics = "and", stop: Collection[str] = ()
    ) -> None:
        self.books = books
        self.semantics = semantics
        self._stop = frozenset(stop)
        self._index: dict[str, dict[str, list[int]]] = {name: {} for name in (*TEXTS, "q")}
        for place, book in enumerate(books):
            for name, text in _texts(book).items():
                for word in set(words_of(text)):
                    self._index[name].setdefault(word, []).append(place)
        self._sorted = {name: sorted(index) for name, index in self._index.items()}

    def find(self, query: Query) -> list[Book]:
        """In the order of the catalogue."""
        filters = [self._matching("q", query.q)] if query.q else []
        filters += [self._matching(name, text) for name, text in query.texts.items() if text]
        if query.is_empty:
            return list(self.books)
        places: Iterable[int] = range(len(self.books))
        if filters:
            places = sorted(set.intersection(*filters))
        found = (self.books[place] for place in places)
        return [book for book in found if _fits(book, query)]

    def _matching(self, name: str, text: str) -> set[int]:
        words = [word for word in words_of(text) if word not in self._stop]
        sets = [self._with(name, word) for word in words]
        if not sets:
            return set()
        return set().union(*sets) if self.semantics == "or" else set.intersection(*sets)

    def _with(self, name: str, word: str) -> set[int]:
        if self.semantics != "prefix":
            return set(self._index[name].get(word, ()))
        words = self._sorted[name]
        first, last = bisect_left(words, word), bisect_left(words, word + "\uffff")
        return {place for one in words[first:last] for place in self._index[name][one]}


def _texts(book: Book) -> dict[str, str]:
    texts = {
        "title": book.title,
        "author": " ".join(book.authors),
        "publisher": book.publisher,
        "isbn": book.isbn,
    }
    return texts | {"q": " ".join(texts.values())}


def _fits(book: Book, query: Query) -> bool:
    return (
        (not query.category or book.category == query.category)
        and _within(book.year, query.years)
        and _within(book.cents, query.prices)
    )


def _within(value: int, ends: tuple[int | None, int | None]) -> bool:
    low, high = ends
    return (low is None or low <= value) and (high is None or value <= high)
