"""Processes that check files beside each other, and tell how far they are."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from archiver.errors import ArchiverError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.sharedctypes import Synchronized
    from types import TracebackType

    Done = Callable[[int], None]

Task = TypeVar("Task")
Result = TypeVar("Result")

_SECONDS = 0.25
# How much is done before it is told: the processes share one counter.
_STEP = 1 << 20
# What the counter says when the results are no longer wanted.
_STOP = -(1 << 62)


class Runner(Protocol):
    """Runs a function over tasks, and gives the results in whatever order they come."""

    def run(self, function: Callable[[Task, Done], Result], tasks: Iterable[Task]) -> Iterator[Result]: ...


class Workers:
    """Runs tasks in processes; `show` is told a few times a second how many bytes are done."""

    def __init__(self, processes: int, show: Done) -> None:
        self._show = show
        self._done: Synchronized[int] = multiprocessing.Value("q", 0)
        self._pool = ProcessPoolExecutor(processes, initializer=_begin, initargs=(self._done,))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is not None:
            self._done.value = _STOP
            # They only read. One that is deep in a file that was compressed well would not look for long.
            for child in multiprocessing.active_children():
                child.terminate()
        self._pool.shutdown(cancel_futures=True)

    def run(self, function: Callable[[Task, Done], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        with _interrupts_held():
            waiting = {self._pool.submit(_call, function, task) for task in tasks}
        while waiting:
            ended, waiting = wait(waiting, timeout=_SECONDS, return_when=FIRST_COMPLETED)
            self._show(self._done.value)
            for future in ended:
                try:
                    yield future.result()
                except BrokenProcessPool as error:
                    raise ArchiverError("A process was killed: is there too little memory?") from error


class _Teller:
    """Tells the counter of all processes, but not of every byte."""

    def __init__(self, shared: Synchronized[int]) -> None:
        self._shared = shared
        self._untold = 0

    def add(self, count: int) -> None:
        self._untold += count
        if self._untold >= _STEP:
            self.flush()

    def flush(self) -> None:
        with self._shared.get_lock():
            self._shared.value += self._untold
            is_wanted = self._shared.value >= 0
        self._untold = 0
        if not is_wanted:
            raise ArchiverError("Interrupted")


_teller: _Teller | None = None


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C is the parent's to handle: processes that begin meanwhile never see it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(shared: Synchronized[int]) -> None:
    global _teller  # noqa: PLW0603 - one for each process
    _teller = _Teller(shared)


def _call(function: Callable[[Task, Done], Result], task: Task) -> Result:
    assert _teller is not None  # noqa: S101 - set when the process began
    try:
        return function(task, _teller.add)
    finally:
        _teller.flush()
