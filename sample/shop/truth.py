"""What is true of the shop: its books as JSON, and an ontology of books that spells some things otherwise."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sample.shop.books import Book

# Which input filters which attribute; `q` looks into all texts.
FILTERS = {
    "title": "title", "author": "author", "publisher": "publisher", "isbn": "isbn",
    "category": "category", "year_from": "year", "price_from": "price",
}  # fmt: skip
KEYWORD_INPUTS = ("q",)
# What a design calls an attribute where it says so itself: by schema.org, or by a class.
NAMES = {
    "mute": {"title": "name", "year": "date-published", "category": "genre"},
}
_ROOT = "http://books.example/"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
# Of the books that the shop sells, those that the ontology spells otherwise; and some that it does not sell.
_OTHERWISE = 0.3
_OTHERS = 500


def attributes_of(book: Book) -> dict[str, list[str]]:
    """As the answers show them."""
    return {
        "title": [book.title],
        "author": list(book.authors),
        "publisher": [book.publisher],
        "year": [str(book.year)],
        "price": [book.price],
        "isbn": [book.isbn],
        "category": [book.category],
    }


def details_of(book: Book) -> dict[str, list[str]]:
    """What only the page of the book shows."""
    return {"pages": [str(book.pages)], "language": [book.language]}


def truth_json(books: Sequence[Book]) -> str:
    rows = [{"number": one.number, **attributes_of(one), **details_of(one)} for one in books]
    return json.dumps(
        {"books": rows, "filters": FILTERS, "keyword": KEYWORD_INPUTS}, ensure_ascii=False, indent=0
    )


def ontology(books: Sequence[Book], others: Sequence[Book] = (), seed: int = 1) -> Iterator[str]:
    """N-Triples, a line each; books are `b/NUMBER`, so that the truth of links is known."""
    chance = Random(f"ontology {seed}")
    for book in books:
        yield from _book_lines(book, f"{_ROOT}b/{book.number}", chance, _OTHERWISE)
    for book in others[-_OTHERS:]:
        yield from _book_lines(book, f"{_ROOT}other/{book.number}", chance, 0)


def _book_lines(book: Book, name: str, chance: Random, otherwise: float) -> Iterator[str]:
    is_otherwise = chance.random() < otherwise
    title = book.title.upper() if is_otherwise else book.title
    yield f"<{name}> {_TYPE} <{_ROOT}o/Book> ."
    yield f"<{name}> <{_ROOT}o/label> {_literal(title)} ."
    yield f"<{name}> <{_ROOT}o/issued> {_literal(str(book.year))} ."
    if not is_otherwise:
        yield f"<{name}> <{_ROOT}o/isbn13> {_literal(book.isbn)} ."
    for writer in book.authors:
        person = f"{_ROOT}p/{quote(writer)}"
        first, _, last = writer.partition(" ")
        spelt = f"{last}, {first}" if is_otherwise else writer
        yield f"<{person}> <{_ROOT}o/created> <{name}> ."
        yield f"<{person}> {_TYPE} <{_ROOT}o/Person> ."
        yield f"<{person}> <{_ROOT}o/name> {_literal(spelt)} ."


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
