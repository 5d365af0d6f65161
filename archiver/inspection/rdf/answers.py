"""Answers as people and programs read them: a table, CSV, SPARQL's JSON, Turtle."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import msgspec
from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from archiver.display.tables import TableColumn, table_lines
from archiver.inspection.rdf.mapping import shortened_name
from archiver.lexicon.vocabularies import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from archiver.inspection.rdf.asking import RdfAnswer, Row
    from archiver.inspection.rdf.child import Binding

    Paint = Callable[[str, str], str]

_NUMBERS = frozenset(
    f"{PREFIXES['xsd']}{name}" for name in ("integer", "decimal", "double", "float", "nonNegativeInteger")
)
# What spreadsheets take for the beginning of a formula, and terminals for an order; lines and tabs are text.
_FORMULA = ("=", "+", "-", "@")
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# A column is not made narrower than this, and what does not fit is left out at the right.
_NARROWEST = 12


def as_table(answer: RdfAnswer, width: int | None, paint: Paint) -> Iterator[str]:
    """A row a line, no wider than the window; yes or no; statements as Turtle."""
    if answer.head.kind == "ask":
        yield "yes" if answer.head.is_true else "no"
    elif answer.head.kind == "graph":
        yield turtle(answer).decode().rstrip("\n")
    else:
        rows = list(answer.rows())
        columns = [
            TableColumn(title=name, is_number=_is_number(rows, place), narrowest=_NARROWEST)
            for place, name in enumerate(answer.head.columns)
        ]
        cells = [[_shown(cell) for cell in row] for row in rows]
        yield from table_lines(columns, cells, width=width, paint=paint)


def _is_number(rows: Sequence[Row], place: int) -> bool:
    found = [cell for row in rows if (cell := row[place]) is not None]
    return bool(found) and all(cell.get("datatype") in _NUMBERS for cell in found)


def _shown(cell: Binding | None) -> str:
    value = _value(cell)
    return shortened_name(value) if cell is not None and cell["type"] == "uri" else value


def as_csv(answer: RdfAnswer) -> Iterator[str]:
    """SPARQL 1.1 Query Results CSV: values without their types. No text of a page is run as a formula."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\r\n")
    for row in _plain_rows(answer):
        writer.writerow(row)
        yield line.getvalue().removesuffix("\n")
        line.seek(0)
        line.truncate()


def _plain_rows(answer: RdfAnswer) -> Iterator[Sequence[str]]:
    if answer.head.kind == "ask":
        yield ["boolean"]
        yield ["true" if answer.head.is_true else "false"]
        return
    yield answer.head.columns
    for row in answer.rows():
        yield [_value(cell) if cell and _is_exact(cell) else _safe(_value(cell)) for cell in row]


def _is_exact(cell: Binding) -> bool:
    """Whether a value has a type: a negative number is not a formula."""
    return cell["type"] != "literal" or "datatype" in cell


def _value(cell: Binding | None) -> str:
    if cell is None:
        return ""
    return f"_:{cell['value']}" if cell["type"] == "bnode" else cell["value"]


def _safe(text: str) -> str:
    """Text of a page: what a terminal takes for an order is marked, and what a spreadsheet takes for one."""
    text = _ORDERS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_json(answer: RdfAnswer) -> Iterator[str]:
    """SPARQL 1.1 Query Results JSON, a row a line; statements as rows of three."""
    if answer.head.kind == "ask":
        yield _encoded({"head": {}, "boolean": answer.head.is_true})
        return
    names = answer.head.columns
    yield f'{{"head":{_encoded({"vars": names})},"results":{{"bindings":['
    before = ""
    for row in answer.rows():
        found = {name: cell for name, cell in zip(names, row, strict=True) if cell is not None}
        yield before + _encoded(found)
        before = ","
    yield "]}}"


def _encoded(value: object) -> str:
    return msgspec.json.encode(value).decode()


def turtle(answer: RdfAnswer) -> bytes:
    triples = (Triple(*map(_term, row)) for row in answer.rows())  # type: ignore[arg-type] # as they came
    return serialize(triples, format=RdfFormat.TURTLE, prefixes=dict(PREFIXES)) or b""


def _term(cell: Binding | None) -> NamedNode | BlankNode | Literal:
    assert cell is not None  # noqa: S101 - a statement has all three
    if cell["type"] == "uri":
        return NamedNode(cell["value"])
    if cell["type"] == "bnode":
        return BlankNode(cell["value"])
    if "xml:lang" in cell:
        return Literal(cell["value"], language=cell["xml:lang"])
    return Literal(cell["value"], datatype=NamedNode(cell["datatype"]) if "datatype" in cell else None)
