"""Trying marks in a worker process: pages of strangers are parsed, and it may take long."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.display.spans import parse_span
from archiver.inspection.drawing import ArchiveTask, Drawn, told
from archiver.inspection.marking.model import DraftPage  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from archiver.inspection.marking.drafting import InductionMemory
    from archiver.inspection.marking.siblings import PageMemory


class TryMarks(ArchiveTask, frozen=True, kw_only=True):
    """Find the rules that marks lead to, and what these find."""

    draft: DraftPage

    def patience(self) -> float:
        return 2.0

    @told
    def perform(self) -> Drawn:
        from archiver.fields.files import read_wrapper  # noqa: PLC0415 - in the worker alone
        from archiver.inspection.marking.siblings import SiblingSearch  # noqa: PLC0415 - likewise
        from archiver.inspection.marking.trying import MarkTrial  # noqa: PLC0415 - likewise

        asked = self.draft
        known = read_wrapper(asked.file.encode(), f"{asked.name}.yaml").value if asked.file else None
        pages, induced = _memories()
        with self.opened() as (state, index, withheld):
            withheld.refuse(asked.url)
            search = SiblingSearch(index=index, warc=Path(self.folder) / "warc", state=state, memory=pages)
            page = search.page(asked.url, parse_span(asked.at).first)
            return Drawn(marks=MarkTrial(search, page, known, induced).tried(asked))


@lru_cache(maxsize=1)
def _memories() -> tuple[PageMemory, InductionMemory]:
    """Of this process."""
    from archiver.inspection.marking.drafting import InductionMemory  # noqa: PLC0415 - as above
    from archiver.inspection.marking.siblings import PageMemory  # noqa: PLC0415 - likewise

    return PageMemory(), InductionMemory()
