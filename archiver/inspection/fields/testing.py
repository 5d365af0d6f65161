"""A field wrapper tried on archived pages; nothing in the archive is changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from archiver.archive.warc.reader import read_capture
from archiver.archive.warc.records import Capture  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.dom import parse_html
from archiver.errors import ArchiverError
from archiver.fields.execution import PAGE_NODES, follow_rule, read_fields
from archiver.fields.files import read_wrapper, write_wrapper
from archiver.fields.model import FieldReading  # noqa: TC001 - likewise
from archiver.fields.scopes import is_in_scope
from archiver.running.workers import Task
from archiver.store.schema import channels, entries, pages
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.fields.model import Field, FieldWrapper
    from archiver.running.workers import TaskRunner

_AT_ONCE = 500
_EXAMPLES = 5
# Captures of one task.
_PAGES = 20


class TestedValue(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    value: str


class TestedField(msgspec.Struct, frozen=True, kw_only=True):
    """What a field came to on archived pages."""

    field: str
    pages: int
    filled: int
    # Pages with a text that does not read as the field's type, and no value.
    mistyped: int
    # Pages on which the rule that gave the value leads to other places as well, though one is asked for.
    several: int
    # Values that only so few pages have are most; one that many share may be the template's.
    distinct: int
    most_frequent: str
    most_frequent_pages: int
    by_rule: tuple[int, ...]
    examples: tuple[TestedValue, ...]
    missing: tuple[str, ...]


class WrapperTest(msgspec.Struct, frozen=True, kw_only=True):
    """A wrapper on the newest pages of its scope."""

    name: str
    pages: int
    unreadable: int
    troubled: int
    fields: tuple[TestedField, ...]


class TriedPage(msgspec.Struct, frozen=True, kw_only=True):
    """What a wrapper read off one capture."""

    is_readable: bool = True
    is_troubled: bool = False
    readings: dict[str, FieldReading] = {}
    # Fields whose rule leads to several places, though one is asked for.
    several: frozenset[str] = frozenset()


class TriedPages(msgspec.Struct, frozen=True, kw_only=True):
    pages: tuple[TriedPage, ...]


class TryWrapper(Task[TriedPages], frozen=True, kw_only=True):
    """Read what a wrapper, as text, finds on captures."""

    folder: str
    wrapper: str
    captures: tuple[Capture, ...]

    def perform(self) -> TriedPages:
        wrapper = read_wrapper(self.wrapper.encode(), "").value
        return TriedPages(pages=tuple(tried(wrapper, Path(self.folder), one) for one in self.captures))

    def patience(self) -> float:
        return float(len(self.captures))


class _FieldCounts:
    """What is counted of a field while pages are read."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._values: Counter[str] = Counter()
        self._by_rule = [0] * len(field.rules)
        self._examples: list[TestedValue] = []
        self._missing: list[str] = []
        self._pages = self._filled = self._mistyped = self._several = 0

    def add(self, url: str, reading: FieldReading, *, is_several: bool) -> None:
        self._pages += 1
        if not reading.values:
            self._mistyped += reading.mistyped
            if len(self._missing) < _EXAMPLES:
                self._missing.append(url)
            return
        self._filled += 1
        self._by_rule[reading.rule - 1] += 1
        value = "; ".join(one.value for one in reading.values)
        self._values[value] += 1
        if len(self._examples) < _EXAMPLES:
            self._examples.append(TestedValue(url=url, value=value))
        self._several += is_several

    def result(self) -> TestedField:
        value, times = next(iter(self._values.most_common(1)), ("", 0))
        return TestedField(
            field=self._field.field,
            pages=self._pages,
            filled=self._filled,
            mistyped=self._mistyped,
            several=self._several,
            distinct=len(self._values),
            most_frequent=value,
            most_frequent_pages=times,
            by_rule=tuple(self._by_rule),
            examples=tuple(self._examples),
            missing=tuple(self._missing),
        )


def tested(
    wrapper: FieldWrapper,
    found: Sequence[Capture],
    warcs: Path,
    show: Callable[[int, int], object],
) -> WrapperTest:
    """What a wrapper reads off captures, one after another."""
    pages = []
    for done, capture in enumerate(found):
        show(done, len(found))
        pages.append(tried(wrapper, warcs, capture))
    return _counted(wrapper, found, pages)


async def tested_by(
    runner: TaskRunner,
    wrapper: FieldWrapper,
    found: Sequence[Capture],
    warcs: Path,
    show: Callable[[int, int], object],
) -> WrapperTest:
    """The same, some captures in each task."""
    text, done = write_wrapper(wrapper).decode(), 0

    async def read(some: tuple[Capture, ...]) -> tuple[TriedPage, ...]:
        nonlocal done
        answer = await runner.run(TryWrapper(folder=str(warcs), wrapper=text, captures=some))
        done += len(some)
        show(done, len(found))
        return answer.pages

    parts = [tuple(found[start : start + _PAGES]) for start in range(0, len(found), _PAGES)]
    read_parts = await asyncio.gather(*map(read, parts))
    return _counted(wrapper, found, [page for part in read_parts for page in part])


def tried(wrapper: FieldWrapper, warcs: Path, capture: Capture) -> TriedPage:
    """What a wrapper reads off a capture."""
    document = document_of(warcs, capture)
    if document is None:
        return TriedPage(is_readable=False)
    read = read_fields(document, wrapper)
    several = (
        field.field
        for field in wrapper.fields
        if not field.many and _places(document, field, read.readings.get(field.field)) > 1
    )
    return TriedPage(is_troubled=bool(read.trouble), readings=dict(read.readings), several=frozenset(several))


def _places(document: VirtualDocument, field: Field, reading: FieldReading | None) -> int:
    """To how many places the rule leads that gave a field's value."""
    if reading is None or not reading.values:
        return 0
    return follow_rule(document, field.rules[reading.rule - 1], field, Budget(PAGE_NODES)).places


def _counted(wrapper: FieldWrapper, found: Sequence[Capture], pages: Sequence[TriedPage]) -> WrapperTest:
    counts = {field.field: _FieldCounts(field) for field in wrapper.fields}
    for capture, page in zip(found, pages, strict=True):
        for name, reading in page.readings.items():
            counts[name].add(redact(capture.url), reading, is_several=name in page.several)
    readable = sum(page.is_readable for page in pages)
    return WrapperTest(
        name=wrapper.wrapper,
        pages=readable,
        unreadable=len(found) - readable,
        troubled=sum(page.is_troubled for page in pages),
        fields=tuple(one.result() for one in counts.values()),
    )


def document_of(warcs: Path, capture: Capture) -> VirtualDocument | None:
    """A capture as a tree; None where it cannot be read."""
    try:
        stored = read_capture(warcs, capture)
        tree = parse_html(stored.content, stored.content_type, capture.url)
    except ArchiverError:
        return None
    return VirtualDocument(tree=tree, url=capture.url)


def captures_in_scope(
    state: Connection,
    wrapper: FieldWrapper,
    withheld: Withheld,
    *,
    most: int,
    since: datetime | None = None,
) -> list[Capture]:
    """The last captures of the pages that a wrapper is for, the newest first."""
    query = select(pages.c.id, pages.c.url, pages.c.capture).where(pages.c.capture.is_not(None))
    query = query.where(pages.c.whole.is_(None))
    if since is not None:
        query = query.where(pages.c.captured >= since)
    found: list[Capture] = []
    rows = state.execute(query.order_by(pages.c.id.desc()).execution_options(yield_per=_AT_ONCE))
    for row in rows:
        led = frozenset(_channels(state, row.id)) if wrapper.scope.channel else frozenset()
        if is_in_scope(wrapper.scope, row.capture.url, led) and not withheld.hides(row.capture.url):
            found.append(row.capture)
        if len(found) == most:
            break
    return found


def _channels(state: Connection, page_id: int) -> Iterator[str]:
    query = select(channels.c.url, channels.c.seed_url).join(entries, entries.c.channel_id == channels.c.id)
    for row in state.execute(query.where(entries.c.page_id == page_id)):
        yield row.url
        yield row.seed_url
