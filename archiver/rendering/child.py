"""The process of the browser: renders pages one after another, and asks for all that they ask for."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.errors import ConfigurationError
from archiver.rendering.isolation import isolation_for, write_launcher
from archiver.rendering.model import (
    BeginBrowser,
    BrowserReady,
    BrowserRefused,
    RenderJob,
    ResourceAnswer,
    ResourceWanted,
    framed,
    read_message,
)

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

    from archiver.rendering.isolation import Isolation
    from archiver.rendering.model import FromChild, ResourcePlace

_DECODER = msgspec.msgpack.Decoder(BeginBrowser | RenderJob | ResourceAnswer)
_ARGUMENTS = ("--disable-gpu", "--disable-dev-shm-usage", "--no-pings", "--disable-remote-fonts")


class BrowserChild:
    """Talks to the parent: takes what to render and the answers to what pages want."""

    def __init__(self, source: asyncio.StreamReader, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._waiting: dict[int, asyncio.Future[ResourcePlace | None]] = {}
        self._jobs: asyncio.Queue[RenderJob | None] = asyncio.Queue()

    async def begin(self) -> BeginBrowser:
        message = _DECODER.decode(await read_message(self._source))
        assert isinstance(message, BeginBrowser)  # noqa: S101 - what the parent says first
        return message

    async def listen(self) -> None:
        """Take messages until the parent has ended."""
        with suppress(asyncio.IncompleteReadError):
            while True:
                message = _DECODER.decode(await read_message(self._source))
                if isinstance(message, RenderJob):
                    self._jobs.put_nowait(message)
                elif isinstance(message, ResourceAnswer):
                    self._answered(message)
        self._jobs.put_nowait(None)

    def _answered(self, answer: ResourceAnswer) -> None:
        future = self._waiting.pop(answer.number, None)
        if future is not None and not future.done():  # else the page is no more
            future.set_result(answer.place)

    async def next_job(self) -> RenderJob | None:
        self._waiting.clear()
        return await self._jobs.get()

    async def ask(self, wanted: ResourceWanted) -> ResourcePlace | None:
        future: asyncio.Future[ResourcePlace | None] = asyncio.get_running_loop().create_future()
        self._waiting[wanted.number] = future
        self.say(wanted)
        return await future

    def say(self, message: FromChild) -> None:
        left = memoryview(framed(message))
        while left:
            left = left[os.write(self._sink, left) :]


async def serve(child: BrowserChild) -> None:
    begin = await child.begin()
    home = Path(tempfile.mkdtemp(prefix="archiver-render-"))
    try:
        await _serve(child, begin, home)
    except (ConfigurationError, OSError) as error:
        child.say(BrowserRefused(reason=str(error)))
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def _serve(child: BrowserChild, begin: BeginBrowser, home: Path) -> None:
    # It takes long to load, and the parent waits for what was said before.
    from playwright.async_api import Error, async_playwright  # noqa: PLC0415

    from archiver.rendering.page import PageRendering  # noqa: PLC0415

    isolation = isolation_for(begin.rules)
    async with async_playwright() as playwright:
        try:
            browser = await _launch(playwright, begin, isolation, home)
        except Error as error:
            told = str(error).strip().splitlines()[0]
            child.say(BrowserRefused(reason=f"{begin.rules.browser} does not start: {told}"))
            return
        child.say(BrowserReady(browser=f"chromium/{browser.version}", isolation=isolation.name))
        listening = asyncio.ensure_future(child.listen())
        while (job := await child.next_job()) is not None:
            child.say(await PageRendering(browser, begin.rules, begin.folder, job, child.ask).run())
        listening.cancel()
        with suppress(Error):
            await browser.close()


async def _launch(playwright: Playwright, begin: BeginBrowser, isolation: Isolation, home: Path) -> Browser:
    return await playwright.chromium.launch(
        executable_path=str(write_launcher(home, isolation, begin.rules)),
        chromium_sandbox=begin.rules.sandbox,
        args=[*_ARGUMENTS, *isolation.arguments],
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )


async def main() -> None:
    loop = asyncio.get_running_loop()
    source = asyncio.StreamReader(limit=1 << 20)
    sink = os.dup(sys.stdout.fileno())
    # Whatever a library prints must not end up among the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(source), os.fdopen(os.dup(0), "rb", 0))
    with suppress(BrokenPipeError, asyncio.IncompleteReadError):  # the parent is no more
        await serve(BrowserChild(source, sink))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(main())
