"""The time that a run has for a host, and how much of a slow one is handed out."""

from __future__ import annotations

from collections import Counter

from archiver.acquisition.hosts import BusyHost, HostTimes, Pace


def busy(**hosts: float) -> list[BusyHost]:
    return [BusyHost(name=name, next_start=wait) for name, wait in hosts.items()]


def test_only_the_time_counts_in_which_a_host_had_something_to_do() -> None:
    times = HostTimes(10)
    assert times.add(busy(often=0, seldom=0), 6) == set()
    assert times.add(busy(often=0), 6) == {"often"}
    # Said once.
    assert times.add(busy(often=0, seldom=0), 3) == set()
    assert times.add(busy(seldom=0), 3) == {"seldom"}
    assert times.up == {"often", "seldom"}


def test_a_host_is_not_waited_for_if_its_time_is_up_before_its_next_request() -> None:
    times = HostTimes(1800)
    assert times.add(busy(hour=3600, minutes=600), 1) == {"hour"}
    assert times.add(busy(minutes=600), 1200) == {"minutes"}


def test_a_crawl_that_watches_has_all_the_time_in_the_world() -> None:
    assert HostTimes(None).add(busy(hour=3600), 1e9) == set()


def test_few_of_a_slow_host_and_none_of_one_that_has_had_its_time() -> None:
    pace = Pace()
    pace.slow, pace.left = frozenset({"slow", "both"}), {"left", "both"}
    assert [pace.most(host, 16) for host in ("fast", "slow", "left", "both")] == [16, 2, 0, 0]
    assert pace.full(Counter(fast=16, slow=1), 16) == {"left", "both"}
    assert pace.full(Counter(slow=2), 16) == {"slow", "left", "both"}
    assert pace.taken(Counter(fast=3, slow=1), 8) == Counter(fast=3, slow=7, left=8, both=8)
