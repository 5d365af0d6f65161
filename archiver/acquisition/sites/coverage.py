"""How much text a crawl has seen: distinct pairs of words, counted in 4 KB however many there are.

Each pair is hashed; of all hashes that fall to a register, it keeps how many zeros the longest began with.
That is HyperLogLog (Flajolet and others, 2007), with an error of about 1.6 %.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_BITS = 12
_REGISTERS = 1 << _BITS
EMPTY = bytes(_REGISTERS)
# Of Flajolet's paper, for many registers.
_ALPHA = 0.7213 / (1 + 1.079 / _REGISTERS)


def seen_in(texts: Iterable[str]) -> bytes:
    """The registers for the pairs of words within each of these texts."""
    hashes = pairs_in(texts)
    registers = np.zeros(_REGISTERS, dtype=np.uint8)
    if hashes.size:
        place = (hashes >> np.uint64(64 - _BITS)).astype(np.intp)
        rest = hashes << np.uint64(_BITS) | np.uint64(1 << (_BITS - 1))
        # The exponent of a float is the place of its first one.
        zeros = 63 - np.frexp(rest.astype(np.float64))[1] + 1
        np.maximum.at(registers, place, (zeros + 1).astype(np.uint8))
    return registers.tobytes()


def pairs_in(texts: Iterable[str]) -> NDArray[np.uint64]:
    """The pairs of words within each of these texts, as hashes."""
    # All at once: most texts have a few words, and numpy takes as long for these as for a thousand.
    numbers: list[int] = []
    is_last: list[bool] = []
    for text in texts:
        words = text.lower().split()
        numbers += [zlib.crc32(word.encode("utf-8", "replace")) for word in words]
        is_last += [False] * (len(words) - 1) + [True] * bool(words)
    found = np.array(numbers, dtype=np.uint64)
    within = ~np.array(is_last, dtype=np.bool_)[:-1]
    return _mixed(_mixed(found[:-1]) + found[1:])[within]


def united(one: bytes, other: bytes) -> bytes:
    """The registers for what either of two has."""
    if not one or not other:
        return one or other or EMPTY
    return np.maximum(_registers(one), _registers(other)).tobytes()


def estimate(registers: bytes) -> int:
    """How many distinct pairs of words these have seen."""
    if not registers:
        return 0
    values = _registers(registers).astype(np.float64)
    found = _ALPHA * _REGISTERS**2 / float(np.sum(2.0**-values))
    empty = int(np.count_nonzero(values == 0))
    if found <= 2.5 * _REGISTERS and empty:
        # Few of them: the empty registers say it better.
        found = _REGISTERS * float(np.log(_REGISTERS / empty))
    return round(found)


def _registers(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, dtype=np.uint8)


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread over all 64 bits: SplitMix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
