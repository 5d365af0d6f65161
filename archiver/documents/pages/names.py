"""Which names in markup hold over the pages of a template: those that people gave, not programs."""

from __future__ import annotations

import re
from functools import lru_cache

# What programs that write style sheets put before the digest of a style.
_MADE = re.compile(
    r"(?:css|sc|jss|jsx|svelte|emotion|chakra|mui|glamor|astro|linaria)-+[a-z]+", re.IGNORECASE
)
# The last part of a name, which such programs make unique: `body` and `fDORXM` of `body__fDORXM`.
_LAST_PART = re.compile(r"[A-Za-z]+$")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
# Digests are cut to about this many letters.
_SHORTEST_DIGEST, _LONGEST_DIGEST = 5, 8


@lru_cache(maxsize=10_000)
def is_steady(name: str) -> bool:
    """Whether a name is likely the same on the next page, and after the next change of a style sheet."""
    if not name.isprintable() or any(one.isdigit() or one in "'\"" for one in name):
        return False
    return not (_MADE.fullmatch(name) or _is_digest(name))


def _is_digest(name: str) -> bool:
    """Whether a name ends in letters of both cases that are no words: `feoRWP`, but not `storyBody`."""
    last = _LAST_PART.search(name)
    if last is None or not _SHORTEST_DIGEST <= len(last[0]) <= _LONGEST_DIGEST:
        return False
    if last[0].islower() or last[0].isupper() or last[0].istitle():
        return False
    return any(len(word) == 1 or not _VOWEL.search(word) for word in _WORDS.findall(last[0]))
