"""Pages that are empty without their scripts: rendered behind the crawl, with what they ask for from us."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

from archiver.acquisition.targets import RENDERING, RenderResource
from archiver.archive.cdxj.index import Index
from archiver.archive.retrieval import find_capture
from archiver.archive.warc.rendered import Rendered
from archiver.clock import machine_now
from archiver.errors import ArchiverError, ConfigurationError, RecordError
from archiver.rendering.archived import place_of
from archiver.rendering.model import PROBLEMS, PageProblem, RenderJob, ResourcePlace
from archiver.rendering.process import RenderProcess
from archiver.store.content.renderings import (
    ask_rendering,
    next_to_render,
    render_later,
    store_rendering,
    was_rendered,
)
from archiver.urls import host_of, redact

if TYPE_CHECKING:
    from archiver.acquisition.items import ResourceFetch
    from archiver.archive.warc.records import Capture, Fields
    from archiver.rendering.model import RenderedPage, ResourceWanted
    from archiver.running.session import Session
    from archiver.running.workers.page_tasks import PageRead
    from archiver.store.content.pages import CapturedPage
    from archiver.store.content.renderings import PageToRender

logger = logging.getLogger(__name__)

# What is the same for all pages of a site is not asked for again before this.
_FRESH = timedelta(days=1)
_SHARED_KINDS = frozenset({"script", "stylesheet", "image"})
# Addresses of this run whose captures are remembered.
_MOST_REMEMBERED = 10_000
# What did not come in time may come at another time.
_TRIES = 3
_LOOK_SECONDS = 1.0


class Renderings:
    """Renders captured pages one after another; what they ask for is handed out by the frontier."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._archive = session.archive
        self._rules = session.archive.config.render
        self._numbers = count(1)
        self._wanted: dict[int, RenderResource] = {}
        self._answers: dict[int, asyncio.Future[Capture | None]] = {}
        self._recent: dict[str, Capture] = {}
        self._work = asyncio.Event()
        self._stopping = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        # Why no page is rendered in this run.
        self._refused = ""
        # Set while no page waits to be rendered.
        self.idle = asyncio.Event()
        self.idle.set()

    @property
    def is_on(self) -> bool:
        is_crawl = self._archive.config.replayed is None and self._archive.config.extraction
        return self._rules is not None and is_crawl and not self._refused

    def wants(self, page: CapturedPage, read: PageRead) -> bool:
        """Return whether a page is to be rendered before what was read of it counts."""
        is_wanted = self.is_on and read.needs_browser and not page.is_imported
        return is_wanted and page.capture.rendered is None and not page.part

    def shows_the_same(self, capture: Capture, before: Capture) -> bool:
        """Return whether two captures show the same; without a browser, as far as what was served tells."""
        is_told = self.is_on or capture.rendered is not None
        return capture.shares_payload(before if is_told else replace(before, rendered=None))

    async def ask(self, page: CapturedPage) -> None:
        await self._archive.database.run_async(ask_rendering, page.id, self._archive.clock.now())
        self.look()

    async def is_rendered(self, page_id: int) -> bool:
        """Return whether an answer of 304 says nothing of a page: what it shows comes from elsewhere."""
        return self.is_on and await self._archive.database.run_async(was_rendered, page_id)

    def look(self) -> None:
        self.idle.clear()
        self._work.set()

    def resources(self) -> list[RenderResource]:
        """Return what the page in the browser waits for."""
        return list(self._wanted.values())

    def answered(self, fetch: ResourceFetch) -> None:
        self._wanted.pop(fetch.id, None)
        future = self._answers.get(fetch.id)
        if future is not None and not future.done():
            future.set_result(fetch.capture)

    def begin(self) -> None:
        """Render until told to stop; what waits then waits for the next run."""
        if self._rules is not None and self.is_on:
            process = RenderProcess(self._rules, self._archive.config.warc_folder)
            self._running = asyncio.ensure_future(self._guarded(process))

    async def _guarded(self, process: RenderProcess) -> None:
        self.look()
        try:
            await self._run(process)
        except ArchiverError as error:
            self._session.fatal(error)
        except Exception as error:
            logger.exception("Rendering stopped")
            self._session.fatal(error)
        finally:
            await process.close()
            self._archive.report.render_memory_mb = round(process.peak_mb)
            self.idle.set()

    async def _run(self, process: RenderProcess) -> None:
        aside: set[int] = set()
        while not self._stopping.is_set():
            self._work.clear()
            now = self._archive.clock.now()
            page = await self._archive.database.run_async(next_to_render, now, frozenset(aside))
            if page is None or self._refused:
                if not self._work.is_set():
                    self.idle.set()
                    self._session.extraction.look()
                await self._work.wait()
                continue
            # Each is tried once in a run.
            aside.add(page.id)
            await self._render(process, page)

    async def stop(self) -> None:
        """End the page that is being rendered: it waits in the store for the next run."""
        self._stopping.set()
        self._work.set()
        if self._running is not None:
            await self._running

    async def _render(self, process: RenderProcess, page: PageToRender) -> None:
        capture, used = page.capture, Used()
        job = RenderJob(
            url=capture.url,
            place=ResourcePlace(file=capture.file, offset=capture.offset),
            at=capture.date.timestamp(),
        )
        work = asyncio.ensure_future(
            process.render(job, lambda wanted: self._answer(wanted, capture.url, used))
        )
        ending = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({work, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                return
            shown = work.result()
        except ConfigurationError as error:
            self._refused = str(error)
            self._archive.report.error(f"Pages are not rendered: {error}")
            return
        finally:
            ending.cancel()
            work.cancel()
            self._wanted.clear()
            self._answers.clear()
        await self._keep(page, shown, used, process.browser)

    async def _keep(self, page: PageToRender, shown: RenderedPage, used: Used, browser: str) -> None:
        """Write the rendered document, and then the state: a crash between them renders the page again."""
        database, capture = self._archive.database, page.capture
        self._tell(capture.url, shown)
        if shown.problem is PageProblem.WAITED and page.tries + 1 < _TRIES:
            later = self._archive.clock.now() + self._archive.config.pages.longest_wait
            await database.run_async(render_later, page.id, later)
            return
        if shown.problem is not None:
            rendered = Rendered(problem=PROBLEMS[shown.problem], browser=browser)
        else:
            html = shown.html.encode("utf-8", "replace")
            fields = used.fields(shown, browser)
            rendered = await self._archive.writer.write_rendered(capture, html, browser, fields)
        await database.run_async(store_rendering, page, rendered)
        self._session.extraction.look()

    def _tell(self, url: str, shown: RenderedPage) -> None:
        report = self._archive.report
        report.rendered["rendered" if shown.problem is None else shown.problem] += 1
        if shown.problem is not None:
            report.note(f"{url} was ended in the browser: {PROBLEMS[shown.problem]}")
        logger.info("Rendered %s: %s", redact(url), shown.problem or "whole")

    async def _answer(self, wanted: ResourceWanted, page_url: str, used: Used) -> ResourcePlace | None:
        """Return where the response to a request of the page is, fetched now or within a day."""
        if wanted.kind in _SHARED_KINDS:
            place = await self._from_archive(wanted.url)
            if place is not None:
                used.places.append((wanted.url, place))
                return place
        capture = await self._fetched(wanted, page_url)
        if capture is None:
            return None
        if len(self._recent) < _MOST_REMEMBERED:
            self._recent[wanted.url] = capture
        place = ResourcePlace(file=capture.file, offset=capture.offset)
        used.captures.append((wanted.url, capture))
        return place

    async def _from_archive(self, url: str) -> ResourcePlace | None:
        known = self._recent.get(url)
        if known is not None:
            return ResourcePlace(file=known.file, offset=known.offset)
        try:
            return await asyncio.to_thread(self._indexed, url)
        except (ArchiverError, OSError):
            return None

    def _indexed(self, url: str) -> ResourcePlace | None:
        config, now = self._archive.config, machine_now()
        index = Index(config.index_folder)
        line = find_capture(index, url, now)
        if line is None or line.date < now - _FRESH or not (line.status or "").startswith("2"):
            return None
        with suppress(RecordError):
            return place_of(index, config.warc_folder, url, now)
        return None

    async def _fetched(self, wanted: ResourceWanted, page_url: str) -> Capture | None:
        target = RenderResource(
            id=next(self._numbers),
            url=wanted.url,
            host=host_of(wanted.url),
            page_url=page_url,
            kind=wanted.kind,
        )
        future: asyncio.Future[Capture | None] = asyncio.get_running_loop().create_future()
        self._wanted[target.id], self._answers[target.id] = target, future
        self._session.frontier.want(RENDERING)
        while not future.done():
            await asyncio.wait({future}, timeout=_LOOK_SECONDS)
            # Nothing more is asked of its host in this run, or of any.
            is_left = self._stopping.is_set() or target.host in self._session.frontier.hosts_left
            if not future.done() and is_left:
                self._wanted.pop(target.id, None)
                return None
        return future.result()


class Used:
    """What a page was answered with."""

    def __init__(self) -> None:
        self.captures: list[tuple[str, Capture]] = []
        self.places: list[tuple[str, ResourcePlace]] = []

    def fields(self, shown: RenderedPage, browser: str) -> Fields:
        """Return how a page was rendered, to stand beside it in the archive."""
        return (
            ("renderedBy", browser),
            ("screens", str(shown.screens)),
            *(("resource", f"{one.capture_id} {redact(url)}") for url, one in self.captures),
            *(("resource", f"{one.file}:{one.offset} {redact(url)}") for url, one in self.places),
            *(("notAnswered", f"{redact(url)} ({why})") for why, url in shown.refused),
        )
