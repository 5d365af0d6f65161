"""The memory and the processor time of a process and of all that it started, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

_PROC = Path("/proc")
# What is a process's own: its heap, and memory that it shares with its like. Mapped files cost nothing.
_OWN = (b"RssAnon:", b"RssShmem:")
_TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for path in _PROC.iterdir():
        if path.name.isdigit() and (parent := _parent(path)) is not None:
            children.setdefault(parent, []).append(int(path.name))
    found, place = [pid], 0
    while place < len(found):
        found += children.get(found[place], ())
        place += 1
    return found


def memory_mb(pids: list[int]) -> float:
    """Return what these processes occupy together, in megabytes."""
    return sum(_own_kb(pid) for pid in pids) / 1024


def cpu_seconds(pids: list[int]) -> float:
    """Return the processor time that these processes have used."""
    return sum(sum(map(int, _stat(_PROC / str(pid))[11:13])) for pid in pids) / _TICKS


def end(pids: list[int]) -> None:
    """Kill these processes, those that started the others last: what loses its parent could not be found."""
    for pid in reversed(pids):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _parent(path: Path) -> int | None:
    fields = _stat(path)
    return int(fields[1]) if fields else None


def _stat(path: Path) -> list[bytes]:
    """What the system says of a process, behind its name; nothing where it is no more."""
    try:
        # The name in brackets may hold anything, also brackets.
        return (path / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return []


def _own_kb(pid: int) -> int:
    try:
        lines = (_PROC / str(pid) / "status").read_bytes().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(_OWN))
