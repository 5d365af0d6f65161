"""What two sequences have in common: as much as there is, in order."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from archiver.articles.versions import sequences
from archiver.articles.versions.sequences import common_pairs, longest_common, longest_rising

ITEMS = st.lists(st.sampled_from("abcd"), max_size=14)


def table_length(before: list[str], now: list[str]) -> int:
    """The length of a longest common subsequence, by the table of the textbooks."""
    row = [0] * (len(now) + 1)
    for item in before:
        above = row
        row = [0]
        for place, other in enumerate(now):
            row.append(above[place] + 1 if item == other else max(above[place + 1], row[place]))
    return row[-1]


def is_rising(pairs: list[tuple[int, int]]) -> bool:
    return all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(pairs))


@given(ITEMS, ITEMS)
def test_nothing_longer_is_common(before: list[str], now: list[str]) -> None:
    for pairs in (longest_common(before, now), common_pairs(before, now)):
        assert is_rising(pairs)
        assert all(before[left] == now[right] for left, right in pairs)
        assert len(pairs) == table_length(before, now)


@given(ITEMS, ITEMS)
def test_where_the_table_would_be_too_large_unique_items_lead(before: list[str], now: list[str]) -> None:
    with patch.object(sequences, "MOST_CELLS", 4):
        pairs = common_pairs(before, now)
    assert is_rising(pairs)
    assert all(before[left] == now[right] for left, right in pairs)


@given(st.lists(st.integers(0, 30), max_size=12, unique=True))
def test_no_subsequence_rises_longer(numbers: list[int]) -> None:
    places = longest_rising(numbers)
    assert is_rising([(place, numbers[place]) for place in places])
    assert len(places) == table_length([str(one) for one in numbers], [str(one) for one in sorted(numbers)])
