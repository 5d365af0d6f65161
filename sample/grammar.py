"""Fills the sentence templates of the prose files: {this|that} chooses, [place1] names and remembers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"\[([A-Za-z]+)(\d*)(?::(\d+)-(\d+))?\]")
_PRONOUNS = {"he": ("he", "she"), "his": ("his", "her"), "him": ("him", "her")}


class Facts:
    """The names and numbers of one article: the same slot always gives the same answer."""

    def __init__(self, rng: Random, lists: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> None:
        self._rng = rng
        self._lists = lists
        self._known = dict(given)

    def fill(self, template: str) -> str:
        while "{" in template:
            template = _CHOICE.sub(self._choose, template)
        return _SLOT.sub(self._look_up, template)

    def _choose(self, match: re.Match[str]) -> str:
        return self._rng.choice(str(match[1]).split("|"))

    def _look_up(self, match: re.Match[str]) -> str:
        name, index, low, high = match.groups()
        if low is not None:
            return self._number(name + index if index else "", int(low), int(high))
        word = self._word(name.lower(), index)
        return word[0].upper() + word[1:] if name[0].isupper() else word

    def _number(self, key: str, low: int, high: int) -> str:
        number = str(self._rng.randint(low, high))
        return self._known.setdefault(key, number) if key else number

    def _word(self, name: str, index: str) -> str:
        if name in _PRONOUNS:
            return _PRONOUNS[name][self._entry("person", index).endswith("/she")]
        if name in {"first", "last"}:
            return self._entry("person", index).split("/")[0].split()[0 if name == "first" else -1]
        return self._entry(name, index).split("/")[0]

    def _entry(self, name: str, index: str) -> str:
        key = name + index
        if key not in self._known:
            taken = set(self._known.values())
            self._known[key] = self._rng.choice([item for item in self._lists[name] if item not in taken])
        return self._known[key]
