"""An article in digests: whether it may have changed, and under which other addresses the same text stands.

Texts that are nearly the same are found by a sketch, MinHash: of each of 64 orders of all runs of three
words, the first one of the text. Two texts share a value as often as they share runs.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

import numpy as np

from archiver.articles.versions.addresses import image_identity, link_identity
from archiver.articles.versions.model import NEW, PARTS, Change, Fingerprint
from archiver.articles.versions.words import folded_words, plain_words
from archiver.digests import are_comparable, folded, folded_digest, text_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from archiver.articles.model import Article

SIZE = 64
BANDS = 8
RUN = 3
# Shorter texts share their words with too many others.
LEAST_WORDS = 30
# More words are a book; its beginning tells.
MOST_WORDS = 200_000
_CHUNK = 10_000


def fingerprint(article: Article) -> Fingerprint:
    title, text = folded(article.title or ""), folded(article.text)
    return Fingerprint(
        title=folded_digest(title),
        text=folded_digest(text),
        whole=folded_digest(f"{title} {text}".strip()),
        links=_set_digest(link_identity(link.url) for link in article.links),
        images=_set_digest(image_identity(image.url) for image in article.images),
        sketch=_sketch(folded_words(text)),
    )


def compare(before: Fingerprint | None, now: Fingerprint) -> Change | None:
    """None when nothing changed.

    Digests of two versions of the algorithm cannot tell, and count as different: who can read both captures
    shall judge. A part that was never noted is not compared.
    """
    if before is None:
        return Change(kinds=(NEW,))
    kinds = tuple(part for part in PARTS if _differ(getattr(before, part), getattr(now, part)))
    return Change(kinds=kinds) if kinds else None


def is_unknown(before: Fingerprint, now: Fingerprint) -> bool:
    """Whether a difference may only be one of the algorithms that made the digests."""
    return not are_comparable(before.text, now.text)


def _differ(before: str, now: str) -> bool:
    return bool(before and now) and before != now


def _set_digest(identities: Iterable[str]) -> str:
    return text_digest("\n".join(sorted(set(filter(None, identities)))))


def _numbers(name: str) -> NDArray[np.uint64]:
    """Numbers like random ones, and the same for ever: sketches are stored."""
    digests = (hashlib.sha256(f"{name} {place}".encode()).digest() for place in range(SIZE))
    return np.array([int.from_bytes(digest[:8], "big") for digest in digests], dtype=np.uint64)


_FACTORS = _numbers("factor") | np.uint64(1)
_TERMS = _numbers("term")
_STEP = np.uint64(0x9E3779B97F4A7C15)


def sketch(text: str) -> tuple[int, ...]:
    """64 numbers of 32 bits; none where the text is too short."""
    return _sketch(plain_words(text))


def _sketch(words: Sequence[str]) -> tuple[int, ...]:
    if len(words) < LEAST_WORDS:
        return ()
    runs = _runs(words[:MOST_WORDS])
    least = np.full(SIZE, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(runs), _CHUNK):
        values = runs[start : start + _CHUNK, None] * _FACTORS
        values += _TERMS
        least = np.minimum(least, values.min(axis=0))
    # The smallest number has the smallest first half.
    return tuple((least >> np.uint64(32)).tolist())


def bands(values: Sequence[int]) -> tuple[int, ...]:
    """Eight numbers for an index: texts that are nearly the same have one of them in common, in its place."""
    rows = len(values) // BANDS
    return tuple(_band(values[start : start + rows], start) for start in range(0, rows * BANDS, rows or 1))


def resemblance(one: Sequence[int], other: Sequence[int]) -> float:
    """How much of two texts is the same, from 0 to 1; 0 where one is too short to say."""
    if not one or len(one) != len(other):
        return 0.0
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def _runs(words: Sequence[str]) -> NDArray[np.uint64]:
    """A number for each run of words, as often as it stands there, and the same on every machine."""
    known = {word: zlib.crc32(word.encode("utf-8", "replace")) for word in set(words)}
    numbers = np.array([known[word] for word in words], dtype=np.uint64)
    mixed = numbers[: len(numbers) - RUN + 1]
    for place in range(1, RUN):
        mixed = _mix(mixed) + numbers[place : len(numbers) - RUN + 1 + place]
    return _mix(mixed)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = (values + _STEP) * np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(29)
    return values * np.uint64(0x94D049BB133111EB)


def _band(values: Sequence[int], place: int) -> int:
    """In 63 bits: databases count with a sign."""
    number = place + 1
    for value in values:
        number = (number ^ value) * 0x100000001B3 % 2**64
        number ^= number >> 31
    return number >> 1
