"""Books by a seeded generator: the same number and seed always give the same books."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from sample.shop.names import (
    ADJECTIVES,
    CATEGORIES,
    FIRST_NAMES,
    KINDS,
    LANGUAGES,
    LAST_NAMES,
    NOUNS,
    PLACES,
    PUBLISHERS,
    SUBJECTS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

BOOKS = 5000
_TITLES = (
    "The {adjective} {noun} of {place}",
    "{adjective} {noun}, {second} {other}",
    "A {kind} of {subject} in {place}",
    "The {noun} and the {adjective} {other}",
    "{name} at the {adjective} {noun}",
    "The {kind} of {adjective} {subject}",
    "Under the {adjective} {noun}: {place}",
)
_FIRST_YEAR, _LAST_YEAR = 1950, 2026


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One book of the shop."""

    number: int
    title: str
    authors: tuple[str, ...]
    publisher: str
    year: int
    cents: int
    isbn: str
    category: str
    pages: int
    language: str

    @property
    def price(self) -> str:
        return f"{self.cents // 100}.{self.cents % 100:02}"


@cache
def make_books(count: int = BOOKS, seed: int = 1) -> tuple[Book, ...]:
    chance = Random(f"books {seed}")
    writers = _writers(chance, count * 3 // 10)
    # Some write and publish much more than others, as in any catalogue.
    often = [1 / (rank + 5) for rank in range(len(writers))]
    houses = [1 / (rank + 3) for rank in range(len(PUBLISHERS))]
    shelves = [1 / (rank + 4) for rank in range(len(CATEGORIES))]
    taken: set[str] = set()
    return tuple(
        Book(
            number=number,
            title=_title(chance, taken),
            authors=_authors(chance, writers, often),
            publisher=chance.choices(PUBLISHERS, houses)[0],
            year=int(chance.triangular(_FIRST_YEAR, _LAST_YEAR + 1, _LAST_YEAR - 10)),
            cents=chance.randint(4, 79) * 100 + chance.choice((0, 50, 90, 95, 99)),
            isbn=_isbn(number),
            category=chance.choices(CATEGORIES, shelves)[0],
            pages=chance.randint(48, 912),
            language=chance.choice(LANGUAGES),
        )
        for number in range(1, count + 1)
    )


def _writers(chance: Random, count: int) -> list[str]:
    names: dict[str, None] = {}
    while len(names) < count:
        names[f"{chance.choice(FIRST_NAMES)} {chance.choice(LAST_NAMES)}"] = None
    return list(names)


def _authors(chance: Random, writers: Sequence[str], often: Sequence[float]) -> tuple[str, ...]:
    count = chance.choices((1, 2, 3), (80, 16, 4))[0]
    return tuple(dict.fromkeys(chance.choices(writers, often, k=count)))


def _title(chance: Random, taken: set[str]) -> str:
    while True:
        title = _drawn_title(chance)
        if title not in taken:
            taken.add(title)
            return title


def _drawn_title(chance: Random) -> str:
    words = {
        "noun": chance.choice(NOUNS),
        "other": chance.choice(NOUNS),
        "adjective": chance.choice(ADJECTIVES),
        "second": chance.choice(ADJECTIVES),
        "place": chance.choice(PLACES),
        "kind": chance.choice(KINDS),
        "subject": chance.choice(SUBJECTS),
        "name": chance.choice(FIRST_NAMES),
    }
    return chance.choice(_TITLES).format_map(words)


def _isbn(number: int) -> str:
    """ISBN-13 with its check digit; the numbers are spread, as those of different publishers are."""
    body = f"978{(number * 7_654_321 + 123_456_789) % 1_000_000_000:09}"
    weighted = sum(int(digit) * (1 if place % 2 == 0 else 3) for place, digit in enumerate(body))
    return f"{body}{-weighted % 10}"
