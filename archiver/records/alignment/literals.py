"""When two literals mean the same: equal letters and digits, or nearly the same words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Dice of 3-grams from which two texts may be one: below it, other names begin to count as spellings.
LIKENESS = 0.8
# Of a text, so many characters are compared: a paragraph is not found by its end.
_LONGEST = 300
# Letters of a beginning or an end: shorter ones are those of too many texts.
_BLOCK = 8
_WORDS = re.compile(r"[^\W_]+")
_PLAIN_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+|,\d{1,2})")
_ZONE = re.compile(r"(?<=\d)(?:Z|[+-]\d\d:\d\d)$")
_NUMBERS = frozenset(
    {"integer", "decimal", "double", "float", "int", "long", "short", "byte"}
    | {"nonNegativeInteger", "positiveInteger", "unsignedInt", "unsignedLong"}
)
_TIMES = frozenset({"date", "dateTime", "gYear", "gYearMonth"})
_XSD = "http://www.w3.org/2001/XMLSchema#"


@lru_cache(maxsize=100_000)
def literal_key(text: str, datatype: str = "") -> str:
    """Equal for literals that mean the same; empty for one that says nothing."""
    kind = datatype.removeprefix(_XSD)
    text = text[:_LONGEST].strip()
    if kind in _NUMBERS or _PLAIN_DECIMAL.fullmatch(text):
        return _number(text) or "".join(words_of(text))
    return "".join(words_of(_ZONE.sub("", text) if kind in _TIMES else text))


def _number(text: str) -> str:
    try:
        value = Decimal(text.replace(",", "."))
    except InvalidOperation:
        return ""
    return f"{value.normalize():f}" if value.is_finite() else ""


def words_of(text: str) -> list[str]:
    """Words without case and accents."""
    if not text.isascii():
        text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return _WORDS.findall(text[:_LONGEST].casefold())


def shingles_of(text: str) -> frozenset[str]:
    """3-grams of each word by itself, so that the order of the words does not matter."""
    padded = (f"  {word} " for word in words_of(text))
    return frozenset(word[at : at + 3] for word in padded for at in range(len(word) - 2))


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def like_literals(left: Mapping[str, str], right: Mapping[str, str]) -> list[tuple[str, str, float]]:
    """Keys that mean the same with how surely: the equal ones, and for each other one its best likeness.

    The mappings have the text of each key. A key that has its equal is not like another one that has its own.
    """
    equal = [(key, key, 1.0) for key in left if key in right]
    return equal + _nearly(_lettered(left), _lettered(right))


def _lettered(texts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Keys with letters: another number is another thing."""
    return {key: shingles_of(text) for key, text in texts.items() if any(one.isalpha() for one in key)}


def _nearly(
    left: Mapping[str, frozenset[str]], right: Mapping[str, frozenset[str]]
) -> list[tuple[str, str, float]]:
    counts = Counter(one for grams in (*left.values(), *right.values()) for one in grams)
    index = defaultdict(list)
    for key, grams in left.items():
        for one in _rarest(grams, counts):
            index[one].append(key)
    found: dict[tuple[str, str], float] = {}
    for key, grams in right.items():
        candidates = {other for one in _rarest(grams, counts) for other in index.get(one, ())}
        found |= {
            (other, key): likeness
            for other in candidates
            if not (key in left and other in right) and (likeness := dice(left[other], grams)) >= LIKENESS
        }
    return sorted((*pair, likeness) for pair, likeness in _best(found))


def _rarest(grams: frozenset[str], counts: Counter[str]) -> Sequence[str]:
    """So many of them that no text of enough likeness has none of them (prefix filter).

    Two sets with a Dice of d share at least d / (2 - d) of the one with more members.
    """
    shared = int(len(grams) * LIKENESS / (2 - LIKENESS))
    return sorted(grams, key=lambda one: (counts[one], one))[: len(grams) - shared + 1]


def _best(found: Mapping[tuple[str, str], float]) -> Iterator[tuple[tuple[str, str], float]]:
    """Pairs that are the one best for their left or for their right key."""
    chosen: set[tuple[str, str]] = set()
    for end in (0, 1):
        ranked = defaultdict(list)
        for pair, likeness in found.items():
            ranked[pair[end]].append((likeness, pair))
        for several in ranked.values():
            first, *others = sorted(several, reverse=True)[:2]
            if not others or others[0][0] < first[0]:
                chosen.add(first[1])
    return ((pair, found[pair]) for pair in chosen)


def blocking_keys(text: str) -> Iterator[str]:
    """What a text shares with most of those like it: its words in any order, its beginning, its end."""
    words = words_of(text)
    whole = "".join(words)
    if len(words) > 1:
        yield " ".join(sorted(words))
    if len(whole) >= _BLOCK and not whole.isdigit():
        yield whole[:_BLOCK] + "…"
        yield "…" + whole[-_BLOCK:]
