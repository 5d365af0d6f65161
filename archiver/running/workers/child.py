"""The worker process: takes an order, replies, and ends when its parent does."""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import signal
import sys
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.errors import RecordError

# Imported before a task's time counts.
from archiver.running.workers import documents, judging  # noqa: F401
from archiver.running.workers.messages import LENGTH, READY, Order, Reply, Trouble, task_of

if TYPE_CHECKING:
    from typing import BinaryIO


def serve(source: BinaryIO, sink: BinaryIO, seconds: int) -> None:
    """Carry out orders until the parent closes the pipe, as it also does by dying."""
    decoder = msgspec.json.Decoder(Order)
    while head := source.read(LENGTH.size):
        order = decoder.decode(source.read(LENGTH.unpack(head)[0]))
        # The parent kills a worker that is late; this ends one whose parent is no more.
        signal.alarm(ceil(seconds * order.times))
        answer = msgspec.json.encode(_reply(order))
        sink.write(LENGTH.pack(len(answer)) + answer)
        sink.flush()
        signal.alarm(0)


def _reply(order: Order) -> Reply:
    try:
        return Reply(result=msgspec.Raw(msgspec.json.encode(task_of(order).perform())))
    except RecordError as error:
        return Reply(error=str(error), trouble=Trouble.RECORD)
    except (ImportError, OSError) as error:
        return Reply(error=_in_words(error), trouble=Trouble.MACHINE)
    except MemoryError as error:
        trouble = Trouble.MEMORY if _may_have_its_memory() else Trouble.MACHINE
        return Reply(error=_in_words(error), trouble=trouble)
    except Exception as error:  # noqa: BLE001 - whatever a page provokes is told to the parent, which counts it
        return Reply(error=_in_words(error), trouble=Trouble.ERROR)


def _in_words(error: Exception) -> str:
    """In one line, as messages are."""
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":.")


def _may_have_its_memory() -> bool:
    """Whether the machine has what this process is allowed: then it was that limit that stopped a task."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed == resource.RLIM_INFINITY:
        return False
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
        # Not all of the rest: it may be in pieces.
        mmap.mmap(-1, max(mmap.PAGESIZE, (allowed - used) // 2)).close()
    except (OSError, MemoryError):
        return False
    return True


def main(memory_bytes: int, seconds: int) -> None:
    # A service manager tells every process of a service to end: the parent then ends its workers in order.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Downloads come first: reading what was downloaded can wait.
    os.nice(19)
    _limit_memory(memory_bytes)
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not end up among the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        sink.write(READY)
        sink.flush()
        serve(sys.stdin.buffer, sink, seconds)
    except BrokenPipeError:
        # The parent was killed, and the next run asks again. What is still in the buffer cannot be written,
        # which Python would complain about at the end.
        os._exit(0)


def _limit_memory(most: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    # Some systems know the limit and refuse to set it.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
