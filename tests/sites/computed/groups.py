"""Which items of a generated site belong together: by a rule, so that any list is computed alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol


class Grouping(Protocol):
    """Items in groups, such as those of a category; newer items have higher numbers."""

    name: str

    def count(self, total: int) -> int: ...

    def of(self, number: int) -> tuple[int, ...]: ...

    def size(self, group: int, total: int) -> int: ...

    def newest(self, group: int, total: int, start: int, many: int) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Scattered:
    """Groups of unequal size; an item may belong to several."""

    name: str
    groups: int
    table: tuple[tuple[int, ...], ...]  # the groups of each number, by its remainder
    members: tuple[tuple[int, ...], ...]  # the remainders of each group

    def count(self, total: int) -> int:  # noqa: ARG002 - of `Grouping`
        return self.groups

    def of(self, number: int) -> tuple[int, ...]:
        return self.table[number % len(self.table)]

    def size(self, group: int, total: int) -> int:
        rounds, rest = divmod(total, len(self.table))
        return rounds * len(self.members[group]) + sum(one < rest for one in self.members[group])

    def newest(self, group: int, total: int, start: int, many: int) -> list[int]:
        members = self.members[group]
        last = self.size(group, total) - 1 - start
        places = range(last, max(-1, last - many), -1)
        return [at // len(members) * len(self.table) + members[at % len(members)] for at in places]


@dataclass(frozen=True, slots=True)
class Consecutive:
    """Groups of neighbours: months, chapters."""

    name: str
    length: int

    def count(self, total: int) -> int:
        return -(-total // self.length)

    def of(self, number: int) -> tuple[int, ...]:
        return (number // self.length,)

    def size(self, group: int, total: int) -> int:
        return max(0, min(self.length, total - group * self.length))

    def newest(self, group: int, total: int, start: int, many: int) -> list[int]:
        last = group * self.length + self.size(group, total) - 1 - start
        return list(range(last, max(group * self.length - 1, last - many), -1))


def everything(length: int = 1 << 40) -> Consecutive:
    """One group that has all."""
    return Consecutive("", length)


def scattered(name: str, groups: int, key: str, each: int = 1) -> Scattered:
    """Every group has a member; the first ones have more than the last ones."""
    chance = random.Random(f"{key} {name}")
    period = 8 * groups + 1
    weights = [1 / (at + 4) for at in range(groups)]
    table = [{at % groups} if at < groups else set() for at in range(period)]
    chance.shuffle(table)
    for one in table:
        while len(one) < min(each, groups):
            one.add(chance.choices(range(groups), weights)[0])
    members = tuple(tuple(at for at, one in enumerate(table) if group in one) for group in range(groups))
    return Scattered(name, groups, tuple(tuple(sorted(one)) for one in table), members)
