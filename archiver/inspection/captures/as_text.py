"""Captures at a terminal: a table of them, or all that was kept of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.tables import Coloured, TableColumn, folded, printable, size_in_words, table_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from archiver.inspection.captures.model import (
        CaptureDetails,
        CaptureList,
        CaptureNote,
        HeaderLine,
        MessageHead,
    )

    Paint = Callable[[str, str], str]

_COLUMNS = (
    TableColumn(title="captured"),
    TableColumn(title="status"),
    TableColumn(title="type", narrowest=12),
    TableColumn(title="size", is_number=True, is_optional=True),
    TableColumn(title="refers to", narrowest=10, is_optional=True),
    TableColumn(title="record", narrowest=20, is_optional=True),
)
_INDENT = "  "
_WORDS = {"not_modified": "not modified since", "same_payload": "same payload as"}


def table_of(found: CaptureList, *, width: int | None, paint: Paint) -> Iterator[str]:
    """A line for each capture, the newest first."""
    rows = [_cells(one) for one in found.captures]
    yield from table_lines(_COLUMNS, rows, width=width, paint=paint)
    yield "All times are UTC."


def _cells(one: CaptureNote) -> tuple[str | Coloured, ...]:
    status = one.status or ("304" if one.revisit == "not_modified" else "–")
    method = "" if one.method == "GET" else f"{one.method} "
    return (
        _second(one.time),
        f"{method}{status}",
        one.mime or one.revisit or one.kind,
        size_in_words(one.place.length or 0),
        Coloured(one.problem, "red") if one.problem else _reference(one),
        f"{one.place.file}:{one.place.offset}",
    )


def _reference(one: CaptureNote) -> str | Coloured:
    original = one.original
    if original is None:
        return ""
    if not original.is_there:
        return Coloured("missing", "red")
    return _second(original.time) if original.time else original.record or "withheld"


def details_of(found: CaptureDetails, *, width: int | None, paint: Paint) -> Iterator[str]:
    """A capture with its headers, as they were kept."""
    one = found.capture
    yield paint(printable(one.url), "bold")
    yield f"captured {_second(one.time)}, {one.place.file}:{one.place.offset}, {one.record}"
    if one.problem:
        yield folded(printable(one.problem), width)
    if one.original is not None:
        yield folded(_told_original(one), width)
    yield from _message("Request", found.request, width, paint)
    yield from _message("Response", found.response, width, paint)
    if found.body_size is not None:
        yield f"{_INDENT}and a body of {size_in_words(found.body_size)}"
    yield from _section("WARC headers", found.warc_headers, width, paint)
    yield from _section("Metadata", found.metadata, width, paint)
    yield from _section("WARC file", found.warcinfo, width, paint)
    if found.versions:
        yield ""
        yield paint("Articles", "bold")
    for made in found.versions:
        told = f"version {made.version} of {printable(made.url)}, objects/{made.file}:{made.offset}"
        yield folded(f"{_INDENT}{told}", width, indent=2 * _INDENT)


def _told_original(one: CaptureNote) -> str:
    original, words = one.original, _WORDS.get(one.revisit or "", "refers to")
    if original is None or not original.record:
        return f"{words} a capture that is withheld"
    where = (
        f"{original.place.file}:{original.place.offset}" if original.place else "which is not in the archive"
    )
    time = _second(original.time) if original.time else original.record
    return f"{words} {time}, {where}"


def _message(title: str, head: MessageHead | None, width: int | None, paint: Paint) -> Iterator[str]:
    if head is not None:
        yield ""
        yield paint(title, "bold")
        yield folded(f"{_INDENT}{printable(head.line)}", width, indent=2 * _INDENT)
        yield from _lines(head.headers, width)


def _section(title: str, lines: Sequence[HeaderLine], width: int | None, paint: Paint) -> Iterator[str]:
    if lines:
        yield ""
        yield paint(title, "bold")
        yield from _lines(lines, width)


def _lines(lines: Sequence[HeaderLine], width: int | None) -> Iterator[str]:
    for line in lines:
        text = f"{_INDENT}{printable(line.name)}: {printable(line.value)}"
        yield folded(text.rstrip(), width, indent=2 * _INDENT)


def _second(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"
