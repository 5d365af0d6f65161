"""One page in the browser: opened, left alone until it rests, scrolled, and read."""

from __future__ import annotations

import asyncio
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from playwright.async_api import Error

from archiver.archive.warc.reader import read_response
from archiver.errors import RecordError
from archiver.rendering.boxes import STYLES, boxes_of
from archiver.rendering.model import PageProblem, RenderedPage, ResourceWanted, well_formed
from archiver.rendering.requests import ANOTHER_PAGE, refusal
from archiver.rendering.scripts import FRAMES, SCROLL, seeded, serialize

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Request, Route

    from archiver.archive.warc.reader import StoredResponse
    from archiver.rendering.model import RenderJob, RenderRules, ResourcePlace

    Ask = Callable[[ResourceWanted], Awaitable[ResourcePlace | None]]

T = TypeVar("T")
# As Carullo's thesis on visual features has it; two machines see the same page.
VIEWPORT = {"width": 1024, "height": 768}
# Milliseconds of the page's own clock, which only runs while it waits for nothing: for what it does after it
# was opened, and after each screen. Guess: pages that wait longer wait for a person.
_OPENED = 10_000
_SCROLLED = 1_000
# Rounds of requests that one screen may lead to.
_ROUNDS = 5
# Characters: as much as the extractor takes.
_LONGEST = 20_000_000
# Of what is noted as not answered. Guesses: enough to see what a page is about.
_MOST_REFUSED = 1_000
_LONGEST_URL = 2_000
# Said of requests that do not come from the page that is rendered.
_NOT_OF_THE_PAGE, _ANOTHER_WINDOW = _ELSEWHERE = ("not of the page", "another window")
# Headers that are not true any more of a body that is decoded and whole, or that are for connections.
_DROPPED = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "set-cookie",
     "refresh", "alt-svc", "strict-transport-security", "content-disposition"}
)  # fmt: skip


class PageEnded(Exception):  # noqa: N818 - reads as what happened
    """A page was ended before it was whole."""

    def __init__(self, problem: PageProblem) -> None:
        super().__init__(problem)
        self.problem = problem


class PageRendering:
    """Renders one page in a context of its own; every request of it is decided on, and answered by `ask`."""

    def __init__(self, browser: Browser, rules: RenderRules, folder: str, job: RenderJob, ask: Ask) -> None:
        self._browser = browser
        self._rules = rules
        self._folder = Path(folder)
        self._job = job
        self._ask = ask
        self._count = 0
        self._pending = 0
        self._is_open = False
        # The time that the page has used, without what it waited for us.
        self._used, self._since = 0.0, time.monotonic()
        self._ended: asyncio.Future[PageProblem] = asyncio.get_running_loop().create_future()
        self._rested = asyncio.Event()
        self._idle = asyncio.Event()  # set while nothing is asked for
        self._idle.set()
        self._refused: dict[tuple[str, str], None] = {}  # each once, in their order
        self._screens = 0
        self._page: Page | None = None

    async def run(self) -> RenderedPage:
        context = await self._browser.new_context(
            viewport=VIEWPORT,  # type: ignore[arg-type] # Playwright wants its own class of dictionary
            java_script_enabled=self._job.has_scripts,
            accept_downloads=False,
            service_workers="block",
            locale="en-US",
            timezone_id="UTC",
        )
        try:
            return await self._run(context)
        except PageEnded as ended:
            return self._told(problem=ended.problem)
        except Error as error:
            is_crash = "crash" in str(error).lower() or self._ended.done()
            return self._told(problem=PageProblem.CRASH if is_crash else PageProblem.NOT_SHOWN)
        finally:
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(context.close(), 2.0)

    async def _run(self, context: BrowserContext) -> RenderedPage:
        await context.route("**/*", self._route)
        context.on("page", self._on_page)
        page = self._page = await context.new_page()
        page.on("crash", lambda _: self._end(PageProblem.CRASH))
        # Nothing is clicked on: a window or a download is never what a reader asked for.
        page.on("download", lambda _: self._end(PageProblem.DOWNLOAD))
        page.on("websocket", lambda one: self._refuse("a WebSocket", one.url))
        page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
        session = await context.new_cdp_session(page)
        if self._job.has_scripts:
            await self._with_scripts(context, page, session)
        else:
            await self._within(page.goto(self._job.url, wait_until="load", timeout=0))
        html = await self._document(page) if self._job.has_scripts else ""
        return await self._with_boxes(session, self._told(html=html))

    async def _document(self, page: Page) -> str:
        html = await self._within(page.evaluate(serialize(_LONGEST)))
        if html is None:
            raise PageEnded(PageProblem.MEMORY)
        return well_formed(str(html))

    async def _with_scripts(self, context: BrowserContext, page: Page, session: CDPSession) -> None:
        seed = zlib.crc32(self._job.url.encode("utf-8", "replace"))
        await context.add_init_script(seeded(seed))
        session.on("Emulation.virtualTimeBudgetExpired", lambda _: self._rested.set())
        clock = {"policy": "pause", "initialVirtualTime": self._job.at}
        await session.send("Emulation.setVirtualTimePolicy", clock)
        await self._within(page.goto(self._job.url, wait_until="commit", timeout=0))
        await self._rest(session, _OPENED)
        for _ in range(self._rules.screens):
            if not await self._scroll(page, session):
                return
            self._screens += 1

    async def _rest(self, session: CDPSession, milliseconds: int) -> None:
        """Let the page's clock run so long; it stands while the page waits for an answer."""
        self._rested.clear()
        policy = {"policy": "pauseIfNetworkFetchesPending", "budget": milliseconds}
        await self._within(session.send("Emulation.setVirtualTimePolicy", policy))
        await self._within(self._rested.wait())

    async def _scroll(self, page: Page, session: CDPSession) -> bool:
        """Go one screen down; False at the end of a page that does not grow."""
        before, after, height = map(_number, await self._within(page.evaluate(SCROLL)))
        for _ in range(_ROUNDS):
            asked = self._count
            # A frame is drawn by the machine's clock; the page's stands meanwhile.
            with suppress(TimeoutError):
                await self._within(asyncio.wait_for(page.evaluate(FRAMES), 0.5))
            await self._rest(session, _SCROLLED)
            await self._within(self._idle.wait())
            if self._count == asked:
                break
        grown = await self._within(page.evaluate("() => document.documentElement.scrollHeight"))
        return after > before or _number(grown) > height

    async def _with_boxes(self, session: CDPSession, shown: RenderedPage) -> RenderedPage:
        if not self._job.has_boxes:
            return shown
        wish = {"computedStyles": list(STYLES), "includeDOMRects": True}
        snapshot = await self._within(session.send("DOMSnapshot.captureSnapshot", wish))
        document = snapshot["documents"][0]
        return RenderedPage(
            html=shown.html,
            refused=shown.refused,
            screens=shown.screens,
            width=document.get("contentWidth", 0.0),
            height=document.get("contentHeight", 0.0),
            boxes=boxes_of(snapshot),
        )

    async def _within(self, work: Awaitable[T]) -> T:
        """Wait for something of the page as long as the page has time, and is there."""
        task: asyncio.Future[Any] = asyncio.ensure_future(work)
        try:
            while not task.done():
                watched: set[asyncio.Future[Any]] = {task, self._ended}
                await asyncio.wait(watched, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
                if self._ended.done():
                    raise PageEnded(self._ended.result())
                if self._own_seconds() > self._rules.patience:
                    raise PageEnded(PageProblem.LOOP)
            return cast("T", task.result())
        finally:
            if not task.done():
                task.cancel()

    def _own_seconds(self) -> float:
        return self._used + (0.0 if self._pending else time.monotonic() - self._since)

    async def _route(self, route: Route) -> None:
        with suppress(Error):  # the page is no more
            await self._answer(route)

    async def _answer(self, route: Route) -> None:
        request = route.request
        if self._is_page_itself(request):
            self._is_open = True
            await self._fulfil(route, self._job.place, self._job.content)
            return
        why = self._refusal(request)
        if why in _ELSEWHERE and request.is_navigation_request():
            # A new window asks before the browser tells of it.
            self._end(PageProblem.WINDOW)
        place = None
        if why is None:
            self._count += 1
            place = await self._asked(
                ResourceWanted(number=self._count, url=request.url, kind=request.resource_type)
            )
        if place is None:
            self._refuse(why or "not answered", request.url)
            # An error would be shown in place of the page; without content, the page stays.
            await (route.fulfill(status=204) if why == ANOTHER_PAGE else route.abort())
        else:
            await self._fulfil(route, place)

    def _refusal(self, request: Request) -> str | None:
        try:
            frame = request.frame
        except Error:  # of a worker, or of a window that is being closed
            return _NOT_OF_THE_PAGE
        if frame.page is not self._page:
            return _ANOTHER_WINDOW
        is_frame = frame.parent_frame is not None
        why = refusal(request.method, request.url, request.resource_type, is_frame=is_frame)
        if why is None and self._count >= self._rules.requests:
            return "too many requests"
        return why

    def _is_page_itself(self, request: Request) -> bool:
        if self._is_open or not request.is_navigation_request():
            return False
        frame = request.frame
        return frame.page is self._page and frame.parent_frame is None

    async def _asked(self, wanted: ResourceWanted) -> ResourcePlace | None:
        if not self._pending:
            self._used += time.monotonic() - self._since
        self._pending += 1
        self._idle.clear()
        try:
            return await self._ask(wanted)
        finally:
            self._pending -= 1
            if not self._pending:
                self._idle.set()
                self._since = time.monotonic()

    async def _fulfil(self, route: Route, place: ResourcePlace, content: bytes = b"") -> None:
        try:
            stored = await asyncio.to_thread(read_response, self._folder, place.file, place.offset)
        except RecordError:
            self._refuse("not in the archive", route.request.url)
            await route.abort()
            return
        body = content or stored.content
        headers = _headers(stored)
        if content:
            headers["content-type"] = "text/html; charset=utf-8"
        await route.fulfill(status=stored.status or 200, headers=headers, body=body)

    def _on_page(self, page: Any) -> None:  # noqa: ANN401 - Playwright's, which is compared below
        if self._page is not None and page is not self._page:
            self._end(PageProblem.WINDOW)
            asyncio.ensure_future(_close(page))  # noqa: RUF006 - the context ends with the page in any case

    def _refuse(self, why: str, url: str) -> None:
        """Note what was not answered; of a page that asks without end, only the first."""
        if len(self._refused) < _MOST_REFUSED:
            self._refused[why, url[:_LONGEST_URL]] = None

    def _end(self, problem: PageProblem) -> None:
        if not self._ended.done():
            self._ended.set_result(problem)

    def _told(self, *, html: str = "", problem: PageProblem | None = None) -> RenderedPage:
        return RenderedPage(
            html=html,
            problem=problem,
            refused=tuple(self._refused),
            screens=self._screens,
        )


async def _close(page: Page) -> None:
    with suppress(Error):
        await page.close()


def _number(told: object) -> float:
    """A number that the page may have put its own thing in the place of."""
    return float(told) if isinstance(told, int | float) else 0.0


def _headers(stored: StoredResponse) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in stored.headers:
        key = name.lower()
        if key not in _DROPPED:
            found[key] = f"{found[key]}, {value}" if key in found else value
    return found
