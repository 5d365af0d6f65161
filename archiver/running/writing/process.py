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
from archiver.running.writing.messages import (
    MOST_AT_ONCE,
    BodyPart,
    Close,
    Drop,
    Keep,
    KeepMetadata,
    KeepRendered,
    Messages,
    WritingFailed,
    Written,
    framed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.archive.warc.records import Capture, Exchange, Fields
    from archiver.archive.warc.rendered import Rendered
    from archiver.running.writing.messages import Begin, Task

    Future = asyncio.Future[tuple[Capture | None, ...]]

logger = logging.getLogger(__name__)

MODULE = "archiver.running.writing.child"
_PIECE = 1 << 16
# Of parts that wait for the pipe: beyond it, those who have more are asked to wait.
_MOST_WAITING = 8 * MOST_AT_ONCE
# Between the end of its pipes and its own.
_END_SECONDS = 5.0


class WriterProcess:
    """Takes exchanges and answers when they are on disk, in the order in which they came.

    What waits for the process stays with its caller: only one message at a time is made and on its way.
    Large responses are handed over in parts, while they come in.
    """

    def __init__(
        self, begin: Begin, *, on_new_payloads: Callable[[Sequence[Capture]], None], lock: int | None = None
    ) -> None:
        self._begin = begin
        self._on_new_payloads = on_new_payloads
        self._lock = lock
        self._process: subprocess.Popen[bytes] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[tuple[Task, Future | None]] = deque()
        self._bytes_waiting = 0
        self._on_room: Callable[[], None] | None = None
        self._leaving = memoryview(b"")
        self._is_pipe_full = False
        self._asked: deque[Future] = deque()
        self._answers = Messages()
        self._decoder = msgspec.msgpack.Decoder(Written)
        self._is_closing = False
        # Why nothing can be written any more, and whether that was reported.
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

    def hand_over(self, stream: int, data: bytes) -> None:
        """Take a part of a response that is still coming in; how it went is answered to its exchange."""
        self._post(BodyPart(stream, data))

    def drop(self, stream: int) -> None:
        """Forget the parts of a response that is not going to be kept."""
        self._post(Drop(stream))

    @property
    def has_room(self) -> bool:
        """Whether more parts are welcome."""
        return self._bytes_waiting < _MOST_WAITING

    def when_room(self, tell: Callable[[], None]) -> None:
        """Have this called each time that there is room again."""
        self._on_room = tell

    async def write_metadata(self, url: str, refers_to: str, fields: Fields) -> None:
        """Keep what became known of a record after it was written."""
        await self._ask(KeepMetadata(url, refers_to, fields))

    async def write_rendered(self, capture: Capture, html: bytes, browser: str, fields: Fields) -> Rendered:
        """Keep what a browser made of a capture; answer once it is on disk."""
        (kept,) = await self._ask(KeepRendered(capture, html, browser, fields))
        assert kept is not None  # noqa: S101 - the answer to this message
        assert kept.rendered is not None  # noqa: S101 - as above
        return kept.rendered

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

    def _post(self, task: BodyPart | Drop) -> None:
        """Send without an answer. A process that is no more is told to those who wait for one."""
        if self._is_closing or self._broken is not None:
            return
        if self._process is None:
            self.start()
        if isinstance(task, BodyPart):
            self._bytes_waiting += len(task.data)
        self._queue(task, None)

    def _put(self, task: Task) -> Future:
        if self._is_closing:
            raise ArchiveError("The process that writes WARC has ended with its run")
        if self._broken is not None:
            self._is_told = True
            raise ArchiveError(self._broken)
        future: Future = asyncio.get_running_loop().create_future()
        self._queue(task, future)
        return future

    def _queue(self, task: Task, future: Future | None) -> None:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._source, self._receive)
        self._waiting.append((task, future))
        if not self._is_pipe_full:
            self._send()

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
            except Exception as error:  # noqa: BLE001 - handed to the caller that waits; the others must be kept
                if future is not None:
                    _fail(future, error)
                continue
            if future is not None:
                self._asked.append(future)
            if isinstance(task, BodyPart):
                self._sent_part(len(task.data))
            return True
        return False

    def _sent_part(self, size: int) -> None:
        had_room = self.has_room
        self._bytes_waiting -= size
        # Not from here: the caller that is told may have more to hand over at once.
        if self.has_room and not had_room and self._on_room is not None and self._loop is not None:
            self._loop.call_soon(self._on_room)

    def _receive(self) -> None:
        try:
            data = os.read(self._source, _PIECE)
        except BlockingIOError:
            return
        if not data:
            self._on_end()
        for message in self._answers.feed(data):
            self._settle(self._decoder.decode(message))

    def _settle(self, answer: Written) -> None:
        self.files += answer.new_files
        self.bytes_written = answer.bytes_written
        self.cpu_seconds = answer.cpu_seconds
        for warning in answer.warnings:
            logger.warning("%s", warning)
        if answer.new_payloads:
            self._on_new_payloads(answer.new_payloads)
        for result in answer.results:
            future = self._asked.popleft()
            if isinstance(result, WritingFailed):
                _fail(future, result.error())
            elif not future.done():  # else the request was cancelled meanwhile
                future.set_result(result)

    def _on_end(self) -> None:
        """The process is no more: in order, or with everything that it had not answered."""
        self._let_go()
        unanswered = [*self._asked, *(future for _, future in self._waiting if future is not None)]
        if self._is_closing and not unanswered:
            return
        self._asked.clear()
        self._waiting.clear()
        self._bytes_waiting = 0
        self._broken = (
            f"The process that writes WARC ended ({_cause(self._process)})."
            " What it had written is kept: run again to go on."
        )
        self._is_told = bool(unanswered)
        if self._on_room is not None:  # nothing is waited for any more
            self._on_room()
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
