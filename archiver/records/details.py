"""What a record's own page says of it: definition lists, tables of two columns, names before values."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import structs

from archiver.lexicon.elements import CELLS
from archiver.records.keys import DETAIL, key_of, steady_address
from archiver.records.leaves import labelled, leaves_of, plain_label
from archiver.records.model import ListedRecord, RecordColumn, RecordValue
from archiver.records.naming import slug
from archiver.records.types import read_as, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.records.leaves import Leaf
    from archiver.records.model import AnswerPage, RecordWrapper

    Attributes = dict[str, list[RecordValue]]

_MOST = 200  # values of a page
_LONGEST_LABEL = 40
_LONGEST_VALUE = 2_000
_LABELLED = re.compile(r"(?P<label>[^\W\d_][^:.!?]{0,38}):\s+(?P<value>\S.*)")
_SURE = 0.8  # share of records whose values agree
_FEWEST = 2
_SEPARATOR = re.compile(r"\s*[,;]\s+")
_TITLE = "title"


def detail_values(page: AnswerPage) -> Iterator[tuple[str, str, Leaf, str]]:
    """Names and texts that stand beside each other on a page: the name, the text, its place, and its form.

    The form is a regular expression where the text is only a part of what stands there.
    """
    leaves = labelled(leaves_of([page.tree]))
    for leaf in leaves:
        label, text, form = _named(leaf)
        if label and len(label) <= _LONGEST_LABEL and len(text) <= _LONGEST_VALUE:
            yield slug(plain_label(label)), text, leaf, form


def _named(leaf: Leaf) -> tuple[str, str, str]:
    if leaf.element.tag == "h1":
        return _TITLE, leaf.text, ""
    if leaf.label:
        return leaf.label, leaf.text, ""
    if found := _LABELLED.fullmatch(leaf.text):
        before = leaf.text[: found.start("value")]
        return found["label"], found["value"], f"{re.escape(before)}(.+)"
    return _row_label(leaf.element), leaf.text, ""


def _row_label(cell: Element) -> str:
    """The first cell of a row of two, where all rows of the table are such."""
    first, table = cell.getprevious(), next(cell.iterancestors("table"), None)
    if cell.tag != "td" or first is None or first.tag != "td" or table is None:
        return ""
    rows = list(table.iter("tr"))
    if len(rows) < _FEWEST or any(sum(one.tag in CELLS for one in row) != _FEWEST for row in rows):
        return ""
    return " ".join("".join(map(str, first.itertext())).split())


def learn_details(wrapper: RecordWrapper, shown: Sequence[tuple[ListedRecord, AnswerPage]]) -> RecordWrapper:
    """The wrapper with what records' own pages say: under the name of a column where it is the same."""
    texts: defaultdict[str, list[tuple[ListedRecord, str]]] = defaultdict(list)
    for record, page in shown:
        told = set()
        for name, text, _, _ in detail_values(page):
            if name and name not in told:
                told.add(name)
                texts[name].append((record, text))
    columns = [_detail_column(wrapper, name, found) for name, found in texts.items()]
    kept = [one for one in columns if one.distinct > 1 or one.name != one.paths[0]]
    return structs.replace(wrapper, detail_columns=tuple(_one_each(kept)))


def _one_each(columns: Sequence[RecordColumn]) -> Iterator[RecordColumn]:
    """Of several that have one name, the one that most pages have."""
    best: dict[str, RecordColumn] = {}
    for column in columns:
        if column.name not in best or column.fill > best[column.name].fill:
            best[column.name] = column
    yield from best.values()


def _detail_column(
    wrapper: RecordWrapper, name: str, found: Sequence[tuple[ListedRecord, str]]
) -> RecordColumn:
    texts = [text for _, text in found]
    same = [column for column in wrapper.columns if not column.is_constant and _agrees(column, found)]
    named = [column for column in wrapper.columns if column.name == name]
    column = next(iter([*same, *named]), None)
    is_split = column is not None and column.many and not _are_whole(column, found)
    return RecordColumn(
        paths=(name,),
        name=column.name if column else name,
        type=column.type if column else type_of(texts),
        many=is_split,
        fill=float(len(found)),
        distinct=len(set(texts)),
        confidence=round((len(found) + 1) / (len(found) + 2), 3),
    )


def _agrees(column: RecordColumn, found: Sequence[tuple[ListedRecord, str]]) -> bool:
    """True if most records have the same values in a list and on their own page."""
    both = [
        (record.attributes[column.name], text) for record, text in found if column.name in record.attributes
    ]
    good = sum(_said(values) in (_whole(text, column), _parts(text)) for values, text in both)
    return len(both) >= _FEWEST and good >= _SURE * len(both)


def _are_whole(column: RecordColumn, found: Sequence[tuple[ListedRecord, str]]) -> bool:
    """True if texts with commas are one value in lists as well."""
    both = [
        (record.attributes[column.name], text) for record, text in found if column.name in record.attributes
    ]
    parted = [(values, text) for values, text in both if len(_parts(text)) > 1]
    return sum(_said(values) == _whole(text, column) for values, text in parted) * 2 > len(parted)


def _said(values: Sequence[RecordValue]) -> frozenset[str]:
    return frozenset(value.value.casefold() for value in values)


def _whole(text: str, column: RecordColumn) -> frozenset[str]:
    return frozenset({(read_as(column.type, text)[0] or text).casefold()})


def _parts(text: str) -> frozenset[str]:
    return frozenset(part.casefold() for part in _SEPARATOR.split(text))


def read_detail(page: AnswerPage, wrapper: RecordWrapper) -> Attributes:
    """The values of a record's own page. Their paths begin at the page."""
    columns = {column.paths[0]: column for column in wrapper.detail_columns}
    found: Attributes = {}
    count = 0
    for name, text, leaf, form in detail_values(page):
        column = columns.get(name)
        if column is None or column.name in found or count >= _MOST:
            continue
        count += 1
        path = f"/{page.tree.tag}/{leaf.path}"
        found[column.name] = list(_values(column, text, leaf.text, path, form))
    return found


def _values(column: RecordColumn, text: str, whole: str, path: str, form: str) -> Iterator[RecordValue]:
    parts = _SEPARATOR.split(text) if column.many else [text]
    for part in parts:
        value, currency = read_as(column.type, part)
        is_part = len(parts) > 1
        # Where several values stand in one text, each is found by itself.
        yield RecordValue(
            value=value or part,
            type=column.type if value else "string",
            path=path,
            text=whole if (value or part) != whole else "",
            currency=currency,
            confidence=column.confidence,
            origin="detail",
            pattern=rf"(?:.*[,;:]\s+)?({re.escape(part)})(?:\s*[,;]\s.*)?" if is_part else form,
        )


def with_detail(record: ListedRecord, detail: Attributes) -> ListedRecord:
    """The record with what only its own page says."""
    return structs.replace(record, attributes=more_of(record.attributes, detail))


def more_of(
    attributes: Mapping[str, Sequence[RecordValue]], detail: Mapping[str, Sequence[RecordValue]]
) -> Attributes:
    """What lists say of a record, with what only its own page says now."""
    listed = {
        name: list(values)
        for name, values in attributes.items()
        if any(one.origin != "detail" for one in values)
    }
    return listed | {name: list(values) for name, values in detail.items() if name not in listed}


def detail_record(page: AnswerPage, wrapper: RecordWrapper) -> ListedRecord | None:
    """A record that is known by its own page alone: what a search with one hit may lead to."""
    attributes = read_detail(page, wrapper)
    if not attributes:
        return None
    steady = steady_address(page.url, wrapper.volatile, page.words)
    return ListedRecord(
        key=key_of(attributes, wrapper.key or (DETAIL,), steady),
        place=1,
        xpath=f"/{page.tree.tag}",
        detail_url=page.url,
        attributes=attributes,
    )
