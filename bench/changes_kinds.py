"""Kinds of mutation of a foreign page, each registered with what a detector should say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from changes_source import Source

TEXT, TITLE = frozenset({"text"}), frozenset({"title"})
LINKS, IMAGES = frozenset({"links"}), frozenset({"images"})
NOTHING: frozenset[str] = frozenset()


class Mutate(Protocol):
    """The page at the moment 0 or 1; None where this cannot be done to it.

    Called for both moments with a generator of random numbers in the same state.
    """

    def __call__(self, page: Source, moment: int, rng: Random) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What should be reported: all of `kinds`, or where there is `either`, any of it; and `also` may be."""

    kinds: frozenset[str] = NOTHING
    also: frozenset[str] = NOTHING
    either: frozenset[str] = NOTHING

    def __or__(self, other: Expected) -> Expected:
        return Expected(
            kinds=self.kinds | other.kinds, also=self.also | other.also, either=self.either or other.either
        )

    def admits(self, found: frozenset[str]) -> bool:
        if self.either:
            return bool(found) and found <= self.either | self.also
        return self.kinds <= found <= self.kinds | self.also


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    name: str
    words: str
    mutate: Mutate
    expected: Expected = Expected()
    # The bytes of the later page are in this encoding, and said to be.
    encoding: str = "utf-8"

    @property
    def is_real(self) -> bool:
        return self.expected != Expected()


EDITS: dict[str, Kind] = {}
NOISES: dict[str, Kind] = {}


def edit(
    name: str,
    kinds: frozenset[str],
    words: str,
    *,
    also: frozenset[str] = NOTHING,
    either: frozenset[str] = NOTHING,
) -> Callable[[Mutate], Mutate]:
    def register(mutate: Mutate) -> Mutate:
        expected = Expected(kinds=kinds, also=also, either=either)
        EDITS[name] = Kind(name=name, words=words, mutate=mutate, expected=expected)
        return mutate

    return register


def noise(name: str, words: str, *, encoding: str = "utf-8") -> Callable[[Mutate], Mutate]:
    def register(mutate: Mutate) -> Mutate:
        NOISES[name] = Kind(name=name, words=words, mutate=mutate, encoding=encoding)
        return mutate

    return register
