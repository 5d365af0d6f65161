"""The process that writes WARC: keeps what it is told, and answers when it is on disk."""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.warc.writer import WarcWriter
from archiver.errors import ArchiveError
from archiver.running.writing.lookup import PayloadIndex
from archiver.running.writing.messages import (
    MOST_AT_ONCE,
    Begin,
    BodyPart,
    Close,
    Drop,
    Keep,
    KeepMetadata,
    KeepRendered,
    Messages,
    Task,
    WritingFailed,
    Written,
    framed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.warc.records import Capture

    Result = tuple[Capture | None, ...] | WritingFailed

logger = logging.getLogger(__name__)

# Before a file is tried again that could not be closed.
_PAUSE_SECONDS = 30.0


class Keeper:
    """Does what it is told with the WARC files of one run."""

    def __init__(self, begin: Begin, parent: _Parent) -> None:
        self._parent = parent
        self._payloads = PayloadIndex(begin.state_url) if begin.state_url else None
        self._writer = WarcWriter(Path(begin.folder), begin.options, self._payloads, self._listen)
        self._decoder = msgspec.msgpack.Decoder(Task)
        self._tasks: deque[Task | WritingFailed] = deque()
        self._files_told = 0
        self._warnings = _Warnings()
        self._pause = 0.0
        self.is_closed = False

    def take(self, messages: Sequence[memoryview]) -> None:
        """Note what is to be done. Parts of responses are put aside at once: they wait for nothing else."""
        for message in messages:
            try:
                task = self._decoder.decode(message)
            except Exception as error:  # noqa: BLE001 - told to the caller that waits; the others must be kept all the same
                self._tasks.append(WritingFailed.of(error))
                continue
            if isinstance(task, BodyPart):
                self._writer.add(task.stream, task.data)
            else:
                self._tasks.append(task)

    def _listen(self) -> None:
        """Take what came meanwhile: a large response takes seconds to write, and others go on coming in."""
        if self._parent.has_said():
            self.take(self._parent.listen())

    def perform(self) -> Written | None:
        """Do all that is noted; one flush to disk serves all of it. None where there is nothing to answer."""
        tasks = [self._tasks.popleft() for _ in range(len(self._tasks))]
        results = [result for task in tasks if (result := self._perform(task)) is not None]
        if not results:
            return None
        try:
            self._writer.sync()
        except OSError as error:
            if self._payloads is not None:
                self._payloads.forget()
            results = [WritingFailed.of(error)] * len(results)
        if self.is_closed:
            results[-1] = self._close()
        self._pause = 0.0
        return self._answer(results)

    def seconds_to_rest(self) -> float | None:
        """How long to wait for a message; None: for ever."""
        left = self._writer.seconds_left()
        return None if left is None else max(left, self._pause)

    def rest(self) -> None:
        """Nothing came: a file does not wait for ever to be whole."""
        try:
            self._writer.close_if_old()
        except OSError:
            logger.exception("Could not close a WARC file; it is tried again")
            self._pause = _PAUSE_SECONDS

    def _perform(self, task: Task | WritingFailed) -> Result | None:
        if isinstance(task, WritingFailed):
            return task
        if isinstance(task, Drop):
            self._writer.drop(task.stream)
            return None
        try:
            if isinstance(task, Keep):
                return tuple(self._writer.write(task.exchanges))
            if isinstance(task, Close):
                self.is_closed = True
            elif isinstance(task, KeepMetadata):
                self._writer.write_metadata(task.url, task.refers_to, task.fields)
            elif isinstance(task, KeepRendered):
                return (self._writer.write_rendered(task.capture, task.html, task.browser, task.fields),)
        except Exception as error:  # noqa: BLE001 - told to the caller that waits; the others must be kept all the same
            return WritingFailed.of(error)
        return ()

    def _close(self) -> Result:
        try:
            self._writer.close()
        except (OSError, ArchiveError) as error:
            return WritingFailed.of(error)
        finally:
            if self._payloads is not None:
                self._payloads.close()
        return ()

    def _answer(self, results: Sequence[Result]) -> Written:
        files = self._writer.files[self._files_told :]
        self._files_told += len(files)
        return Written(
            results=tuple(results),
            new_payloads=tuple(self._payloads.take_new()) if self._payloads is not None else (),
            new_files=tuple(files),
            bytes_written=self._writer.bytes_written,
            cpu_seconds=time.process_time(),
            warnings=self._warnings.take(),
        )


class _Warnings(logging.Handler):
    """Gathers what is logged here: the run has one log, and it is not ours."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(message)s"))
        self._lines: list[str] = []
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))

    def take(self) -> tuple[str, ...]:
        lines, self._lines = self._lines, []
        return tuple(lines)


class _Parent:
    """What the parent says, message by message."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._messages = Messages()
        self.has_ended = False

    def has_said(self, seconds: float | None = 0) -> bool:
        """Whether there is something to listen to; waits for it so long, or for ever."""
        return not self.has_ended and bool(select.select([self._source], [], [], seconds)[0])

    def listen(self) -> list[memoryview]:
        data = os.read(self._source, MOST_AT_ONCE)
        self.has_ended = not data
        return self._messages.feed(data)


def serve(source: int, sink: int) -> None:
    """Answer until told to close, or until the parent is no more: what it left is mended by the next run."""
    parent = _Parent(source)
    messages: list[memoryview] = []
    while not messages:
        messages = parent.listen()
        if parent.has_ended:
            return
    keeper = Keeper(msgspec.msgpack.decode(messages.pop(0), type=Begin), parent)
    keeper.take(messages)
    while not keeper.is_closed:
        answer = keeper.perform()
        if answer is not None:
            _send(sink, framed(answer))
        elif not _hear(parent, keeper):
            return


def _hear(parent: _Parent, keeper: Keeper) -> bool:
    """Wait for the parent; while it has nothing to say, files grow old. False when it has ended."""
    while not parent.has_ended and not parent.has_said(keeper.seconds_to_rest()):
        keeper.rest()
    if not parent.has_ended:
        keeper.take(parent.listen())
    return not parent.has_ended


def _send(sink: int, data: bytearray) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(sink, left) :]


def main() -> None:
    # A terminal or a service manager tells every process of a run to end: the parent then closes in order.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sink = os.dup(sys.stdout.fileno())
    # Whatever a library prints must not end up among the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        serve(sys.stdin.fileno(), sink)
    except BrokenPipeError:  # the parent is no more
        return


if __name__ == "__main__":
    main()
