"""Waiting for what other processes do."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Generous: the machine may be busy with other things.
SOON = 30.0


def wait_until(condition: Callable[[], object], seconds: float = SOON) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def state_of(pid: int) -> str:
    """As ps has it: S sleeps, T is stopped, Z has ended; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""
