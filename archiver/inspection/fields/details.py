"""All that is known of a field wrapper: its fields day by day, the pages that it read, its texts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import inspect

from archiver.archive.objects.kinds import read_part
from archiver.documents.nearest import did_you_mean
from archiver.errors import ArchiveError, RecordError
from archiver.fields.drift import ALARM_WORDS
from archiver.fields.model import ObjectField  # noqa: TC001 - read at run time
from archiver.fields.plain import rule_text
from archiver.inspection.fields.listing import FoundWrapper, day_from, found_wrappers, rows_of, status_of
from archiver.inspection.fields.model import DayRate, FieldStatus, ReadPage, UsedText, WrapperDetails
from archiver.store.field_values.field_pages import newest_pages
from archiver.store.schema import field_days, field_pages, field_watches, field_wrappers
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.archive.withheld import Withheld
    from archiver.fields.model import Field
    from archiver.store.field_values.field_pages import WrappedPage

_MOST_DAYS = 60
_MOST_PAGES = 10
# Among which the failing ones are looked for.
_LOOKED_THROUGH = 200
_NONE = "there is none yet; `scrapy mark URL` or `scrapy induce` makes one"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapperPlaces:
    """Where what is told of wrappers is found."""

    state: Connection
    objects: Path
    wrappers: Path | None
    withheld: Withheld


class _FieldsPart(msgspec.Struct, frozen=True, kw_only=True):
    fields: dict[str, ObjectField | None] = {}  # msgspec copies it


def named_wrapper(folder: Path | None, name: str) -> FoundWrapper:
    """The wrapper of this name. Raises ArchiveError where there is none."""
    found = {one.name: one for one in found_wrappers(folder)}
    if name in found:
        return found[name]
    advice = did_you_mean(name, found) or ("`scrapy fields` lists them" if found else _NONE)
    raise ArchiveError(f"No field wrapper is called {name}: {advice}")


def read_details(places: WrapperPlaces, name: str, now: datetime) -> WrapperDetails:
    found = named_wrapper(places.wrappers, name)
    days, watches = _days(rows_of(places.state, field_days, name)), rows_of(places.state, field_watches, name)
    status = status_of(places.state, found, places.wrappers, now)
    alarms = {row.field: row for row in watches if row.field in status.failing}
    pages = _pages(places, name)
    return WrapperDetails(
        wrapper=status,
        fields=tuple(
            _field(one, days.get(one.field, []), alarms.get(one.field))
            for one in (found.wrapper.fields if found.wrapper else ())
        ),
        failing=tuple(page for page in pages if page.missing)[:_MOST_PAGES],
        newest=tuple(pages[:_MOST_PAGES]),
        history=tuple(_used(rows_of(places.state, field_wrappers, name))),
        now=now,
    )


def _field(field: Field, days: Sequence[DayRate], alarm: Row[Any] | None) -> FieldStatus:
    kind = None if alarm is None or alarm.watch.alarm is None else alarm.watch.alarm.kind
    return FieldStatus(
        field=field.field,
        type=f"{field.type}, many" if field.many else field.type,
        required=field.required,
        rules=tuple(map(rule_text, field.rules)),
        pages=sum(one.pages for one in days),
        filled=sum(one.filled for one in days),
        failing_since=alarm.failing if alarm is not None else None,
        why=ALARM_WORDS[kind] if kind else None,
        days=tuple(days[-_MOST_DAYS:]),
    )


def _days(rows: Sequence[Row[Any]]) -> dict[str, list[DayRate]]:
    """Each field day by day, whatever the text of the wrapper was."""
    sums: defaultdict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        total = sums[row.field, row.day]
        for place, count in enumerate((row.pages, row.filled, row.mistyped)):
            total[place] += count
    found: defaultdict[str, list[DayRate]] = defaultdict(list)
    for (field, day), (pages, filled, mistyped) in sorted(sums.items()):
        found[field].append(DayRate(day=day_from(day), pages=pages, filled=filled, mistyped=mistyped))
    return found


def _used(rows: Sequence[Row[Any]]) -> Iterator[UsedText]:
    for row in sorted(rows, key=lambda row: row.first_used, reverse=True):
        yield UsedText(
            digest=row.digest,
            first_used=row.first_used,
            last_used=row.last_used,
            pages=row.pages,
            suspended=row.suspended,
        )


def _pages(places: WrapperPlaces, name: str) -> list[ReadPage]:
    """The newest pages; of those that are shown, with what their objects have."""
    if not inspect(places.state).has_table(field_pages.name):
        return []
    found = newest_pages(places.state, name, _LOOKED_THROUGH)
    shown = [page for page in found if not places.withheld.hides(page.url)]
    failing = [page for page in shown if page.missing][:_MOST_PAGES]
    told = {page.page_id for page in (*shown[:_MOST_PAGES], *failing)}
    return [_read_page(places, page) for page in shown if page.page_id in told]


def _read_page(places: WrapperPlaces, page: WrappedPage) -> ReadPage:
    return ReadPage(
        url=redact(page.url),
        captured=page.capture.date,
        missing=page.missing,
        values=_values(places.objects, page),
    )


def _values(objects: Path, page: WrappedPage) -> dict[str, str]:
    """Of the newest version of its article."""
    for version in page.versions[:1]:
        try:
            part = read_part(objects, version.object_file, version.object_offset, _FieldsPart)
        except RecordError:
            return {}
        return {name: value_in_words(one) for name, one in part.fields.items() if one is not None}
    return {}


def value_in_words(field: ObjectField) -> str:
    """A value with its currency; of many, one after another."""
    value = field.value if isinstance(field.value, str) else "; ".join(field.value)
    return f"{value} {field.currency}" if isinstance(field.currency, str) and field.currency else value
