"""The past of an archive: the exchanges of all WARC files, in their order, with what was made of them."""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.acquisition.channels.polling.wishes import wishes_of_head
from archiver.acquisition.items import ChannelPoll, Validators
from archiver.acquisition.pages import PageValidators
from archiver.acquisition.seeds.model import BY_HAND, Seed
from archiver.acquisition.targets import ACCEPT_FEED, RENDERING, WantedRequisite
from archiver.archive.cdxj.index import Index
from archiver.archive.storage import archived_files
from archiver.archive.warc.exchanges import kept_exchanges
from archiver.articles.leads import CHANNELS
from archiver.errors import ExtractionError, RecordError
from archiver.running.restoring.captures import capture_at, capture_of, with_rendered
from archiver.running.restoring.contributions import restore_all
from archiver.running.restoring.learning import learn_wrappers
from archiver.running.restoring.versions import key_of, version_of
from archiver.running.workers.pool import WorkerPool
from archiver.running.workers.tasks import ReadFeed
from archiver.running.writing.payloads import PayloadNotes
from archiver.store.content.pages import FreshCapture
from archiver.store.content.requisites import restore_requisite
from archiver.store.content.restoring import (
    RestoredLead,
    RestoredVersion,
    channel_numbers,
    finish,
    keys_of_article,
    page_of,
    restore_capture,
)
from archiver.store.polling.channels import known_as
from archiver.store.polling.listing import add_seed
from archiver.store.polling.polls import store_poll

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.warc.exchanges import KeptExchange
    from archiver.archive.warc.records import Capture
    from archiver.running.archive import ArchiveConfig
    from archiver.running.restoring.lines import KeptObject, ObjectLines
    from archiver.store.content.restoring import KnownPage, StateCounts
    from archiver.store.database import Database

logger = logging.getLogger(__name__)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PERMANENT = frozenset({301, 308})
# So many wrappers of a channel are learned again: one that has more has no templates.
_WRAPPERS = 20
_DAMAGE = (ValueError, EOFError, OSError, zlib.error)


@dataclass(slots=True, kw_only=True)
class RestoreReport:
    """What came of it, and what could not be known."""

    counts: StateCounts | None = None
    damaged: list[str] = field(default_factory=list)  # WARC files that were read as far as they go
    unreadable: int = 0  # lines of objects
    unplaced: int = 0  # objects that nothing in the WARC files leads to
    renamed: int = 0  # articles whose ids could not be made again
    contributions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moved:
    """Where a poll came from."""

    origin: str
    is_permanent: bool


class Past:
    """Goes through all exchanges in their order, and writes what each of them told then."""

    def __init__(self, config: ArchiveConfig, database: Database, lines: ObjectLines) -> None:
        self._config = config
        self._folder = config.warc_folder
        self._database = database
        self._lines = lines
        self._index = Index(config.index_folder)
        self._payloads = PayloadNotes(database)
        # Nothing is asked for while the past is gone through.
        self._rules = replace(config.polls, gap_pages=0, websub=False, channel_pages=False)
        self._moved: dict[str, _Moved] = {}
        self._channels: dict[str, int] = {}
        self._has_polled = False  # since channels were last listed
        self._versions = 0
        self.report = RestoreReport(unreadable=lines.unreadable)
        self._workers = WorkerPool(
            config.workers, seconds=config.worker_seconds, memory_mb=config.worker_memory_mb
        )

    async def run(self, show: Callable[[int, int], None]) -> RestoreReport:
        try:
            files = archived_files(self._folder)
            for number, path in enumerate(files):
                await self._read(path)
                show(number + 1, len(files))
            await learn_wrappers(self._config, self._database, self._workers)
        finally:
            self._workers.close()
        self._payloads.flush()
        restored, unreadable = await restore_all(self._config.objects_folder, self._database)
        self.report.contributions = restored
        self.report.unreadable += unreadable
        self.report.counts = await self._database.run_async(finish, self._lines.lengths)
        self.report.unplaced = self._lines.count() - self._versions
        return self.report

    async def _read(self, path: Path) -> None:
        self._moved.clear()  # no redirect is followed from one run to the next
        exchanges = kept_exchanges(path)
        # Only what the file itself is to blame for: a fault of ours must not pass for damage.
        while (exchange := self._next(exchanges, path)) is not None:
            await self._take(exchange)

    def _next(self, exchanges: Iterator[KeptExchange], path: Path) -> KeptExchange | None:
        try:
            return next(exchanges, None)
        except _DAMAGE as error:
            self.report.damaged.append(f"{path}: {error}")
            return None

    async def _take(self, exchange: KeptExchange) -> None:
        if exchange.status in _REDIRECTS:
            self._note_redirect(exchange)
            return
        moved = self._moved.pop(exchange.url, _Moved(origin=exchange.url, is_permanent=False))
        if exchange.status not in (200, 226, 304):
            return
        capture = capture_of(exchange, self._index, self._folder)
        if capture is None:
            return
        if exchange.status == 200 and exchange.is_whole and not (capture.revisit or capture.submission):
            self._payloads.add([capture])
        if (kind := exchange.context.get("hoptype")) == RENDERING:
            return  # the rendered page is in the archive: what it asked for is not asked for again
        if kind:
            await self._requisite(kind, exchange, moved.origin)
        elif _is_poll(exchange):
            await self._poll(exchange, capture, moved)
        elif not self._lines.is_further(capture.capture_id):
            await self._page(exchange, capture, moved.origin)

    def _note_redirect(self, exchange: KeptExchange) -> None:
        location = exchange.wire.header("Location")
        if location is not None:
            before = self._moved.pop(exchange.url, _Moved(origin=exchange.url, is_permanent=True))
            is_permanent = before.is_permanent and exchange.status in _PERMANENT
            moved = _Moved(origin=before.origin, is_permanent=is_permanent)
            self._moved[urljoin(exchange.url, location)] = moved

    async def _requisite(self, kind: str, exchange: KeptExchange, origin: str) -> None:
        wanted = WantedRequisite(url=origin, kind=kind, via=exchange.context.get("via", ""))
        await self._database.run_async(restore_requisite, wanted, exchange.date)

    # ── Polls ────────────────────────────────────────────────────────────────────────────────────────────

    async def _poll(self, exchange: KeptExchange, capture: Capture, moved: _Moved) -> None:
        poll = await self._poll_of(exchange, capture)
        if poll is None:
            return
        channel_id = await self._database.run_async(_channel_at, moved.origin, exchange.date)
        moved_to = exchange.url if moved.is_permanent else None
        poll = replace(poll, channel_id=channel_id, moved_to=moved_to)
        times = {"recorded": exchange.date, "now": exchange.date}
        await self._database.run_async(store_poll, poll, rules=self._rules, **times)
        self._has_polled = True
        for kept in self._lines.of(capture.capture_id):  # what was made of the feed's own content
            await self._restore_object(kept, capture)

    async def _poll_of(self, exchange: KeptExchange, capture: Capture) -> ChannelPoll | None:
        """What an answer says of its channel; None where it is neither a feed nor names one."""
        wishes = wishes_of_head(_head(exchange), exchange.date)
        poll = ChannelPoll(channel_id=0, url=exchange.url, wishes=wishes)
        if exchange.status == 304:
            return poll
        folder = str(self._folder)
        task = ReadFeed(url=capture.url, folder=folder, file=capture.file, offset=capture.offset)
        try:
            read = await self._workers.run(task)
        except (ExtractionError, RecordError):
            return None
        if read.feed is None:
            return replace(poll, discovered=read.discovered) if read.discovered else None
        is_partial = exchange.status == 226
        etag, last_modified = exchange.wire.header("ETag"), exchange.wire.header("Last-Modified")
        return replace(
            poll,
            feed=read.feed,
            validators=Validators(
                etag=etag, last_modified=last_modified, capture=None if is_partial else capture
            ),
            capture=capture,
            links=exchange.wire.header("Link") or "",
            partial=is_partial or read.broken_off,
            size=exchange.size,
        )

    # ── Pages ────────────────────────────────────────────────────────────────────────────────────────────

    async def _page(self, exchange: KeptExchange, capture: Capture, origin: str) -> None:
        kept = self._lines.of(capture.capture_id)
        capture = with_rendered(capture, kept[0].object.rendered if kept else None, self._folder)
        lead = _lead_of(kept[0]) if kept else RestoredLead(url=origin)
        if "entry" in exchange.context:
            via, entry_key = exchange.context.get("via", ""), exchange.context["entry"]
            lead = replace(lead, url=origin, via=via, entry_key=entry_key, source=CHANNELS)
        page = await self._page_of(lead, capture)
        if page is None:
            return
        found = [one for each in kept if (one := await self._restored(each, capture, page)) is not None]
        fresh = None
        if exchange.status != 304:
            validators = _validators(exchange)
            fresh = FreshCapture(page_id=page.id, capture=capture, size=exchange.size, validators=validators)
        rules = self._config.rechecks
        await self._database.run_async(restore_capture, page, fresh, found, rules, exchange.date)

    async def _restore_object(self, kept: KeptObject, capture: Capture) -> None:
        page = await self._page_of(_lead_of(kept), capture)
        found = await self._restored(kept, capture, page) if page else None
        if page is not None and found is not None:
            rules = self._config.rechecks
            await self._database.run_async(restore_capture, page, None, [found], rules, capture.date)

    async def _page_of(self, lead: RestoredLead, capture: Capture) -> KnownPage | None:
        channel_id = await self._channel(lead.via)
        return await self._database.run_async(page_of, channel_id, lead, capture, capture.date)

    async def _channel(self, via: str) -> int | None:
        if via not in self._channels and self._has_polled:
            self._channels = await self._database.run_async(channel_numbers)
            self._has_polled = False
        return self._channels.get(via)

    async def _restored(self, kept: KeptObject, capture: Capture, page: KnownPage) -> RestoredVersion | None:
        """What an object says of a version, with the page that showed it, which may be a part of this one."""
        told = kept.object
        if told.entry_id is not None and told.channel is not None:
            page = await self._page_of(_lead_of(kept), capture) or page
        known = await self._database.run_async(keys_of_article, page.article_id)
        key = self._lines.key_of(told.id) or key_of(told, page.key, capture, known)
        if key is None:
            self.report.renamed += 1
            key = page.key
        self._lines.know(told.id, key)
        self._versions += 1
        pointed = [capture_at(one.url, one.captured, one.warc, self._folder) for one in told.pages[1:]]
        further = [one for one in pointed if one is not None]
        channel_id = await self._channel(told.channel) if told.channel else None
        return RestoredVersion(page=page, new=version_of(kept, key, capture, further, channel_id or 0))


def _is_poll(exchange: KeptExchange) -> bool:
    """Whether a channel was polled. What a feed led to, such as an older part of it, names the feed."""
    return exchange.asked.get("accept") == ACCEPT_FEED and "via" not in exchange.context


def _channel_at(connection: Connection, url: str, at: datetime) -> int:
    """The number of the channel that was polled at an address; one that is not known yet is noted."""
    known = known_as(connection, url)
    if known is not None:
        return known
    add_seed(connection, Seed(url=url, source=BY_HAND, line=0), at)
    added = known_as(connection, url)
    assert added is not None  # noqa: S101 - it was added just now
    return added


def _lead_of(kept: KeptObject) -> RestoredLead:
    told = kept.object
    via = told.lead.via if told.lead else told.channel or ""
    source = {"source": told.lead.source} if told.lead else {}
    return RestoredLead(url=told.url, via=via, entry_key=told.entry_id, title=told.title, **source)


def _head(exchange: KeptExchange) -> dict[str, str]:
    return {name.lower(): value for name, value in reversed(exchange.wire.headers())}


def _validators(exchange: KeptExchange) -> PageValidators | None:
    etag, last_modified = exchange.wire.header("ETag"), exchange.wire.header("Last-Modified")
    if not (etag or last_modified):
        return None
    return PageValidators(url=exchange.url, etag=etag, last_modified=last_modified)
