"""Records as rows: CSV for spreadsheets, tables for terminals."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING

from archiver.display.tables import TableColumn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.records.model import RecordValue

    Attributes = Mapping[str, Sequence[RecordValue]]

BETWEEN = "; "  # several values of one attribute
# What a spreadsheet would run as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def names_of(records: Sequence[Attributes]) -> list[str]:
    """The attributes, those that most records have first; among equals, as they stand."""
    counts = Counter(name for record in records for name in record)
    order = {name: place for place, name in enumerate(counts)}
    return sorted(counts, key=lambda name: (-counts[name], order[name]))


def cell(values: Sequence[RecordValue]) -> str:
    return BETWEEN.join(f"{value.value} {value.currency}".strip() for value in values)


def csv_lines(rows: Sequence[tuple[Mapping[str, str], Attributes]]) -> Iterator[str]:
    """A head, and a line for each record: what it is known by, and its attributes."""
    names = names_of([attributes for _, attributes in rows])
    known = list(rows[0][0]) if rows else []
    yield _line([*known, *names])
    for about, attributes in rows:
        yield _line([*about.values(), *(cell(attributes.get(name, ())) for name in names)])


def _line(cells: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_plain(one) for one in cells])
    return out.getvalue().rstrip("\n")


def _plain(text: str) -> str:
    is_number = text.removeprefix("-").replace(".", "", 1).isdecimal()
    return f"'{text}" if text.startswith(_FORMULA) and not is_number else text


def record_table(records: Sequence[Attributes]) -> tuple[list[TableColumn], list[tuple[str, ...]]]:
    """Columns and rows for a terminal: what does not fit is left out, from the right."""
    names = names_of(records)
    columns = [
        TableColumn(title=name.upper(), narrowest=8, is_optional=place > 1)
        for place, name in enumerate(names)
    ]
    return columns, [tuple(cell(record.get(name, ())) for name in names) for record in records]
