"""An article that looks changed, but was made otherwise than its last version: did it change, or did we?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.extract.catalogue import FEED
from archiver.findings import announcement_of, page_to_read, record_to_read, sibling_to_read
from archiver.store.articles import find_articles
from archiver.store.settlement import Before
from archiver.urls import same_page_key
from archiver.versions.compare import are_alike, compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.extract.model import Wrapper
    from archiver.reading import GroupReader
    from archiver.store.articles import KnownArticle
    from archiver.store.database import Database
    from archiver.store.groups import PageGroup
    from archiver.store.settlement import Finding
    from archiver.workers.messages import PageToRead


class Doubts:
    """Has the capture of the last version read as today's was, so that like is compared with like."""

    def __init__(self, database: Database, reader: GroupReader) -> None:
        self._database = database
        self._reader = reader

    async def dispelled(
        self, findings: list[Finding], group: PageGroup, learned: tuple[Wrapper, ...]
    ) -> list[Finding]:
        """The findings, those in doubt with their last version as it is read today."""
        doubtful = await self._doubtful(findings, group)
        if not doubtful:
            return findings
        seen = {finding.page_id for finding, _ in doubtful}
        # Not the captures themselves: two of one article would take each other for the template.
        others = [page_to_read(page) for page in group.pages if page.id not in seen and page.waiting]
        others += [sibling_to_read(one) for one in group.siblings]
        pages = [_to_read(*one) for one in doubtful]
        read = await self._reader.read(pages, (*group.memory, *learned), others)
        before = {}
        for (finding, known), result in zip(doubtful, read.results, strict=True):
            if not isinstance(result, Exception) and result.fingerprint is not None:
                before[finding.page_id] = Before(version=known.version, fingerprint=result.fingerprint)
        return [replace(finding, before=before.get(finding.page_id)) for finding in findings]

    async def _doubtful(
        self, findings: Sequence[Finding], group: PageGroup
    ) -> list[tuple[Finding, KnownArticle]]:
        seen_before = {page.id for page in group.pages if page.article_id is not None}
        asked = {
            same_page_key(one.url): one for one in findings if one.article and one.page_id in seen_before
        }
        if not asked:
            return []
        known = await self._database.run_async(find_articles, list(asked))
        pairs = [(finding, known[key]) for key, finding in asked.items() if key in known]
        return [pair for pair in pairs if self._is_in_doubt(*pair)]

    def _is_in_doubt(self, finding: Finding, known: KnownArticle) -> bool:
        if finding.capture is None or finding.fingerprint is None:
            return False
        if finding.capture.digest == known.capture.digest:
            return False
        if compare(known.fingerprint, finding.fingerprint) is None:
            return False
        # What was made of the feed's own content was on no page.
        is_of_feed = known.making.extractor.startswith(f"{FEED}/")
        alike = are_alike(known.making, finding.making, sees_siblings=self._reader.sees_siblings)
        return not is_of_feed and not alike


def _to_read(finding: Finding, known: KnownArticle) -> PageToRead:
    return record_to_read(known.capture, announcement_of(finding.waiting[0], ()))
