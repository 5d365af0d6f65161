"""Lost lines of objects, made again from WARC and from what the state store knows of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from archiver.articles.methods.registry import FEED, is_usable
from archiver.articles.objects.model import Version, make_object, making_of
from archiver.documents.parts import part_of_key, part_url
from archiver.errors import ExtractionError
from archiver.running.reading.audit import is_line_of
from archiver.running.reading.findings import record_to_read
from archiver.running.reading.grouping import ALONE, cut
from archiver.running.reading.reader import GroupReader, ReadingRules
from archiver.running.workers.page_tasks import ReadContent
from archiver.store.content.leads import summaries_of
from archiver.store.content.wrappers import memory_of
from archiver.store.lines import neighbours, siblings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from archiver.articles.leads import Lead
    from archiver.articles.model import Wrapper
    from archiver.articles.objects.model import ArchivedObject
    from archiver.running.reading.grouping import GroupRules
    from archiver.running.workers import TaskRunner
    from archiver.running.workers.page_tasks import PageRead, PageToRead
    from archiver.store.database import Database
    from archiver.store.lines import LostVersion, VersionKey

    Found = PageRead | Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class RemadeLine:
    """A line that was lost, as it can be made today."""

    lost: LostVersion
    data: bytes
    # Where it is not byte for byte what was lost: what the version is known by from now on.
    values: dict[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmade:
    """A line that cannot be made again, and why."""

    lost: LostVersion
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemakingRules:
    """How pages are read."""

    warc_folder: Path
    method: str  # where the one that made a line is not known any more
    groups: GroupRules
    # The file of the field wrapper for a page, as text: its fields are read by the wrapper of today.
    fields_by: Callable[[str, Sequence[Lead]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """One way in which pages may have been read."""

    groups: Sequence[tuple[LostVersion, ...]]
    # None: by the wrapper that the version names.
    memory: tuple[Wrapper, ...] | None = ()


class Remaking:
    """Reads the captures of lost versions again, each in the ways in which it may have been read."""

    def __init__(self, database: Database, workers: TaskRunner, rules: RemakingRules) -> None:
        self._database = database
        self._workers = workers
        self._rules = rules

    async def lines(
        self, lost: Sequence[LostVersion], moment: datetime
    ) -> AsyncIterator[RemadeLine | Unmade]:
        """A line for each version, or why there is none; `moment` marks those that are not as they were."""
        for _, some in groupby(sorted(lost, key=_kind), _kind):
            group = list(some)
            if group[0].lead is None:
                reads: list[list[Found]] = [[] for _ in group]
            elif group[0].method == FEED:
                reads = [[await self._content(one, one.lead)] for one in group if one.lead]
            else:
                reads = await self._pages(group, group[0].lead.scope)
            for one, found in zip(group, reads, strict=True):
                yield _best(one, found, moment)

    async def _content(self, lost: LostVersion, lead: Lead) -> Found:
        announcement = lead.announcement()
        try:
            return await self._workers.run(ReadContent(url=lost.url, announcement=announcement))
        except ExtractionError as error:
            return error

    async def _pages(self, lost: Sequence[LostVersion], scope: int) -> list[list[Found]]:
        """What each page gives, in one way after the other until one gives what was lost."""
        method = lost[0].extractor.partition("/")[0]
        method = method if is_usable(method) else self._rules.method
        reader = GroupReader(self._workers, ReadingRules(folder=self._rules.warc_folder, method=method))
        summaries = await self._database.run_async(summaries_of, scope)
        found: dict[VersionKey, list[Found]] = {one.line.key: [] for one in lost}
        for way in await self._ways(reader, lost, scope):
            for group in way.groups:
                wanted = [one for one in group if one.line.key in found]
                if all(any(_is_same(one, read) for read in found[one.line.key]) for one in wanted):
                    continue
                pages = [
                    self._asked(one, lead, _others(summaries, lead))
                    for one in group
                    if (lead := one.lead) is not None
                ]
                memory = _wrappers(group) if way.memory is None else way.memory
                read = await reader.read(pages, memory)
                for one, result in zip(group, read.results, strict=True):
                    if one.line.key in found:
                        found[one.line.key].append(_or_instead(result))
        return [found[one.line.key] for one in lost]

    def _asked(self, lost: LostVersion, lead: Lead, others: tuple[str, ...]) -> PageToRead:
        asked = record_to_read(
            lost.capture, lead.announcement(others), part_of_key(lost.article_key), lost.further
        )
        return msgspec.structs.replace(asked, fields_by=self._rules.fields_by(lost.capture.url, [lead]))

    def _by_run(self, some: Sequence[LostVersion]) -> list[tuple[LostVersion, ...]]:
        """Groups of pages as they may have been read together: each run has WARC files of its own."""
        files: dict[str, list[LostVersion]] = {}
        for one in some:
            files.setdefault(one.capture.file, []).append(one)
        return [group for mine in files.values() for group in cut(mine, self._rules.groups, whole=True)]

    async def _ways(self, reader: GroupReader, lost: Sequence[LostVersion], scope: int) -> list[_Way]:
        """By the wrapper that it names, or with the pages that it was read with; else as it may have been."""
        alone = cut(lost, ALONE, whole=True)
        if not reader.sees_siblings:
            return [_Way(groups=alone)]
        known = await self._database.run_async(memory_of, [scope], reader.extractor)
        about_then = await self._database.run_async(neighbours, lost, scope)
        as_then = await self._database.run_async(siblings, lost, scope)
        lost_together, together = (self._by_run(some) for some in (lost, about_then))
        memory = known.get(scope, ())
        return [
            _Way(groups=[group for group in alone if group[0].wrapper is not None], memory=None),
            _Way(groups=as_then),
            _Way(groups=lost_together),
            _Way(groups=together),
            _Way(groups=lost_together, memory=memory),
            _Way(groups=together, memory=memory),
            _Way(groups=alone),
        ]


def _kind(lost: LostVersion) -> tuple[int, str, bool]:
    """What is read together: versions of one channel that one extractor made."""
    return lost.lead.scope if lost.lead else 0, lost.extractor, lost.method == FEED


def _others(summaries: dict[int, str], lead: Lead) -> tuple[str, ...]:
    own = lead.announcer.id if lead.announcer else None
    return tuple(text for number, text in summaries.items() if number != own)


def _wrappers(group: Sequence[LostVersion]) -> tuple[Wrapper, ...]:
    return tuple(one.wrapper for one in group if one.wrapper is not None)


def _or_instead(read: Found) -> Found:
    """What was read; where a page has nothing but fields, the object that has them."""
    if isinstance(read, Exception) or read.article is not None or read.instead is None:
        return read
    return msgspec.structs.replace(read, article=read.instead)


def _is_same(lost: LostVersion, read: Found) -> bool:
    """Whether this is the very line; or, where its digest was never noted, says all that is known of it."""
    if isinstance(read, Exception) or read.article is None or lost.lead is None:
        return False
    if lost.line.digest is None:
        return _has_words(lost, read)
    return is_line_of(_line(_object(lost, read, lost.lead)), lost.line)


def _has_words(lost: LostVersion, read: PageRead) -> bool:
    """Whether title, text, links and images are as they were."""
    return read.fingerprint is not None and lost.fingerprint == replace(read.fingerprint, sketch=())


def _best(lost: LostVersion, reads: Sequence[Found], moment: datetime) -> RemadeLine | Unmade:
    """The line as it was; else what says the same words; else what is found there today."""
    if lost.lead is None:
        return Unmade(lost=lost, reason="nothing leads to its article any more")
    articles = [one for one in reads if not isinstance(one, Exception) and one.article is not None]
    for read in articles:
        if _is_same(lost, read):
            return RemadeLine(lost=lost, data=_line(_object(lost, read, lost.lead)))
    if not articles:
        failed = next((str(one) for one in reads if isinstance(one, Exception)), "no article is found there")
        return Unmade(lost=lost, reason=failed)
    read = next((one for one in articles if _has_words(lost, one)), articles[0])
    made = _object(lost, read, lost.lead, moment)
    return RemadeLine(lost=lost, data=_line(made), values=_values(made, read))


def _line(made: ArchivedObject) -> bytes:
    return msgspec.json.encode(made) + b"\n"


def _object(lost: LostVersion, read: PageRead, lead: Lead, moment: datetime | None = None) -> ArchivedObject:
    assert read.article is not None and read.fingerprint is not None  # noqa: S101, PT018 - come together
    version = Version(
        number=lost.line.version,
        change=lost.change,
        fingerprint=read.fingerprint,
        first_seen=lost.first_seen,
        unchanged_until=lost.unchanged_until,
        capture=lost.capture,
        further=lost.further.as_read(read.used, is_unjoined=read.is_unjoined),
        extractor=read.extractor,
        twins=lost.twins,
        reextracted=moment,
    )
    url = lost.url if lost.method == FEED else part_url(lost.capture.url, part_of_key(lost.article_key))
    return make_object(lost.article_key, url, read.article, lead, version)


def _values(made: ArchivedObject, read: PageRead) -> dict[str, object]:
    """What the version is known by, where the line says something else than the one that was lost."""
    assert read.article is not None and read.fingerprint is not None  # noqa: S101, PT018 - come together
    return {
        "digest": read.fingerprint.whole,
        "title_digest": read.fingerprint.title,
        "text_digest": read.fingerprint.text,
        "links_digest": read.fingerprint.links,
        "images_digest": read.fingerprint.images,
        "title": made.title,
        "published": made.published,
        "modified": made.updated,
        "method": read.article.method,
        "extractor": read.extractor,
        "wrapper": read.article.wrapper,
        "siblings": making_of(read.article, read.extractor).siblings or None,
    }
