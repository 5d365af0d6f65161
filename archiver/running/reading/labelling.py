"""Which pages are read for their labels as well: the first of each scope, and then one of many."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from archiver.articles.labels.reliability import is_sampled
from archiver.articles.methods.registry import DEFAULT
from archiver.store.reliability.labels import labelled_counts

if TYPE_CHECKING:
    from archiver.running.archive import Archive
    from archiver.store.content.pages import CapturedPage


class Labelling:
    """Counts pages that were asked for labels, by scope; it begins with what earlier runs learned."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        # The consensus is a source: other methods have none.
        self._is_on = archive.config.method == DEFAULT
        self._asked: Counter[int] | None = None

    async def load(self) -> None:
        """Read what is known, once."""
        if self._is_on and self._asked is None:
            counts = await self._archive.database.run_async(labelled_counts)
            self._asked = Counter({scope: int(pages) for scope, pages in counts.items()})

    def is_wanted(self, page: CapturedPage) -> bool:
        if self._asked is None or not page.leads:
            return False
        scope = page.leads[0].scope
        if not is_sampled(self._asked[scope], page.capture.capture_id):
            return False
        self._asked[scope] += 1
        return True
