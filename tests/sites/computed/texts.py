"""Words of generated sites, each text from a key of its own: nothing is kept."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise, product

_ONSETS = ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl", "gr", "ch")
_RESTS = ("an", "el", "or", "is", "um", "ata", "eno", "ira", "osa", "une", "ard", "est", "ill", "ond", "ave")
_MANY = 12_000
# Some words are written much more often than others, as in every language.
_SKEW = 2.2
_CODED = 64  # words for each of three places of a title
_STRIDE = 40_503  # odd: each number has a code of its own


@cache
def vocabulary() -> tuple[str, ...]:
    parts = ["".join(pair) for pair in product(_ONSETS, _RESTS)]
    made = {f"{a}{b}" for a, b in product(parts, parts)} | set(parts)
    return tuple(random.Random("vocabulary").sample(sorted(made), _MANY))


@cache
def _places() -> dict[str, int]:
    return {word: at for at, word in enumerate(vocabulary())}


def prose(key: str, least: int, most: int) -> str:
    """A sentence of so many words."""
    chance, words = random.Random(key), vocabulary()
    many = chance.randint(least, most)
    told = [words[int(_MANY * chance.random() ** _SKEW)] for _ in range(many)]
    return f"{' '.join(told).capitalize()}."


def title_of(site: str, number: int) -> str:
    """A title whose first three words are that of one number alone."""
    chance = random.Random(f"{site} title {number}")
    code = number * _STRIDE % _CODED**3
    first = (code % _CODED, code // _CODED % _CODED, code // _CODED**2)
    words = [vocabulary()[place * _CODED + at] for place, at in enumerate(first)]
    words += [vocabulary()[int(_MANY * chance.random())] for _ in range(chance.randint(1, 4))]
    return " ".join(words).capitalize()


def number_of(slug: str) -> int | None:
    """The number whose title begins like this; None: there is none."""
    words = slug.split("-")[:3]
    places = [_places().get(word, -1) - place * _CODED for place, word in enumerate(words)]
    if len(places) < 3 or not all(0 <= at < _CODED for at in places):
        return None
    code = places[0] + places[1] * _CODED + places[2] * _CODED**2
    return code * pow(_STRIDE, -1, _CODED**3) % _CODED**3


def grams_of(texts: list[str]) -> set[int]:
    """Pairs of neighbouring words within each text, as numbers."""
    return {hash(pair) for text in texts for pair in pairwise(text.lower().rstrip(".").split())}
