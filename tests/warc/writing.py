"""A writer process in the hands of a test."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from archiver.archive.warc.writer import WarcOptions
from archiver.running.writing.messages import Begin
from archiver.running.writing.process import WriterProcess
from tests.waiting import SOON, state_of, wait_until
from tests.warc.samples import RECEIVED, exchange

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    from archiver.archive.warc.records import Capture

PAGE = b"HTTP/1.1 200 OK\r\n\r\n" + b"The same words. " * 100


def begin(folder: Path, *, state_url: str | None = None, **options: object) -> Begin:
    values = {"prefix": "test", "fsync": False} | options
    return Begin(
        folder=str(folder),
        options=WarcOptions(**values),  # type: ignore[arg-type] # given by name
        state_url=state_url,
    )


def ignore(_: Sequence[Capture]) -> None:
    """For tests without a store."""


@asynccontextmanager
async def open_writer(
    folder: Path,
    *,
    state_url: str | None = None,
    on_new_payloads: Callable[[Sequence[Capture]], None] = ignore,
    **options: object,
) -> AsyncIterator[WriterProcess]:
    writer = WriterProcess(begin(folder, state_url=state_url, **options), on_new_payloads=on_new_payloads)
    try:
        yield writer
    finally:
        await asyncio.wait_for(writer.close(), SOON)


def running(work: Awaitable[None]) -> None:
    async def run() -> None:
        await asyncio.wait_for(work, 3 * SOON)

    asyncio.run(run())


def pid_of(writer: WriterProcess) -> int:
    assert writer._process is not None
    return writer._process.pid


async def stop(writer: WriterProcess) -> int:
    """Hold the process, once it is there, so that everything waits."""
    await writer.write([exchange()])
    pid = pid_of(writer)
    os.kill(pid, signal.SIGSTOP)
    await asyncio.to_thread(wait_until, lambda: state_of(pid) == "T")
    return pid


def begun(writer: WriterProcess, count: int, body: bytes = b"") -> list[asyncio.Task[list[Capture | None]]]:
    """So many exchanges, each with a URL of its own, handed over and not waited for."""
    return [
        asyncio.ensure_future(writer.write([exchange(RECEIVED + body, url=f"http://example.org/{number}")]))
        for number in range(count)
    ]


def limit_files(pid: int, size: int) -> None:
    """No file of the process may grow beyond this, as on a disk that is full."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
