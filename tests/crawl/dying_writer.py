"""The process that writes WARC, which dies with its parent at a named write boundary.

usage: KILL_AT="BOUNDARY NUMBER" python -m tests.crawl.dying_writer
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

from archiver.archive.warc.writer import WarcWriter
from archiver.running.writing import child
from tests.crawl import dying
from tests.crawl.dying import Countdown, after, before

if TYPE_CHECKING:
    from collections.abc import Callable


def die() -> None:
    """The parent first: it must not live to tell of it."""
    os.kill(os.getppid(), signal.SIGKILL)
    dying.die()


def half_a_record(countdown: Countdown) -> None:
    original = WarcWriter._append

    def append(self: WarcWriter, record: Any) -> int:
        if countdown.is_over():
            assert self._file is not None
            self._file.write(b"\x1f\x8b\x08\x00" + record.data[: len(record.data) // 2])
            die()
        return original(self, record)

    WarcWriter._append = append  # type: ignore[method-assign]


# The writer closes before it opens its first file: only the second time is there something to rename.
BOUNDARIES: dict[str, Callable[[int], None]] = {
    "warc-record-half": lambda number: half_a_record(Countdown(number, die)),
    "warc-record-written": lambda number: after(WarcWriter, "_append", Countdown(number, die)),
    "warc-before-rename": lambda _: before(WarcWriter, "close", Countdown(2, die)),
    "warc-renamed": lambda _: after(WarcWriter, "close", Countdown(2, die)),
}


if __name__ == "__main__":
    boundary, number = os.environ["KILL_AT"].split()
    BOUNDARIES[boundary](int(number))
    child.main()
