"""The process of the browser, as others see it: pages go in, requests come out, documents come back."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec

from archiver.errors import ConfigurationError
from archiver.rendering.guard import cpu_seconds, end, family, memory_mb
from archiver.rendering.isolation import isolation_for
from archiver.rendering.model import (
    BeginBrowser,
    BrowserReady,
    BrowserRefused,
    PageProblem,
    RenderedPage,
    ResourceAnswer,
    ResourceWanted,
    framed,
    read_message,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from archiver.rendering.model import FromChild, RenderJob, RenderRules, ResourcePlace, ToChild

    Answering = Callable[[ResourceWanted], Awaitable[ResourcePlace | None]]

MODULE = "archiver.rendering.child"
_DECODER = msgspec.msgpack.Decoder(BrowserReady | BrowserRefused | ResourceWanted | RenderedPage)
# A browser that is not there by then does not start. Guess: it takes one or two seconds.
_START_SECONDS = 60.0
# Beyond the time that the page has of its own, until the process is taken for stuck.
_GRACE_SECONDS = 5.0
# For all that a page asks for, with every pause between two requests to its hosts. Guess.
_LONGEST_WAIT = 600.0
_LOOK_SECONDS = 0.1
# After so many pages a browser is replaced: what it has leaked goes with it. Guess.
_PAGES = 100
# What a page broke is not used for the next one.
_BROKEN = frozenset({PageProblem.LOOP, PageProblem.MEMORY, PageProblem.CRASH, PageProblem.WAITED})


def missing_extra() -> str | None:
    """Return what to do where the package that drives the browser is not installed."""
    if find_spec("playwright") is None:
        return "rendering needs Playwright, which is not installed: pip install 'archiver[render]'"
    return None


def check_browser(rules: RenderRules) -> None:
    """Raise ConfigurationError where pages cannot be rendered here, with what to do about it."""
    if advice := missing_extra():
        raise ConfigurationError(f"RENDER is on, and {advice}")
    isolation_for(rules)


class RenderProcess:
    """Renders one page at a time; the browser starts when needed and is replaced where a page broke it."""

    def __init__(self, rules: RenderRules, warc_folder: Path) -> None:
        self._rules = rules
        self._folder = warc_folder
        self._process: asyncio.subprocess.Process | None = None
        self._pages = 0
        self._pending = 0
        self._used, self._since, self._cpu_before = 0.0, 0.0, 0.0
        # What the processes occupied at most, in megabytes.
        self.peak_mb = 0.0
        self._ready: BrowserReady | None = None

    @property
    def browser(self) -> str:
        """Return the name and version of the browser that was started last."""
        return self._ready.browser if self._ready else ""

    @property
    def isolation(self) -> str:
        """Return what keeps the browser from the network."""
        return self._ready.isolation if self._ready else ""

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def render(self, job: RenderJob, answer: Answering) -> RenderedPage:
        """Render a page. Raises ConfigurationError where no browser can be had."""
        process = await self._started()
        self._pages += 1
        shown = await self._guarded(process, job, answer)
        if shown.problem in _BROKEN or self._pages >= _PAGES:
            await self.close()
        return shown

    async def close(self) -> None:
        """End the browser and all that belongs to it."""
        process, self._process = self._process, None
        if process is None:
            return
        pids = await asyncio.to_thread(family, process.pid)
        if process.stdin is not None:
            process.stdin.close()
        await asyncio.to_thread(end, pids)
        await process.wait()
        self._pages = 0

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        if advice := missing_extra():
            raise ConfigurationError(advice)
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", MODULE,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._say(process, BeginBrowser(rules=self._rules, folder=str(self._folder)))
        try:
            first = await asyncio.wait_for(self._heard(process), _START_SECONDS)
        except (TimeoutError, asyncio.IncompleteReadError):
            first = BrowserRefused(reason=f"{self._rules.browser} did not start")
        if not isinstance(first, BrowserReady):
            await self.close()
            raise ConfigurationError(
                first.reason if isinstance(first, BrowserRefused) else "it is out of step"
            )
        self._ready = first
        return process

    async def _guarded(
        self, process: asyncio.subprocess.Process, job: RenderJob, answer: Answering
    ) -> RenderedPage:
        """Render a page, and end it where it takes too long or too much."""
        self._pending, self._used, self._since = 0, 0.0, time.monotonic()
        _, self._cpu_before = await asyncio.to_thread(_used_by, process.pid)
        began = time.monotonic()
        work = asyncio.ensure_future(self._talk(process, job, answer))
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=_LOOK_SECONDS)
                problem = None if work.done() else await self._problem(process, began)
                if problem is not None:
                    return RenderedPage(problem=problem)
            return work.result()
        except (asyncio.IncompleteReadError, ConnectionError):
            return RenderedPage(problem=PageProblem.CRASH)
        finally:
            work.cancel()

    async def _problem(self, process: asyncio.subprocess.Process, began: float) -> PageProblem | None:
        memory, cpu = await asyncio.to_thread(_used_by, process.pid)
        self.peak_mb = max(self.peak_mb, memory)
        if memory > self._rules.memory_mb:
            return PageProblem.MEMORY
        now = time.monotonic()
        own = self._used + (0.0 if self._pending else now - self._since)
        if cpu - self._cpu_before > self._rules.seconds or own > self._rules.patience + _GRACE_SECONDS:
            return PageProblem.LOOP
        return PageProblem.WAITED if now - began > _LONGEST_WAIT else None

    async def _talk(
        self, process: asyncio.subprocess.Process, job: RenderJob, answer: Answering
    ) -> RenderedPage:
        self._say(process, job)
        answering: set[asyncio.Task[None]] = set()
        try:
            while True:
                message = await self._heard(process)
                if isinstance(message, RenderedPage):
                    return message
                if isinstance(message, ResourceWanted):
                    task = asyncio.ensure_future(self._answer(process, message, answer))
                    answering.add(task)
                    task.add_done_callback(answering.discard)
        finally:
            for task in answering:
                task.cancel()

    async def _answer(
        self, process: asyncio.subprocess.Process, wanted: ResourceWanted, answer: Answering
    ) -> None:
        if not self._pending:
            self._used += time.monotonic() - self._since
        self._pending += 1
        try:
            place = await answer(wanted)
        finally:
            self._pending -= 1
            if not self._pending:
                self._since = time.monotonic()
        self._say(process, ResourceAnswer(number=wanted.number, place=place))

    async def _heard(self, process: asyncio.subprocess.Process) -> FromChild:
        assert process.stdout is not None  # noqa: S101 - opened as a pipe
        message: FromChild = _DECODER.decode(await read_message(process.stdout))
        return message

    def _say(self, process: asyncio.subprocess.Process, message: ToChild) -> None:
        assert process.stdin is not None  # noqa: S101 - opened as a pipe
        with suppress(ConnectionError):  # its end is seen at the other pipe
            process.stdin.write(framed(message))


def _used_by(pid: int) -> tuple[float, float]:
    """Megabytes and seconds of processor time of a process and all that it started."""
    pids = family(pid)
    return memory_mb(pids), cpu_seconds(pids)
