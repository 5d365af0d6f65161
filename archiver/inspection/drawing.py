"""Tasks for worker processes: pages of the archive drawn anew, however long that takes."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.articles.explain.explanation import Explanation  # noqa: TC001 - as above
from archiver.errors import ArchiveError, ArchiverError
from archiver.inspection.marking.model import MarksTried  # noqa: TC001 - as above
from archiver.inspection.rebuild.model import Rebuilt  # noqa: TC001 - as above
from archiver.running.workers import Task
from archiver.store.reading import reading
from archiver.store.withheld import load_withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld

T = TypeVar("T", bound="ArchiveTask")


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A page as one file that loads nothing, and what it is made of; or why it cannot be drawn."""

    html: str = ""
    problem: str | None = None
    rebuilt: Rebuilt | None = None
    explanation: Explanation | None = None
    captured: datetime | None = None
    marks: MarksTried | None = None


class _Opened(NamedTuple):
    state: Connection
    captures: Index
    withheld: Withheld


def told(draw: Callable[[T], Drawn]) -> Callable[[T], Drawn]:
    """What an archive does not have is the fault of no document, and said in the answer."""

    @wraps(draw)
    def perform(task: T) -> Drawn:
        try:
            return draw(task)
        except ArchiverError as error:
            return Drawn(problem=str(error))

    return perform


class ArchiveTask(Task[Drawn], frozen=True, kw_only=True):
    """Opens the archive by itself."""

    folder: str
    state_url: str

    @contextmanager
    def opened(self) -> Iterator[_Opened]:
        folder = Path(self.folder)
        with reading(self.state_url) as state:
            withheld = load_withheld(state, folder)
            yield _Opened(state, Index(folder / "index", withheld.hides), withheld)


class RebuildPage(ArchiveTask, frozen=True, kw_only=True):
    """Draw a channel's page as it was at a moment."""

    channel: int
    at: datetime

    @told
    def perform(self) -> Drawn:
        from archiver.inspection.rebuild.build import rebuild  # noqa: PLC0415 - in the worker alone
        from archiver.inspection.rebuild.gather import RebuildFolders  # noqa: PLC0415 - likewise
        from archiver.store.polling.channels import find_channel  # noqa: PLC0415 - likewise

        folder = Path(self.folder)
        with self.opened() as (state, index, withheld):
            row = find_channel(state, str(self.channel))
            if row is None:
                raise ArchiveError(f"There is no channel {self.channel}")
            places = RebuildFolders(
                index=index, warc=folder / "warc", objects=folder / "objects", withheld=withheld
            )
            page = rebuild(state, places, row, self.at)
        return Drawn(html=page.html(), rebuilt=page.rebuilt)


class ExplainPage(ArchiveTask, frozen=True, kw_only=True):
    """Draw the extractor's decision on a page."""

    url: str
    at: datetime | None = None

    def extracts_with(self) -> str:
        from archiver.articles.methods.registry import DEFAULT  # noqa: PLC0415 - as above

        return DEFAULT

    @told
    def perform(self) -> Drawn:
        from archiver.articles.explain.as_html import html_of  # noqa: PLC0415 - in the worker alone
        from archiver.articles.explain.explanation import explain  # noqa: PLC0415 - likewise
        from archiver.inspection.explaining import known_page, read_siblings  # noqa: PLC0415 - likewise
        from archiver.inspection.pages import find_page  # noqa: PLC0415 - likewise
        from archiver.inspection.requisites import stored_files  # noqa: PLC0415 - likewise

        warc = Path(self.folder) / "warc"
        with self.opened() as (state, index, withheld):
            withheld.refuse(self.url)
            known = known_page(state, self.url, withheld)
            page = find_page(index, warc, self.url, self.at, known.page)
        if page is None:
            raise ArchiveError(f"{self.url} is not in the archive")
        siblings = read_siblings(warc, known.siblings, lambda _: None)
        drawing = explain([page.raw, *siblings], known.memory)
        html = html_of(drawing, page.raw, stored_files(index, warc, page.line.date))
        return Drawn(html=html, explanation=drawing.explanation, captured=page.line.date)


class ShowPage(ArchiveTask, frozen=True, kw_only=True):
    """Make a captured page ready to be looked at, without scripts."""

    url: str
    stamp: str
    name: str  # that paths of frames begin with
    # Whether its elements are numbered, and its links lead nowhere.
    is_markable: bool = False

    @told
    def perform(self) -> Drawn:
        from archiver.display.spans import parse_span  # noqa: PLC0415 - in the worker alone
        from archiver.inspection.marking.showing import markable_copy  # noqa: PLC0415 - likewise
        from archiver.inspection.showing.kept import kept_at  # noqa: PLC0415 - likewise
        from archiver.inspection.showing.places import (  # noqa: PLC0415 - likewise
            ArchivePlaces,
            FramePaths,
            shown_copy,
        )

        with self.opened() as (_, index, withheld):
            withheld.refuse(self.url)
            copy = kept_at(index, Path(self.folder) / "warc", self.url, parse_span(self.stamp).first)
            if copy is None:
                raise ArchiveError(f"{self.url} is not in the archive")
            places = ArchivePlaces(index, self.stamp, FramePaths(self.name))
            return Drawn(html=(markable_copy if self.is_markable else shown_copy)(copy, places))
