"""Pages rendered from the archive alone: a page gets what was captured nearest to it, or nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import html as lxml_html

from archiver.archive.cdxj.index import Index
from archiver.archive.retrieval import find_capture, find_original, redirect_of
from archiver.archive.warc.reader import read_head, read_response
from archiver.documents.pages.dom import parse_html
from archiver.errors import RecordError
from archiver.rendering.boxes import NUMBER
from archiver.rendering.model import RenderJob, RenderRules, ResourcePlace
from archiver.rendering.process import RenderProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.warc.records import Capture
    from archiver.rendering.model import RenderedBox, RenderedPage, ResourceWanted

# As many as browsers follow.
_MOST_REDIRECTS = 20
_NO_RULES = RenderRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedBoxes:
    """Where the elements of an archived page stand, as the browser shows them without its scripts."""

    width: float
    height: float
    # In the order of the document; `node` is the place of an element among those of `parse_html(…).iter()`.
    boxes: tuple[RenderedBox, ...]
    browser: str
    # What the page asked for and the archive does not have: without its styles, a page looks otherwise.
    missing: tuple[str, ...] = ()


def rendered_boxes(
    warc_folder: Path,
    index_folder: Path,
    captures: Sequence[Capture],
    rules: RenderRules = _NO_RULES,
) -> list[RenderedBoxes | None]:
    """Return the boxes of archived pages, rendered from WARC alone with scripts off; None where that fails.

    Raises ConfigurationError where no browser can be had. Starting the browser takes a second or two: give it
    several captures at once.
    """
    return asyncio.run(_boxes(warc_folder, index_folder, captures, rules))


async def _boxes(
    warc_folder: Path, index_folder: Path, captures: Sequence[Capture], rules: RenderRules
) -> list[RenderedBoxes | None]:
    process = RenderProcess(rules, warc_folder)
    try:
        return [await _boxes_of(process, warc_folder, index_folder, one) for one in captures]
    finally:
        await process.close()


async def _boxes_of(
    process: RenderProcess, warc_folder: Path, index_folder: Path, capture: Capture
) -> RenderedBoxes | None:
    missing: list[str] = []
    answers = ArchiveAnswers(Index(index_folder), warc_folder, capture.date, missing.append)
    try:
        content = numbered(warc_folder, capture)
    except RecordError:
        return None
    job = RenderJob(
        url=capture.url,
        place=ResourcePlace(file=capture.file, offset=capture.offset),
        at=capture.date.timestamp(),
        has_scripts=False,
        has_boxes=True,
        content=content,
    )
    shown = await process.render(job, answers)
    if shown.problem is not None or not shown.boxes:
        return None
    return RenderedBoxes(
        width=shown.width,
        height=shown.height,
        boxes=shown.boxes,
        browser=process.browser,
        missing=tuple(missing),
    )


def numbered(warc_folder: Path, capture: Capture) -> bytes:
    """Return an archived page with a number at each element, by which its box is told."""
    stored = read_response(warc_folder, capture.file, capture.offset)
    tree = parse_html(stored.content, stored.content_type, capture.url)
    elements = (one for one in tree.iter() if isinstance(one.tag, str))
    for number, element in enumerate(elements):
        element.set(NUMBER, str(number))
    # With its document type, by which the browser decides how strictly it is shown.
    text: str = lxml_html.tostring(tree.getroottree(), encoding="unicode")
    return text.encode("utf-8", "replace")


async def render_archived(
    process: RenderProcess, index: Index, warc_folder: Path, capture: Capture
) -> RenderedPage:
    """Render a page with its scripts from WARC alone: what the archive does not have is not answered."""
    job = RenderJob(
        url=capture.url,
        place=ResourcePlace(file=capture.file, offset=capture.offset),
        at=capture.date.timestamp(),
    )
    return await process.render(job, ArchiveAnswers(index, warc_folder, capture.date))


class ArchiveAnswers:
    """Answers what a page asks for with the captures nearest to a moment."""

    def __init__(
        self,
        index: Index,
        warc_folder: Path,
        at: datetime,
        on_missing: Callable[[str], None] | None = None,
    ) -> None:
        self._index = index
        self._folder = warc_folder
        self._at = at
        self._on_missing = on_missing

    async def __call__(self, wanted: ResourceWanted) -> ResourcePlace | None:
        place = await asyncio.to_thread(self._find, wanted.url)
        if place is None and self._on_missing is not None:
            self._on_missing(wanted.url)
        return place

    def _find(self, url: str) -> ResourcePlace | None:
        try:
            return place_of(self._index, self._folder, url, self._at)
        except RecordError:
            return None


def place_of(index: Index, warc_folder: Path, url: str, at: datetime) -> ResourcePlace | None:
    """Return where the response to an address is, behind all redirects, as it was at a moment."""
    for _ in range(_MOST_REDIRECTS):
        line = find_capture(index, url, at)
        if line is None:
            return None
        onward = redirect_of(warc_folder, line)
        if not onward:
            return _payload(index, warc_folder, line)
        url = onward[0]
    return None


def _payload(index: Index, warc_folder: Path, line: CdxLine) -> ResourcePlace | None:
    found: CdxLine | None = line
    if line.is_revisit:
        found = find_original(index, warc_folder, read_head(warc_folder, line.filename, line.offset))
    return None if found is None else ResourcePlace(file=found.filename, offset=found.offset)
