"""Columns of records: texts that stand at one kind of place, over all records of all pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from archiver.records.leaves import labelled
from archiver.records.profiles import likeness, profile_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.records.leaves import Leaf

Group = tuple[str, str, str]  # kind, itemprop, label
Column = tuple[Group, int]  # and a place from 1, where each place is a column of its own
Texts = frozenset[tuple[str, str]]

_CONSTANT = 0.8  # share of records that have a text at one kind of place, which makes it no value
_FEWEST = 3  # records that can prove anything
_USUAL = 0.6  # share of records that have as many values as most
_ALIKE = 0.9  # columns that never stand together and look as alike as this are one
_DIFFERENT = 0.75  # places of one kind that look less alike than this are columns of their own
_NOTHING = re.compile(r"[\W_]*")


@dataclass
class Grid:
    """Records with their texts by columns."""

    rows: list[dict[Column, list[Leaf]]]
    texts: Texts  # that name or separate values
    merged: dict[Column, Column] = field(default_factory=dict)  # columns that are another one

    @property
    def columns(self) -> list[Column]:
        """In the order in which they mostly stand."""
        order: defaultdict[Column, list[float]] = defaultdict(list)
        for row in self.rows:
            for place, column in enumerate(row):
                order[column].append(place / max(1, len(row)))
        return sorted(order, key=lambda column: sum(order[column]) / len(order[column]))

    def leaves(self, column: Column) -> Iterator[Leaf]:
        for row in self.rows:
            yield from row.get(column, ())


def group_of(leaf: Leaf) -> Group:
    return leaf.kind, leaf.itemprop, leaf.label.casefold()


def learned_grid(records: Sequence[Sequence[Leaf]]) -> Grid:
    """The columns of records that are given by their texts."""
    texts = constant_texts(records)
    named = [labelled(leaves, texts) for leaves in records]
    places = _places(named)
    grid = Grid(rows=[row_of(leaves, places, texts) for leaves in named], texts=texts)
    _merge(grid)
    return grid


def constant_texts(records: Sequence[Sequence[Leaf]]) -> Texts:
    """Texts that nearly all records have at one kind of place, and others of that kind beside or instead."""
    holders: Counter[tuple[str, str]] = Counter()
    values: defaultdict[str, set[str]] = defaultdict(set)
    several: Counter[str] = Counter()
    having: Counter[str] = Counter()
    for leaves in records:
        holders.update({(leaf.kind, leaf.text) for leaf in leaves})
        counts = Counter(leaf.kind for leaf in leaves)
        several.update(kind for kind, count in counts.items() if count > 1)
        having.update(counts.keys())
        for leaf in leaves:
            values[leaf.kind].add(leaf.text)
    if len(records) < _FEWEST:
        return frozenset()
    return frozenset(
        (kind, text)
        for (kind, text), count in holders.items()
        if count >= _CONSTANT * having[kind]
        and having[kind] >= _FEWEST
        and (len(values[kind]) == 1 or several[kind] * 2 > having[kind])
    )


def _places(records: Sequence[Sequence[Leaf]]) -> dict[Group, int]:
    """Of groups whose places are columns of their own, how many places there are."""
    counts: defaultdict[Group, list[int]] = defaultdict(list)
    members: defaultdict[Group, list[list[Leaf]]] = defaultdict(list)
    for leaves in records:
        row: defaultdict[Group, list[Leaf]] = defaultdict(list)
        for leaf in leaves:
            row[group_of(leaf)].append(leaf)
        for group, found in row.items():
            counts[group].append(len(found))
            members[group].append(found)
    return {
        group: number
        for group, found in counts.items()
        if (number := _usual_count(found)) > 1 and _differ(members[group], number)
    }


def _usual_count(counts: Sequence[int]) -> int:
    number, times = Counter(counts).most_common(1)[0]
    return number if times >= _USUAL * len(counts) else 1


def _differ(members: Sequence[Sequence[Leaf]], number: int) -> bool:
    """True if neighbours of one kind do not look alike."""
    whole = [found for found in members if len(found) == number]
    profiles = [profile_of([found[place].text for found in whole]) for place in range(number)]
    return any(likeness(a, b) < _DIFFERENT for a, b in pairwise(profiles))


def row_of(leaves: Sequence[Leaf], places: Mapping[Group, int], texts: Texts) -> dict[Column, list[Leaf]]:
    """The texts of one record by columns, in their order."""
    row: dict[Column, list[Leaf]] = {}
    met: Counter[Group] = Counter()
    for leaf in leaves:
        if _NOTHING.fullmatch(leaf.text):
            continue
        group = group_of(leaf)
        met[group] += 1
        if (leaf.kind, leaf.text) in texts or leaf.is_label:
            column = ((leaf.kind, "=", leaf.text), 0)
        else:
            column = (group, min(met[group], places[group]) if group in places else 0)
        row.setdefault(column, []).append(leaf)
    return row


def _merge(grid: Grid) -> None:
    """Columns that never stand together, follow each other and look alike become one."""
    columns = [column for column in grid.columns if not is_constant(column)]
    profiles = {column: profile_of([leaf.text for leaf in grid.leaves(column)]) for column in columns}
    kept: list[Column] = []
    for column in columns:
        into = next((one for one in reversed(kept[-2:]) if _are_one(grid, one, column, profiles)), None)
        if into is None:
            kept.append(column)
            continue
        grid.merged[column] = into
        for row in grid.rows:
            if column in row:
                row[into] = row.pop(column)


def _are_one(grid: Grid, one: Column, other: Column, profiles: Mapping[Column, Sequence[float]]) -> bool:
    if any(one in row and other in row for row in grid.rows) or one[0][1:] != other[0][1:]:
        return False
    return likeness(profiles[one], profiles[other]) >= _ALIKE


def is_constant(column: Column) -> bool:
    """True if the column is one text that names or separates others."""
    return column[0][1] == "="
