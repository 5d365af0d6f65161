"""The field wrappers of an archive, and how each does."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, select

from archiver.errors import FileFlaws
from archiver.fields.files import ENDING, load_wrapper
from archiver.fields.naming import wrapper_digest
from archiver.fields.proposals import proposed_path
from archiver.inspection.fields.model import WeekRate, WrapperState, WrapperStatus, WrapperStatusList
from archiver.store.schema import field_days, field_watches, field_wrappers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Row, Table

    from archiver.fields.model import FieldScope, FieldWrapper

_EPOCH = date(1970, 1, 1)
_WEEKS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWrapper:
    """A file of the folder: the wrapper in it, or what is wrong with it."""

    name: str
    wrapper: FieldWrapper | None = None
    flaw: str | None = None


def read_statuses(state: Connection, folder: Path | None, now: datetime) -> WrapperStatusList:
    """All wrappers that have a file."""
    found = found_wrappers(folder)
    statuses = tuple(status_of(state, one, folder, now) for one in found)
    return WrapperStatusList(wrappers=statuses, now=now)


def found_wrappers(folder: Path | None) -> list[FoundWrapper]:
    """The wrappers of a folder by name, also those that cannot be used."""
    if folder is None or not folder.is_dir():
        return []
    return [_found(path) for path in sorted(folder.glob(f"*{ENDING}"))]


def _found(path: Path) -> FoundWrapper:
    name = path.name.removesuffix(ENDING)
    try:
        return FoundWrapper(name=name, wrapper=load_wrapper(path))
    except FileFlaws as error:
        return FoundWrapper(name=name, flaw=str(error.flaws[0]))


def status_of(state: Connection, found: FoundWrapper, folder: Path | None, now: datetime) -> WrapperStatus:
    name, wrapper = found.name, found.wrapper
    used = rows_of(state, field_wrappers, name)
    digest = wrapper_digest(wrapper) if wrapper else None
    failing = [
        row.field for row in rows_of(state, field_watches, name) if row.failing and row.digest == digest
    ]
    suspended = next((row for row in used if row.digest == digest and row.suspended), None)
    return WrapperStatus(
        name=name,
        scope=scope_in_words(wrapper.scope) if wrapper else "",
        state=_state(found, used, failing, suspended),
        digest=digest,
        fields=tuple(one.field for one in wrapper.fields) if wrapper else (),
        failing=tuple(failing),
        pages=sum(row.pages for row in used),
        last_used=max((row.last_used for row in used), default=None),
        weeks=_weeks(rows_of(state, field_days, name), now.date()),
        problem=found.flaw or (suspended.why if suspended is not None else None),
        is_proposed=folder is not None and proposed_path(folder, name).is_file(),
    )


def _state(
    found: FoundWrapper, used: Sequence[Row[Any]], failing: Sequence[str], suspended: Row[Any] | None
) -> WrapperState:
    if found.wrapper is None:
        return "flawed"
    if suspended is not None:
        return "suspended"
    if failing:
        return "failing"
    return "working" if used else "unused"


def rows_of(state: Connection, table: Table, name: str) -> list[Row[Any]]:
    """What the store has of a wrapper; one of an older archiver has nothing."""
    if not inspect(state).has_table(table.name):
        return []
    return list(state.execute(select(table).where(table.c.wrapper == name)))


def day_from(number: int) -> date:
    return _EPOCH + timedelta(days=number)


def scope_in_words(scope: FieldScope) -> str:
    named = {"channel": scope.channel, "site": scope.site, "url": scope.url}
    return ", ".join(f"{key} {value}" for key, value in named.items() if value)


def _weeks(rows: Sequence[Row[Any]], today: date) -> tuple[WeekRate, ...]:
    """How many values were found in each of the last weeks that had pages."""
    sums: defaultdict[date, list[int]] = defaultdict(lambda: [0, 0, 0])
    first = _monday(today) - timedelta(weeks=_WEEKS - 1)
    for week, pages, filled in _by_week(rows):
        if week >= first:
            total = sums[week]
            total[0] += pages
            total[1] += filled
            total[2] = max(total[2], pages)
    return tuple(
        WeekRate(week=week, pages=most, rate=filled / pages)
        for week, (pages, filled, most) in sorted(sums.items())
    )


def _by_week(rows: Sequence[Row[Any]]) -> Iterator[tuple[date, int, int]]:
    """The pages and values of each field in each week."""
    sums: defaultdict[tuple[str, date], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        total = sums[row.field, _monday(day_from(row.day))]
        total[0] += row.pages
        total[1] += row.filled
    for (_, week), (pages, filled) in sums.items():
        yield week, pages, filled


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
