"""Patience with hosts: after a rest, what waits for a host goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scrapy import Request
from scrapy.core.downloader import Slot
from twisted.internet import task
from twisted.internet.defer import Deferred

from archiver.middlewares.patience import _rest_on, _wait_no_longer

if TYPE_CHECKING:
    from scrapy.core.downloader import Downloader


class Recording:
    """Of the downloader, what goes on with a slot."""

    def __init__(self) -> None:
        self.went_on: list[int] = []

    def _process_queue(self, slot: Slot) -> None:
        assert slot.latercall is None
        self.went_on.append(len(slot.queue))


def test_what_waits_for_a_host_is_not_forgotten_when_its_rest_is_over() -> None:
    """Without robots.txt, several requests may wait in its slot."""
    slot, downloader, clock = Slot(1, 60.0, 0.0), Recording(), task.Clock()
    slot.queue.append((Request("http://example.org/2"), Deferred()))
    waiting = clock.callLater(60, lambda: None)
    slot.latercall = waiting
    _wait_no_longer(cast("Downloader", downloader), slot)
    assert not waiting.active()
    assert downloader.went_on == [1]


def test_a_host_that_was_asked_before_the_machine_started_rests_no_longer_than_that() -> None:
    slot = Slot(1, 60.0, 0.5)
    _rest_on(slot, -3000.0, 3600.0)
    assert (slot.lastseen, slot.delay, slot.jitter) == (-3000.0, 3600.0, 0.0)


def test_a_host_that_was_asked_since_then_counts_from_its_last_request() -> None:
    slot = Slot(1, 60.0, 0.5)
    slot.lastseen = 500.0
    _rest_on(slot, 100.0, 3600.0)
    assert slot.lastseen == 500.0
