"""Statistics for other programs: JSON with everything, and CSV, a file for each table or one for all."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import printable
from archiver.files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from archiver.inspection.statistics.tables import Cell, Table

# What spreadsheets take for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@")


def write_json(found: object, path: Path) -> None:
    write_text(path, msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n")


def write_csv(found: Iterable[Table], path: Path) -> list[Path]:
    """One long file where the name ends in `.csv`, otherwise a folder with a file for each table."""
    if path.suffix.lower() == ".csv":
        write_text(path, _long_csv(found))
        return [path]
    path.mkdir(parents=True, exist_ok=True)
    written = []
    for table in found:
        written.append(path / f"{table.name}.csv")
        write_text(written[-1], _csv([[column.name for column in table.columns], *table.rows]))
    return written


def _long_csv(found: Iterable[Table]) -> str:
    """Every cell a line: table, number of the row, column, value."""
    lines: list[Sequence[Cell]] = [("table", "row", "column", "value")]
    for table in found:
        for number, row in enumerate(table.rows, 1):
            cells = zip(table.columns, row, strict=True)
            lines += [(table.name, number, column.name, cell) for column, cell in cells]
    return _csv(lines)


def _csv(rows: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO()
    # RFC 4180 ends its lines like this.
    csv.writer(text, lineterminator="\r\n").writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def _safe(cell: Cell) -> Cell:
    """Titles come from anywhere: none may be run as a formula."""
    if not isinstance(cell, str):
        return cell
    text = printable(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text
