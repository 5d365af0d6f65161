"""Sibling pages read by the workers: together, and each by itself where that fails."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from archiver.articles.methods.registry import extractor_of, facts_of
from archiver.errors import ArchiverError, ExtractionError, ReadingFault, RecordError
from archiver.running.workers.page_tasks import JudgePages, ReadPages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from archiver.articles.model import Wrapper
    from archiver.articles.versions.model import Judgement
    from archiver.running.workers import TaskRunner
    from archiver.running.workers.page_tasks import PageRead, PagesRead, PageToRead, Pair

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """What is looked for on pages."""

    folder: Path
    method: str
    requisites: str = "none"
    most_requisites: int = 0
    outlinks: bool = False
    comments: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRead:
    """What was found on each page, or why it could not be read; and what the pages taught."""

    results: tuple[PageRead | ArchiverError, ...]
    learned: tuple[Wrapper, ...] = ()
    outdated: tuple[str, ...] = ()


class GroupReader:
    """Has pages read. One page that cannot be is no other page's loss."""

    def __init__(
        self,
        workers: TaskRunner,
        rules: ReadingRules,
        on_killed: Callable[[str, str, str], Awaitable[None]] | None = None,
    ) -> None:
        self._workers = workers
        self._rules = rules
        # Told of a page that could only be read without its field wrapper, and why.
        self._on_killed = on_killed
        self.extractor = extractor_of(rules.method)
        self.sees_siblings = facts_of(rules.method).sees_siblings

    async def read(
        self,
        pages: Sequence[PageToRead],
        memory: tuple[Wrapper, ...] = (),
        siblings: Sequence[PageToRead] = (),
    ) -> GroupRead:
        try:
            read = await self._ask(pages, memory, siblings)
        except (ExtractionError, ReadingFault, RecordError) as error:
            failed: ArchiverError = error
        except (ArchiverError, OSError):
            raise
        except Exception as error:
            # A mistake of ours that one page brings to light must not stop the others.
            logger.exception("Reading failed")
            failed = ReadingFault(f"internal error: {error!r}")
        else:
            return GroupRead(results=read.pages, learned=read.learned, outdated=read.outdated)
        if len(pages) == 1 and not siblings:
            return await self._without_fields(pages[0], memory, failed)
        logger.info("%d pages could not be read together (%s): one by one", len(pages), failed)
        return await self._one_by_one(pages, memory)

    async def _without_fields(
        self, page: PageToRead, memory: tuple[Wrapper, ...], failed: ArchiverError
    ) -> GroupRead:
        """Read a page once more without its field wrapper: where that helps, the wrapper is to blame."""
        if not page.fields_by or isinstance(failed, RecordError):
            return GroupRead(results=(failed,))
        read = await self.read([msgspec.structs.replace(page, fields_by="")], memory)
        if self._on_killed and not isinstance(read.results[0], ArchiverError):
            await self._on_killed(page.fields_by, page.url, str(failed))
        return read

    async def judge(
        self, pairs: Sequence[Pair], memory: tuple[Wrapper, ...], siblings: Sequence[PageToRead]
    ) -> tuple[Judgement | None, ...]:
        """What changed between two captures of each article. One pair that fails is no other's loss."""
        try:
            return await self._judge(pairs, memory, siblings)
        except (ExtractionError, ReadingFault, RecordError):
            if any(pair.before.fields_by for pair in pairs):
                return await self.judge([_without_wrapper(pair) for pair in pairs], memory, siblings)
            if len(pairs) == 1:
                raise
        alone = await asyncio.gather(
            *(self._judge([pair], memory, siblings) for pair in pairs), return_exceptions=True
        )
        return tuple(_judgement(one) for one in alone)

    async def _judge(
        self, pairs: Sequence[Pair], memory: tuple[Wrapper, ...], siblings: Sequence[PageToRead]
    ) -> tuple[Judgement | None, ...]:
        task = JudgePages(
            folder=str(self._rules.folder),
            method=self._rules.method,
            pairs=tuple(pairs),
            memory=memory,
            siblings=tuple(siblings),
        )
        return (await self._workers.run(task)).judgements

    async def _one_by_one(self, pages: Sequence[PageToRead], memory: tuple[Wrapper, ...]) -> GroupRead:
        alone = await asyncio.gather(*(self.read([page], memory) for page in pages))
        return GroupRead(
            results=tuple(result for one in alone for result in one.results),
            learned=tuple(wrapper for one in alone for wrapper in one.learned),
            outdated=tuple(name for one in alone for name in one.outdated),
        )

    async def _ask(
        self, pages: Sequence[PageToRead], memory: tuple[Wrapper, ...], siblings: Sequence[PageToRead]
    ) -> PagesRead:
        rules = self._rules
        task = ReadPages(
            folder=str(rules.folder),
            method=rules.method,
            pages=tuple(pages),
            memory=memory,
            siblings=tuple(siblings),
            requisites=rules.requisites,
            most_requisites=rules.most_requisites,
            outlinks=rules.outlinks,
            comments=rules.comments,
        )
        return await self._workers.run(task)


def _without_wrapper(pair: Pair) -> Pair:
    return msgspec.structs.replace(pair, before=msgspec.structs.replace(pair.before, fields_by=""))


def _judgement(found: tuple[Judgement | None, ...] | BaseException) -> Judgement | None:
    """What a pair came to by itself; a fault says nothing of the pair."""
    if isinstance(found, ExtractionError | RecordError):
        return None
    if isinstance(found, BaseException):
        raise found
    return found[0]
