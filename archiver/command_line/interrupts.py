"""Ctrl-C while modules are loaded: the import machinery and some C extensions swallow a KeyboardInterrupt."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERRUPTED = 130  # 128 + SIGINT, as shells have it


@contextmanager
def ending_at_once(program: str) -> Iterator[None]:
    """End the process at Ctrl-C, without an exception: nothing was begun that would have to be ended."""

    def end(_number: int, _frame: object) -> None:
        print(f"{program}: interrupted before it had begun", file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)

    before = signal.getsignal(signal.SIGINT)
    # A program in the background may have been told to ignore it.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
