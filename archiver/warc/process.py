"""The process that writes WARC, as the event loop sees it: nothing here waits for a disk."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import signal
import subprocess
import sys
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from archiver.errors import ArchiveError
from archiver.warc.messages import (
    MOST_AT_ONCE,
    Answer,
    Close,
    Failed,
    Keep,
    KeepMetadata,
    Messages,
    framed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.warc.messages import Begin, Task
    from archiver.warc.records import Capture, Exchange, Fields

    Future = asyncio.Future[tuple[Capture | None, ...]]

logger = logging.getLogger(__name__)

MODULE = "archiver.warc.child"
_PIECE = 1 << 16
# Between the end of its pipes and its own.
_END_SECONDS = 5.0


class WriterProcess:
    """Takes exchanges and answers when they are on disk, in the order in which they came.

    What waits for the process stays with whoever asked: only one message at a time is made and on its way.
    """

    def __init__(
        self, begin: Begin, *, on_new_payloads: Callable[[Sequence[Capture]], None], lock: int | None = None
    ) -> None:
        self._begin = begin
        self._on_new_payloads = on_new_payloads
        self._lock = lock
        self._process: subprocess.Popen[bytes] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[tuple[Task, Future]] = deque()
        self._leaving = memoryview(b"")
        self._is_pipe_full = False
        self._asked: deque[Future] = deque()
        self._answers = Messages()
        self._decoder = msgspec.msgpack.Decoder(Answer)
        self._is_closing = False
        # Why nothing can be written any more, and whether anybody was told.
        self._broken: str | None = None
        self._is_told = False
        self.files: list[str] = []
        self.bytes_written = 0
        self.cpu_seconds = 0.0

    def start(self) -> None:
        """Start the process now: it gets ready while others do."""
        # It holds the lock as well: a run that comes after a killed one must not mend what is still written.
        held = () if self._lock is None else (self._lock,)
        try:
            # A session of its own: Ctrl-C is for the crawl, which then closes in order.
            process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=held,
            )
        except OSError as error:
            raise ArchiveError(f"The process that writes WARC cannot be started: {error}") from error
        self._process = process
        with contextlib.suppress(AttributeError, OSError):  # not every system has it, or grants it
            fcntl.fcntl(self._sink, fcntl.F_SETPIPE_SZ, MOST_AT_ONCE)
        os.set_blocking(self._sink, False)
        os.set_blocking(self._source, False)
        self._leaving = memoryview(framed(self._begin))

    async def write(self, exchanges: Sequence[Exchange]) -> list[Capture | None]:
        """Answer once all of them are on disk; raise when they are not."""
        return list(await self._ask(Keep(tuple(exchanges))))

    async def write_metadata(self, url: str, refers_to: str, fields: Fields) -> None:
        """Keep what became known of a record after it was written."""
        await self._ask(KeepMetadata(url, refers_to, fields))

    async def close(self) -> None:
        """Have everything written that waits, and the file closed; the process ends."""
        if self._process is None or self._is_closing:
            return
        try:
            if self._broken is None or not self._is_told:
                closed = self._put(Close())
                self._is_closing = True
                await closed
        finally:
            self._is_closing = True
            self._let_go()
            await asyncio.get_running_loop().run_in_executor(None, self._process.wait)

    async def _ask(self, task: Task) -> tuple[Capture | None, ...]:
        if self._process is None:
            self.start()
        return await self._put(task)

    def _put(self, task: Task) -> Future:
        if self._is_closing:
            raise ArchiveError("The process that writes WARC has ended with its run")
        if self._broken is not None:
            self._is_told = True
            raise ArchiveError(self._broken)
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._source, self._receive)
        future: Future = self._loop.create_future()
        self._waiting.append((task, future))
        if not self._is_pipe_full:
            self._send()
        return future

    def _send(self) -> None:
        """Hand over as much as the pipe takes; the rest goes when there is room."""
        is_full = False
        try:
            while self._leaving or self._next():
                self._leaving = self._leaving[os.write(self._sink, self._leaving) :]
        except BlockingIOError:
            is_full = True
        except BrokenPipeError:  # its last answers, and its end, are seen at the other pipe
            self._leaving = memoryview(b"")
        if is_full is not self._is_pipe_full and self._loop is not None:
            self._is_pipe_full = is_full
            if is_full:
                self._loop.add_writer(self._sink, self._send)
            else:
                self._loop.remove_writer(self._sink)

    def _next(self) -> bool:
        """Make a message of what has waited longest."""
        while self._waiting:
            task, future = self._waiting.popleft()
            try:
                self._leaving = memoryview(framed(task))
            except Exception as error:  # noqa: BLE001 - handed to whoever waits; the others must be kept
                _fail(future, error)
            else:
                self._asked.append(future)
                return True
        return False

    def _receive(self) -> None:
        try:
            data = os.read(self._source, _PIECE)
        except BlockingIOError:
            return
        if not data:
            self._on_end()
        for message in self._answers.feed(data):
            self._settle(self._decoder.decode(message))

    def _settle(self, answer: Answer) -> None:
        self.files += answer.new_files
        self.bytes_written = answer.bytes_written
        self.cpu_seconds = answer.cpu_seconds
        for warning in answer.warnings:
            logger.warning("%s", warning)
        if answer.new_payloads:
            self._on_new_payloads(answer.new_payloads)
        for result in answer.results:
            future = self._asked.popleft()
            if isinstance(result, Failed):
                _fail(future, result.error())
            elif not future.done():  # else the request was cancelled meanwhile
                future.set_result(result)

    def _on_end(self) -> None:
        """The process is no more: in order, or with everything that it had not answered."""
        self._let_go()
        unanswered = [*self._asked, *(future for _, future in self._waiting)]
        if self._is_closing and not unanswered:
            return
        self._asked.clear()
        self._waiting.clear()
        self._broken = (
            f"The process that writes WARC ended ({_cause(self._process)})."
            " What it had written is kept: run again to go on."
        )
        self._is_told = bool(unanswered)
        for future in unanswered:
            _fail(future, ArchiveError(self._broken))

    def _let_go(self) -> None:
        process = self._process
        if process is None or process.stdin.closed:  # type: ignore[union-attr] # opened as pipes
            return
        if self._loop is not None:
            self._loop.remove_reader(self._source)
            self._loop.remove_writer(self._sink)
        process.stdin.close()  # type: ignore[union-attr]
        process.stdout.close()  # type: ignore[union-attr]

    @property
    def _sink(self) -> int:
        return self._process.stdin.fileno()  # type: ignore[union-attr] # opened as pipes

    @property
    def _source(self) -> int:
        return self._process.stdout.fileno()  # type: ignore[union-attr] # opened as pipes


def _fail(future: Future, error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def _cause(process: subprocess.Popen[bytes] | None) -> str:
    assert process is not None  # noqa: S101 - it has ended
    try:
        code = process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
