"""What goes into a WACZ, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine


# So many problems are told.
_MOST_TOLD = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureSelection:
    """Which captures are wanted: of some channels or of all, from the first moment to the last.

    Or just some captures, with what they need to be shown.
    """

    channels: tuple[int, ...] | None = None
    captures: tuple[CdxLine, ...] | None = None
    first: datetime = datetime(1, 1, 1, tzinfo=UTC)
    last: datetime = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

    @property
    def is_everything(self) -> bool:
        return self == CaptureSelection()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaczFolders:
    """Where the parts of an archive are."""

    warc: Path
    index: Path
    objects: Path


@dataclass(slots=True, kw_only=True)
class WaczReport:
    """What the file holds, and what it should hold and doesn't."""

    captures: int = 0
    records: int = 0
    pages: int = 0
    problems: list[str] = field(default_factory=list)

    def problem(self, text: str) -> None:
        if len(self.problems) < _MOST_TOLD:
            self.problems.append(text)
