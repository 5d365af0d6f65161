"""Findings on their way into the archive: many groups in one transaction, nothing after a failure."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.batches import Batcher
from archiver.clock import machine_now
from archiver.running.reading.findings import extraction_fields
from archiver.store.content.settlement import SettlementRules, settle_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.acquisition.findings import Finding
    from archiver.acquisition.settling import Ending
    from archiver.running.archive import Archive
    from archiver.running.reading.repairing import FieldRepairs
    from archiver.store.content.settlement import Endings
    from archiver.store.content.wrappers import Lessons

# Seconds for which findings gather, so that one transaction and one flush to disk serve many.
_GATHER = 0.1
_MOST_GROUPS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is settled in one transaction, or not at all."""

    findings: tuple[Finding, ...]
    lessons: Lessons | None = None


class Settling:
    """Settles findings, and tells the report and the WARC what they came to."""

    def __init__(self, archive: Archive, on_asked: Callable[[], None], repairs: FieldRepairs) -> None:
        self._archive = archive
        self.on_asked = on_asked
        self._repairs = repairs
        self._groups: Batcher[Settled, Sequence[Ending]] = Batcher(
            self._settle, linger=_GATHER, most=_MOST_GROUPS
        )

    async def settle(self, *findings: Finding, lessons: Lessons | None = None) -> None:
        """Answer when the findings are in the archive."""
        endings = await self._groups.put(Settled(findings=findings, lessons=lessons))
        for finding, ending in zip(findings, endings, strict=True):
            self._archive.report.settled(finding, ending)
        self._repairs.settled(findings)
        if self._archive.config.replayed is None:
            notes = [self._note(*pair) for pair in zip(findings, endings, strict=True)]
            await asyncio.gather(*notes)

    async def _note(self, finding: Finding, ending: Ending) -> None:
        if finding.article is not None and finding.capture is not None:
            await self._archive.writer.write_metadata(
                finding.capture.url, finding.capture.capture_id, extraction_fields(finding, ending.outcome)
            )

    async def _settle(self, groups: Sequence[Settled]) -> Sequence[Sequence[Ending]]:
        ended = await self._write(groups)
        self._archive.report.contributed(ended.contributions)
        if ended.asks_again:
            self.on_asked()
        endings = iter(ended.of_each)
        return [[next(endings) for _ in group.findings] for group in groups]

    async def _write(self, groups: Sequence[Settled]) -> Endings:
        config = self._archive.config
        return await self._archive.database.run_async(
            settle_findings,
            [finding for group in groups for finding in group.findings],
            self._archive.objects,
            SettlementRules(rechecks=config.rechecks, requisites=config.requisites, comments=config.comments),
            recorded=machine_now(),
            now=self._archive.clock.now(),
            lessons=[group.lessons for group in groups if group.lessons is not None],
        )
