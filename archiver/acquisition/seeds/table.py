"""Seeds as CSV: columns url, label and every, in any order, under a header."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from archiver.acquisition.seeds.labels import split_labels
from archiver.acquisition.seeds.model import Flaw, Row
from archiver.errors import SeedError

if TYPE_CHECKING:
    from collections.abc import Iterator

_COLUMNS = {"url": "url", "label": "label", "labels": "label", "every": "every"}


def is_header(line: str) -> bool:
    return "url" in _names(line.split(_delimiter(line)))


def read_csv(text: str, source: str) -> Iterator[Row | Flaw]:
    lines = _cells(text)
    number, header = next(((n, cells) for n, cells in lines if not isinstance(cells, Flaw)), (1, []))
    names = _names(header)
    if header and "url" not in names:
        raise SeedError(f"{source}:{number}: the first line is not a header: it names no column url")
    for name in sorted({name for name in names if name and names.count(name) > 1}):
        reason = f"column {name} stands twice in the header: the first is read"
        yield Flaw(line=number, reason=reason, text=" ".join(header))
    for number, cells in lines:
        yield cells if isinstance(cells, Flaw) else _read_row(number, cells, names)


def _read_row(number: int, cells: list[str], names: list[str]) -> Row | Flaw:
    if len(cells) > len(names):
        counts = f"{len(cells)} cells under {len(names)} columns"
        reason = f'{counts}: put "quotes" around a cell that holds the delimiter'
        return Flaw(line=number, reason=reason, text=" ".join(cells))
    # In reverse, so that of two columns with one name the first is read.
    row = dict(reversed(list(zip(names, (cell.strip() for cell in cells), strict=False))))
    if not row.get("url"):
        return Flaw(line=number, reason="the url cell is empty", text=" ".join(cells))
    labels = split_labels(row.get("label", ""))
    return Row(line=number, url=row["url"], labels=tuple(labels), every=row.get("every") or None)


def _cells(text: str) -> Iterator[tuple[int, list[str] | Flaw]]:
    """Each row that is not blank, with the physical line it begins on."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, Flaw(line=number, reason=f"broken CSV: {error}")
        else:
            if any(cell.strip() for cell in cells):
                yield number, cells


def _delimiter(line: str) -> str:
    return max((",", ";", "\t"), key=line.count)


def _names(header: list[str]) -> list[str]:
    """Columns by their known names; one that we do not read is an empty name."""
    return [_COLUMNS.get(name.strip().strip('"').lower(), "") for name in header]
