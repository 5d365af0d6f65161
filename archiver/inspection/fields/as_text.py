"""Field wrappers at a terminal: a table of all, all that is known of one, and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.tables import Coloured, TableColumn, folded, many, table_lines
from archiver.display.when import when

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.display.tables import Paint
    from archiver.inspection.fields.model import (
        FieldStatus,
        WeekRate,
        WrapperDetails,
        WrapperStatus,
        WrapperStatusList,
    )
    from archiver.inspection.fields.testing import TestedField, WrapperTest

_COLUMNS = (
    TableColumn(title="wrapper", narrowest=8),
    TableColumn(title="state"),
    TableColumn(title="fields", is_number=True),
    TableColumn(title="pages", is_number=True),
    TableColumn(title="values by week", narrowest=14),
    TableColumn(title="last used", is_optional=True),
    TableColumn(title="scope", narrowest=12, is_optional=True),
)
_COLOURS = {"working": "green", "failing": "red", "suspended": "red", "flawed": "red", "unused": "yellow"}
_SHOWN_WEEKS = 6
_FIELDS = (
    TableColumn(title="field"),
    TableColumn(title="type"),
    TableColumn(title="pages", is_number=True),
    TableColumn(title="with value", is_number=True),
    TableColumn(title="last day", is_number=True),
    TableColumn(title="state"),
)
_TESTED = (
    TableColumn(title="field"),
    TableColumn(title="filled", is_number=True),
    TableColumn(title="mistyped", is_number=True),
    TableColumn(title="several", is_number=True),
    TableColumn(title="distinct", is_number=True),
    TableColumn(title="by rule", is_optional=True),
    TableColumn(title="such as", narrowest=10),
)


def status_table(found: WrapperStatusList, *, width: int | None, paint: Paint) -> Iterator[str]:
    rows = [_cells(one, found) for one in found.wrappers]
    yield from table_lines(_COLUMNS, rows, width=width, paint=paint)
    for one in found.wrappers:
        yield from (folded(line, width) for line in _remarks(one))


def _cells(one: WrapperStatus, found: WrapperStatusList) -> Sequence[str | Coloured]:
    return (
        one.name,
        Coloured(one.state, _COLOURS[one.state]),
        str(len(one.fields)),
        str(one.pages),
        weeks_in_words(one.weeks),
        when(one.last_used, found.now) if one.last_used else "–",
        one.scope,
    )


def weeks_in_words(weeks: Sequence[WeekRate]) -> str:
    """Such as `98 97 12 %`, the last week last."""
    shown = " ".join(_percent(one.rate) for one in weeks[-_SHOWN_WEEKS:])
    return f"{shown} %" if shown else "–"


def _percent(rate: float) -> str:
    # Not all, and not none, is said as such.
    return str(min(99, max(1, round(100 * rate)))) if 0 < rate < 1 else str(round(100 * rate))


def _remarks(one: WrapperStatus) -> Iterator[str]:
    if one.problem:
        yield f"{one.name}: {one.problem}"
    if one.failing:
        yield f"{one.name}: {', '.join(one.failing)} {'fails' if len(one.failing) == 1 else 'fail'}"
    if one.is_proposed:
        yield f"{one.name}: new rules are proposed: `scrapy fields {one.name} --accept`"


def details_lines(found: WrapperDetails, *, width: int | None, paint: Paint) -> Iterator[str]:
    one = found.wrapper
    used = f", {many(one.pages, 'page')}, the last {when(one.last_used, found.now)}" if one.last_used else ""
    yield f"Wrapper   {one.name}"
    yield f"Scope     {one.scope}"
    yield f"State     {one.state}{used}"
    if one.weeks:
        yield f"Values    {weeks_in_words(one.weeks)}, by week"
    yield from (folded(line, width) for line in _remarks(one))
    yield ""
    yield from table_lines(_FIELDS, [_field_cells(one) for one in found.fields], width=width, paint=paint)
    for field in found.fields:
        yield ""
        yield f"{field.field}:"
        yield from (f"  {number}. {rule}" for number, rule in enumerate(field.rules, 1))
    yield from _pages(found, width)
    yield from _history(found)


def _field_cells(one: FieldStatus) -> Sequence[str | Coloured]:
    failing = f"fails since {one.failing_since:%Y-%m-%d}: {one.why}" if one.failing_since else ""
    return (
        f"{one.field}{' (required)' if one.required else ''}",
        one.type,
        str(one.pages),
        f"{_percent(one.filled / one.pages)} %" if one.pages else "–",
        f"{_percent(one.days[-1].rate)} %" if one.days else "–",
        Coloured(failing or "works", "red" if failing else "green") if one.pages else "not used yet",
    )


def _pages(found: WrapperDetails, width: int | None) -> Iterator[str]:
    if found.failing:
        yield ""
        yield "Pages on which something is missing"
        for page in found.failing:
            yield folded(f"  {page.url}: {', '.join(page.missing)}", width)
    if found.newest:
        yield ""
        yield "Newest pages"
        for page in found.newest:
            values = ", ".join(f"{name} {value}" for name, value in page.values.items())
            yield folded(f"  {page.url}: {values or 'no values'}", width)


def _history(found: WrapperDetails) -> Iterator[str]:
    if len(found.history) > 1:
        yield ""
        yield "Texts of its file"
        for one in found.history:
            yield f"  {one.digest}  {one.first_used:%Y-%m-%d} to {one.last_used:%Y-%m-%d}, {one.pages} pages"


def test_lines(found: WrapperTest, *, width: int | None, paint: Paint) -> Iterator[str]:
    unreadable = f"; {found.unreadable} could not be read" if found.unreadable else ""
    troubled = f"; on {found.troubled} a rule looks at too much" if found.troubled else ""
    yield f"{found.name} on {many(found.pages, 'archived page')}{unreadable}{troubled}"
    yield ""
    yield from table_lines(_TESTED, [_tested_cells(one) for one in found.fields], width=width, paint=paint)
    for one in found.fields:
        if one.missing:
            yield ""
            yield f"Without {one.field}:"
            yield from (f"  {url}" for url in one.missing)


def _tested_cells(one: TestedField) -> Sequence[str]:
    share = f"{_percent(one.filled / one.pages)} %" if one.pages else "–"
    rules = ", ".join(f"{number}: {count}" for number, count in enumerate(one.by_rule, 1) if count)
    such = ", ".join(example.value for example in one.examples[:2])
    return (one.field, share, str(one.mistyped), str(one.several), str(one.distinct), rules or "–", such)
