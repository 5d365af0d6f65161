"""Which pages are read together, and when: bounds, waits, and who is never put together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from archiver.running.reading.grouping import ALONE, Busy, GroupRules, Load, Triage, cut, triage

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
RULES = GroupRules(pages=3, size=100, wait=timedelta(seconds=30), backlog=50)


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    size: int = 1
    same: tuple[str, ...] = ()

    @property
    def identity_keys(self) -> frozenset[str]:
        return frozenset({self.name, *self.same})


def load(channel: int = 1, pages: int = 1, size: int = 1, seconds: float = 0) -> Load:
    return Load(scope=channel, pages=pages, size=size, since=NOW - timedelta(seconds=seconds))


def decide(*loads: Load, **other: Any) -> Triage:
    values: dict[str, Any] = {"busy": {}, "taught": set(), "rules": RULES, "now": NOW} | other
    return triage(loads, **values)


def names(groups: list[tuple[Page, ...]]) -> list[str]:
    return ["".join(page.name for page in group) for group in groups]


def test_a_few_fresh_pages_wait_for_their_siblings() -> None:
    found = decide(load(seconds=10))
    assert (found.whole, found.full) == (set(), set())
    assert found.waiting == {1: NOW + timedelta(seconds=20)}


def test_enough_pages_or_bytes_or_time_end_the_wait() -> None:
    found = decide(load(1, pages=3), load(2, size=100), load(3, seconds=30))
    assert (found.full, found.whole, found.waiting) == ({1, 2}, {3}, {})


def test_pages_that_nobody_waits_for_wait_for_nobody() -> None:
    assert decide(load(0)).whole == {0}


def test_pages_of_a_store_that_knows_no_time_are_read_at_once() -> None:
    assert decide(Load(scope=1, pages=1, size=0, since=None)).whole == {1}


def test_with_half_the_backlog_full_nobody_waits() -> None:
    """No further page is fetched then: whoever waited for one would wait in vain."""
    fresh = [load(channel, pages=2) for channel in range(1, 13)]
    assert decide(*fresh).whole == set()
    assert decide(*fresh, load(13, pages=1)).whole == set(range(1, 14))


def test_a_channel_that_is_being_read_goes_on_only_with_full_groups() -> None:
    busy = {1: Busy(pages=3, size=3)}
    assert decide(load(pages=5, seconds=99), busy=busy, taught={1}).full == set()
    assert decide(load(pages=6, seconds=99), busy=busy, taught={1}).full == {1}


def test_the_first_group_of_a_channel_is_read_before_the_others() -> None:
    found = decide(load(pages=9, seconds=99), busy={1: Busy(pages=3)})
    assert (found.full, found.whole, found.waiting) == (set(), set(), {})


def test_where_pages_are_read_alone_nothing_waits() -> None:
    found = decide(load(1), load(2, pages=5), busy={2: Busy(pages=2)}, taught=None, rules=ALONE)
    assert (found.whole, found.full, found.waiting) == ({1}, {2}, {})


def test_pages_are_cut_into_groups_in_their_order() -> None:
    pages = [Page(name) for name in "abcdefgh"]
    assert names(cut(pages, RULES, whole=True)) == ["abc", "def", "gh"]
    assert names(cut(pages, RULES, whole=False)) == ["abc", "def"]


def test_a_group_is_not_larger_than_it_may_be_unless_one_page_is() -> None:
    pages = [Page("a", 60), Page("b", 50), Page("c", 40), Page("d", 500)]
    assert names(cut(pages, RULES, whole=True)) == ["a", "bc", "d"]


def test_two_captures_of_one_article_are_never_read_together() -> None:
    pages = [Page("a", same=("x",)), Page("b", same=("x",)), Page("c")]
    assert names(cut(pages, RULES, whole=True)) == ["ac", "b"]


def test_a_bound_that_was_reached_always_gives_a_group() -> None:
    pages = [Page("a", same=("x",)), Page("b", same=("x",)), Page("c", same=("x",))]
    assert names(cut(pages, RULES, whole=False)) == ["a"]


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 5)), max_size=40))
def test_no_page_is_lost_and_none_is_read_twice(sizes: list[tuple[int, int]]) -> None:
    pages = [Page(str(number), size, (f"same {same}",)) for number, (size, same) in enumerate(sizes)]
    groups = cut(pages, RULES, whole=True)
    assert sorted(page.name for group in groups for page in group) == sorted(page.name for page in pages)
    assert all(len(group) <= RULES.pages for group in groups)
    assert all(len({page.same for page in group}) == len(group) for group in groups)
