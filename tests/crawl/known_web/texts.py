"""Texts about a flood or about other subjects, of made-up words: the same seed gives the same text."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

KEYWORDS = ("flood", "dyke", "sandbags", "river gauge")
_FLOOD = [
    "flood",
    "dyke",
    "sandbags",
    "river",
    "gauge",
    "evacuation",
    "crest",
    "levee",
    "rescue",
    "embankment",
    "upstream",
    "downpour",
    "pumps",
    "shelter",
    "breach",
    "rainfall",
    "reservoir",
]
_COMMON = [
    "the",
    "of",
    "and",
    "in",
    "to",
    "a",
    "was",
    "is",
    "for",
    "on",
    "with",
    "that",
    "by",
    "at",
    "from",
    "it",
    "as",
    "were",
    "had",
    "has",
]
_SYLLABLES = [
    "ba",
    "ke",
    "li",
    "mo",
    "nu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "da",
    "fe",
    "gi",
    "ho",
    "ku",
    "la",
    "me",
    "ni",
    "pa",
    "ro",
    "su",
    "te",
    "va",
    "wi",
]
SUBJECTS = 9  # the first is the flood
# Words that a subject has of its own, and that all subjects have.
_OWN, _SHARED = 120, 600
# One sentence, one paragraph.
_WORDS, _SENTENCES = 14, 4


@lru_cache(maxsize=32)
def vocabulary(name: str, size: int) -> tuple[str, ...]:
    """Made-up words, the same for a name for ever."""
    chance = random.Random(name)
    return tuple("".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(size))


@lru_cache(maxsize=32)
def words_of(subject: int) -> tuple[str, ...]:
    own = vocabulary(f"subject {subject}", _OWN)
    return (*_FLOOD, *own[: _OWN // 2]) if subject == 0 else own


def title(chance: random.Random, subject: int, telling: float) -> str:
    """Five words; as many as `telling` says are of the subject."""
    plain = vocabulary("plain", _SHARED)
    own = _FLOOD if subject == 0 else words_of(subject)
    found = [chance.choice(own) if chance.random() < telling else chance.choice(plain) for _ in range(5)]
    return " ".join(found).capitalize()


def paragraphs(chance: random.Random, subject: int, count: int, strays: Sequence[str] = ()) -> list[str]:
    """Text of a subject; `strays` are words of another one, each of which it says once."""
    found = [" ".join(_sentence(chance, subject) for _ in range(_SENTENCES)) for _ in range(count)]
    for stray in strays:
        place = chance.randrange(len(found))
        found[place] += f" It was said that the {stray} {_sentence(chance, subject)}"
    return found


def _sentence(chance: random.Random, subject: int) -> str:
    plain, own = vocabulary("plain", _SHARED), words_of(subject)
    words = []
    for place in range(_WORDS):
        if place % 5 in (0, 3):
            words.append(chance.choice(_COMMON))
        elif chance.random() < 0.4:
            # Some words of a subject are said much more often than others.
            words.append(own[int(len(own) * chance.random() ** 2)])
        else:
            words.append(chance.choice(plain))
    return f"{' '.join(words).capitalize()}."


def stuffed(chance: random.Random, count: int) -> list[str]:
    """Nothing but what people search for."""
    return [" ".join(chance.choices([*KEYWORDS, "flood", "rescue"], k=60)) for _ in range(count)]
