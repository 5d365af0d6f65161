"""What a look at a known article came to: did it change, did only its page change, or is it gone?"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.findings import Judged
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.rechecks.absence import AbsenceKind, RecheckAnswer, absence_of
from archiver.articles.methods.registry import FEED, FIELDS
from archiver.articles.model import NoArticle
from archiver.documents.parts import part_of_key
from archiver.errors import ExtractionError, RecordError
from archiver.running.reading.findings import page_to_read, record_to_read, sibling_to_read
from archiver.running.workers.page_tasks import Pair
from archiver.store.content.articles import find_articles, in_force
from archiver.store.looks.watching import restlessness
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.findings import Finding, KnownArticle
    from archiver.acquisition.rechecks.watching import Restless
    from archiver.articles.model import Wrapper
    from archiver.articles.versions.model import Judgement
    from archiver.running.reading.reader import GroupReader
    from archiver.running.reading.shelf import WrapperShelf
    from archiver.running.reading.taking import PageGroup
    from archiver.store.database import Database

logger = logging.getLogger(__name__)

# No author edits an article at every look that is so soon after the last.
_A_MOMENT = timedelta(minutes=10)


class Judging:
    """Has the capture of the last version read as today's was, so that like is compared with like."""

    def __init__(self, database: Database, reader: GroupReader, wrappers: WrapperShelf) -> None:
        self._database = database
        self._reader = reader
        self._wrappers = wrappers

    async def judged(
        self, findings: Sequence[Finding], group: PageGroup, learned: tuple[Wrapper, ...]
    ) -> list[Finding]:
        """The findings, those of known articles with what is to be said of them."""
        keys = [one.key for one in findings if one.article is not None]
        ids = [one.article_id for one in findings if one.article_id is not None]
        known = await self._database.run_async(find_articles, keys, ids)
        last = {}
        for finding in findings:
            mine = known.by_id.get(finding.article_id) if finding.article_id is not None else None
            mine = mine or known.by_key.get(finding.key)
            if mine is not None and finding.is_imported and finding.capture is not None:
                mine = await self._database.run_async(in_force, mine, finding.capture.date)
            if mine is not None:
                last[finding.page_id] = mine
        findings = [_unless_article(one, last.get(one.page_id)) for one in findings]
        judged = await self._compared(findings, last, group, learned)
        return [_with_absence(one, last.get(one.page_id)) for one in judged]

    async def _compared(
        self,
        findings: Sequence[Finding],
        last: dict[int, KnownArticle],
        group: PageGroup,
        learned: tuple[Wrapper, ...],
    ) -> list[Finding]:
        asked = [one for one in findings if one.page_id in last and _is_in_doubt(one, last[one.page_id])]
        if not asked:
            return list(findings)
        seen = {finding.page_id for finding in asked}
        # Not the captures themselves: two of one article would take each other for the template.
        others = [page_to_read(page) for page in group.pages if page.id not in seen and page.leads]
        others += [sibling_to_read(one) for one in group.siblings]
        restless = await self._database.run_async(restlessness, list(seen))
        pairs = [
            _pair(one, last[one.page_id], restless[one.page_id], self._fields_by(one, last[one.page_id]))
            for one in asked
        ]
        try:
            judgements = await self._reader.judge(pairs, (*group.memory, *learned), others)
        except (ExtractionError, RecordError) as error:
            logger.warning("Could not compare %s with its last version: %s", redact(asked[0].url), error)
            judgements = (None,) * len(asked)
        judged = {
            one.page_id: _with_judgement(one, last[one.page_id].version, judgement)
            for one, judgement in zip(asked, judgements, strict=True)
        }
        return [judged.get(one.page_id, one) for one in findings]

    def _fields_by(self, finding: Finding, known: KnownArticle) -> str:
        """By which wrapper the capture of the last version is read: the one that read today's."""
        is_read = finding.article is not None and finding.article.field_wrapper is not None
        return self._wrappers.text_for(known.capture.url, finding.leads) if is_read else ""


def _unless_article(finding: Finding, known: KnownArticle | None) -> Finding:
    """An article is never replaced by fields alone: where it is not found, it is not found."""
    if finding.article is None or finding.article.method != FIELDS:
        return finding
    if known is None or known.making.extractor.startswith(f"{FIELDS}/"):
        return finding
    return replace(
        finding,
        article=None,
        fingerprint=None,
        outcome=EntryOutcome.NOT_ARTICLE,
        detail="the page shows fields and no longer its article",
    )


def _with_judgement(finding: Finding, version: int, judgement: Judgement | None) -> Finding:
    if judgement is not None:
        return replace(finding, judged=Judged(version=version, judgement=judgement))
    # Where an entry waits, its digests decide; where none waits, a later look will tell.
    if not finding.is_recheck:
        return finding
    return replace(
        finding,
        article=None,
        fingerprint=None,
        outcome=EntryOutcome.NOT_ARTICLE,
        detail="could not be compared with its last version",
    )


def _is_in_doubt(finding: Finding, known: KnownArticle) -> bool:
    if finding.article is None or finding.capture is None or finding.fingerprint is None:
        return False
    if known.is_captured_as(finding.capture, finding.further):
        return False
    # What was made of the feed's own content was on no page.
    # All others are compared, also where digests are equal: an edit may be in what extraction has missed.
    return not known.making.extractor.startswith(f"{FEED}/")


def _pair(finding: Finding, known: KnownArticle, restless: Restless, fields_by: str) -> Pair:
    assert finding.article is not None and finding.capture is not None  # noqa: S101, PT018 - asked for articles only
    said = finding.leads[0].announcement()
    before = record_to_read(known.capture, said, part_of_key(known.key), known.further)
    return Pair(
        before=msgspec.structs.replace(before, fields_by=fields_by),
        now=record_to_read(finding.capture, said, finding.part, finding.further),
        article=finding.article,
        volatile=restless.volatile,
        is_moment_later=restless.is_looked_at_once_more
        and abs(finding.capture.date - known.capture.date) < _A_MOMENT,
    )


def _with_absence(finding: Finding, known: KnownArticle | None) -> Finding:
    """The finding, without an article where something else stands in its place."""
    if known is None or finding.is_same:
        return finding
    how = absence_of(_answer(finding, known))
    # An entry that leads elsewhere now announces what is there.
    if how is None or (how is AbsenceKind.ELSEWHERE and not finding.is_recheck):
        return finding
    return replace(finding, absence=how, outcome=EntryOutcome.GONE, article=None, fingerprint=None)


def _answer(finding: Finding, known: KnownArticle) -> RecheckAnswer:
    similarity = None
    if finding.judged is not None:
        change = finding.judged.judgement.change
        similarity = change.similarity if change else 1.0
    nothing = NoArticle(outcome=finding.outcome, reason=finding.detail or "")
    return RecheckAnswer(
        original_url=known.url,
        final_url=finding.url,
        found=finding.article or nothing,
        similarity=similarity,
        home_url=finding.announcer.channel_link if finding.announcer else None,
    )
