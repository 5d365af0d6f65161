"""Words for foreign pages: made of the article's own, so that they are of its language and of its subject."""

from __future__ import annotations

import itertools
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_LEAST = 60
# Letters for which another can be put without a sign of its own.
_LETTERS = "aeioutnrsl"


def composed(gold: str, rng: Random, length: int) -> str | None:
    """A sentence that is not in the text, by which word follows which in it; None where it has too few."""
    words = gold.split()
    if len(words) < _LEAST:
        return None
    follow: dict[str, list[str]] = {}
    for word, after in itertools.pairwise(words):
        follow.setdefault(word, []).append(after)
    made = [rng.choice(words)]
    while len(made) < length:
        # Every fifth word begins anew: else short texts are only said again.
        nexts = follow.get(made[-1], []) if len(made) % 5 else words
        made.append(rng.choice(nexts or words))
    text = " ".join(made)
    return escape(text[0].upper() + text[1:].rstrip(".,;:–-“”\"'") + ".", quote=False)


def misspelt(word: str, rng: Random) -> str:
    """The word with one letter changed."""
    places = [place for place, letter in enumerate(word) if letter in _LETTERS and place] or [len(word) - 1]
    place = rng.choice(places)
    letter = rng.choice([one for one in _LETTERS if one != word[place]])
    return word[:place] + letter + word[place + 1 :]


def other_number(number: str, rng: Random) -> str:
    """Another number with as many digits."""
    digit = rng.choice([one for one in "123456789" if one != number[0]])
    return digit + number[1:]
