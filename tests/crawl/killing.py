"""Runs `scrapy` and kills it, as a power cut would, at a named write boundary.

usage: python -m tests.crawl.killing BOUNDARY NUMBER scrapy-arguments…
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from scrapy.cmdline import execute

from archiver import extraction
from archiver.extensions import archive as archive_extension
from archiver.objects.writer import ObjectWriter
from archiver.store import pages
from archiver.store.database import Database
from archiver.warc import repair
from archiver.warc.writer import WarcWriter

if TYPE_CHECKING:
    from collections.abc import Callable

# Where a run can be torn apart: between these, nothing is written.
BOUNDARIES = (
    "warc-record-half",
    "warc-record-written",
    "poll-before-commit",
    "poll-committed",
    "capture-before-commit",
    "capture-committed",
    "object-half",
    "object-before-commit",
    "object-settled",
    "warc-before-rename",
    "warc-renamed",
)
REPAIR_BOUNDARIES = ("repair-before-rename",)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Dies when it is reached for the given time."""

    def __init__(self, number: int) -> None:
        self._left = number

    def is_over(self) -> bool:
        self._left -= 1
        return self._left == 0

    def reached(self) -> None:
        if self.is_over():
            die()


def before(owner: Any, name: str, countdown: Countdown) -> None:
    """Die instead of calling it."""
    original = getattr(owner, name)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        countdown.reached()
        return original(*args, **kwargs)

    setattr(owner, name, wrapper)


def after(owner: Any, name: str, countdown: Countdown) -> None:
    """Die once it has returned."""
    original = getattr(owner, name)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        countdown.reached()
        return result

    setattr(owner, name, wrapper)


def after_commit(function: Callable[..., Any], countdown: Countdown) -> None:
    """Die once the transaction of this function is committed."""
    original = Database.run_async

    async def run_async(self: Database, called: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        result = await original(self, called, *args, **kwargs)
        if called is function:
            countdown.reached()
        return result

    Database.run_async = run_async  # type: ignore[method-assign]


def half_a_record(countdown: Countdown) -> None:
    original = WarcWriter._append

    def append(self: WarcWriter, record: Any) -> int:
        if countdown.is_over():
            assert self._file is not None
            self._file.write(b"\x1f\x8b\x08\x00" + record.data[: len(record.data) // 2])
            die()
        return original(self, record)

    WarcWriter._append = append  # type: ignore[method-assign]


def half_an_object(countdown: Countdown) -> None:
    original = ObjectWriter.flush

    def flush(self: ObjectWriter) -> dict[str, int]:
        if self._staged and countdown.is_over():
            assert self._file is not None
            self._file.write(b"".join(self._staged)[:-100])
            die()
        return original(self)

    ObjectWriter.flush = flush  # type: ignore[method-assign]


def arm(boundary: str, number: int) -> None:
    countdown = Countdown(number)
    plans: dict[str, Callable[[], None]] = {
        "warc-record-half": lambda: half_a_record(countdown),
        "warc-record-written": lambda: after(WarcWriter, "_append", countdown),
        "poll-before-commit": lambda: after(archive_extension, "store_poll", countdown),
        "poll-committed": lambda: after_commit(archive_extension.store_poll, countdown),
        "capture-before-commit": lambda: after(pages, "mark_captured", countdown),
        "capture-committed": lambda: after_commit(pages.mark_captured, countdown),
        "object-half": lambda: half_an_object(countdown),
        "object-before-commit": lambda: after(extraction, "settle_findings", countdown),
        "object-settled": lambda: after_commit(extraction.settle_findings, countdown),
        "warc-before-rename": lambda: before(WarcWriter, "close", Countdown(2)),
        "warc-renamed": lambda: after(WarcWriter, "close", Countdown(2)),
        "repair-before-rename": lambda: before(repair, "sync_folder", countdown),
    }
    plans[boundary]()


if __name__ == "__main__":
    arm(sys.argv[1], int(sys.argv[2]))
    execute(["scrapy", *sys.argv[3:]])
