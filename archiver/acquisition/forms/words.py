"""Words that are submitted: harmless ones alone, from sources that are told apart."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_WORD = 30
_HARMLESS = re.compile(r"\w+(?: \w+){0,4}")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def is_harmless(value: str) -> bool:
    """True for letters, digits and single spaces: nothing that a server could take for anything but words."""
    return bool(_HARMLESS.fullmatch(value)) and "_" not in value and len(value) <= 5 * LONGEST_WORD


def words_in(text: str) -> Iterator[str]:
    """The words of a text that may be submitted."""
    for word in tokens(text):
        if len(word) <= LONGEST_WORD and is_harmless(word):
            yield word


def nonsense(seed: str) -> str:
    """Twelve letters that can be spoken and are in no language."""
    chance = Random(f"nonsense {seed}")  # noqa: S311 - not a secret
    return "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(6))


def misspelt(word: str) -> str:
    """Two neighbours in the middle changed places."""
    at = len(word) // 2
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
