"""What a channel published before its first poll, as far as it was asked for: how far that has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.display.tables import many
from archiver.documents.lists.model import GapState, Plan

if TYPE_CHECKING:
    from datetime import datetime

# A site that lists more than this without end makes it up.
MOST_ENTRIES, MOST_DOCUMENTS = 100_000, 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelHistory:
    """One time that a channel's history was asked for: each field is a column of that name."""

    state: GapState
    seen: datetime  # when it was asked for
    floor: datetime | None = None  # what is older is not wanted
    how: str = ""
    filled: int = 0
    documents: int = 0
    plan: Plan = Plan()  # noqa: RUF009 - it is frozen
    ended: datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.state == GapState.OPEN

    @property
    def has_enough(self) -> bool:
        return self.filled >= (self.plan.most or MOST_ENTRIES) or self.documents >= MOST_DOCUMENTS

    def in_words(self) -> str:
        """`complete back to 2020-01-01: 190 entries found in 20 documents (paged)`."""
        found = f"{entries_in_words(self.filled)} found in {many(self.documents, 'document')}"
        ways = f" ({self.how})" if self.how else ""
        return f"{self._end()}{self._back()}: {found}{ways}"

    def _back(self) -> str:
        return f" back to {self.floor:%Y-%m-%d}" if self.floor else ""

    def _end(self) -> str:
        if self.is_open:
            return "under way"
        if self.state == GapState.FILLED:
            return "complete"
        if self.plan.most is not None and self.has_enough:
            return f"ended at --limit {self.plan.most}"
        if self.has_enough:
            return "given up, for the site lists more than is likely"
        if self.plan.waiting:
            return "stopped by hand"
        return "perhaps not complete, for no list of the site reached its end"


def entries_in_words(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"
