"""Pages that list records, the records, and the wrapper that was learned from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

ColumnType = Literal[
    "string",
    "integer",
    "decimal",
    "year",
    "date",
    "price",
    "isbn",
    "issn",
    "doi",
    "ean",
    "url",
    "email",
    "enum",
]
NamedBy = Literal["", "itemprop", "label", "header", "class", "text", "title", "number", "input"]
# `excerpt`: of a list, where what is shown depends on what was asked for; it is never an edit.
Origin = Literal["list", "detail", "excerpt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage:
    """A page that may list records, with the words that were submitted for it, if any."""

    url: str
    tree: Element
    words: tuple[str, ...] = ()


class RecordColumn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Values of one kind: where they stand in a record, and what they are."""

    paths: tuple[str, ...]  # kinds of places within the record; more than one where records differ
    name: str
    named_by: NamedBy = ""  # mark-up, what stands before it, the table's head, a class …
    learned: str = ""  # the name that it was learned under, where people gave it another
    label: str = ""  # what stands before them
    itemprop: str = ""
    place: int = 0  # from 1, where several values have one path, and each is of another kind
    type: ColumnType = "string"
    many: bool = False
    pattern: str = ""  # a regular expression with one group: the value within the text
    fill: float = 1.0  # share of records that have a value
    distinct: int = 0
    confidence: float = 1.0
    lang: str = ""  # of texts
    is_constant: bool = False  # the same in all records: a label, a button; not a value
    is_excerpt: bool = False  # another one for the same record where something else was asked for


class RecordWrapper(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was learned of a site's lists: where records are, how they look, and their columns."""

    xpath: str  # selects the first element of each record
    signature: tuple[str, ...]  # kinds of elements that most records have
    columns: tuple[RecordColumn, ...]
    span: int = 1  # at most so many neighbours make one record
    least_fit: float = 0.5  # what has less of the signature is not a record
    given: str = ""  # the expression of the form's file, where that says where records are
    key: tuple[str, ...] = ()  # `detail_url`, or names of columns; nothing: all values
    learned_key: tuple[str, ...] | None = None  # where the form's file has another one
    detail: tuple[str, ...] = ()  # paths of the text that links to the record's own page
    volatile: tuple[str, ...] = ()  # parameters of that address that change with the query
    texts: tuple[tuple[str, str], ...] = ()  # paths and texts that name or separate values
    detail_columns: tuple[RecordColumn, ...] = ()  # of records' own pages; their paths are labels
    samples: int = 0  # records that it was learned from
    pages: int = 0
    confidence: float = 0.0


class RecordValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value of a record, and where it stands."""

    value: str
    type: ColumnType = "string"
    path: str = ""  # relative to the record's element
    text: str = ""  # what stood there, where the value is only a part of it
    currency: str = ""
    lang: str = ""
    confidence: float = 1.0
    origin: Origin = "list"
    pattern: str = ""


class ListedRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record of a page: its values by the names of their columns."""

    key: str  # what makes two records one: a digest
    place: int  # from 1, on its page
    xpath: str  # of its first element
    detail_url: str = ""
    attributes: dict[str, list[RecordValue]] = {}
