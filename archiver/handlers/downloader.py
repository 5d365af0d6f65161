"""Scrapy's downloader, in which hosts that are waited for do not take the places of others."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy.core.downloader import Downloader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
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


@contextmanager
def delay_from_answer(downloader: Downloader, request: Request) -> Iterator[None]:
    """Count a host's delay from the answer of the last request, which the server has seen by then.

    Scrapy counts from the moment it begins to connect: a request that was slow to arrive would be
    followed too soon. What AutoThrottle adds for the server's slowness still counts from the beginning.
    """
    key = request.meta.get(downloader.DOWNLOAD_SLOT, "")
    slot = downloader.slots.get(key)
    began = slot.lastseen if slot is not None else 0.0
    try:
        yield
    finally:
        if slot is not None and slot.lastseen == began:
            usual = downloader.settings.getfloat("DOWNLOAD_DELAY")
            asked = downloader.per_slot_settings.get(key, {}).get("delay", usual)
            slot.lastseen = max(began, time.monotonic() - max(0.0, slot.delay - asked))


def _places(slot: Slot) -> int:
    if is_slow(slot):
        return len(slot.transferring)
    return min(len(slot.active), slot.concurrency)
