"""Scrapy's downloader, in which hosts that are waited for do not take the places of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader import Downloader

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot

# From this delay on, a host is slow: its next request begins long after the last one has been answered.
SLOW_SECONDS = 5.0


def is_slow(slot: Slot) -> bool:
    return slot.delay >= SLOW_SECONDS


class FairDownloader(Downloader):
    """Counts what is being transferred, or can be at any moment, against CONCURRENT_REQUESTS.

    Scrapy counts every request that it has taken from the scheduler, also those that wait for their host's
    delay or for its robots.txt: a few slow hosts would have all places, and no other host would be asked.
    """

    def needs_backout(self) -> bool:
        return 0 < self.total_concurrency <= sum(_places(slot) for slot in self.slots.values())


def _places(slot: Slot) -> int:
    if is_slow(slot):
        return len(slot.transferring)
    return min(len(slot.active), slot.concurrency)
