"""Names that people give to attributes which were learned under others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from archiver.documents.pages.forms.description import DETAIL_URL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.documents.pages.forms.description import DescribedAttribute, FormDescription
    from archiver.records.model import RecordColumn, RecordWrapper

    Said = Mapping[str, DescribedAttribute]


def called(wrapper: RecordWrapper, said: FormDescription) -> RecordWrapper:
    """The wrapper with the names and the key of a form's file; all else is as it was learned."""
    given = said.attributes
    names: dict[str, str] = {}
    for one in (*wrapper.columns, *wrapper.detail_columns):
        names |= {old: _called(one, given).name for old in (one.name, one.learned) if old}
    learned = wrapper.key if wrapper.learned_key is None else wrapper.learned_key
    learned = tuple(names.get(name, name) for name in learned)
    key = tuple(names.get(name, name) for name in said.key) or learned
    return structs.replace(
        wrapper,
        columns=tuple(_called(one, given) for one in wrapper.columns),
        detail_columns=tuple(_called(one, given) for one in wrapper.detail_columns),
        key=key,
        learned_key=learned if key != learned else None,
    )


def _called(column: RecordColumn, said: Said) -> RecordColumn:
    learned = column.learned or column.name
    given = said.get(learned)
    if column.is_constant or (given is None and not column.learned):
        return column
    name = (given.name if given is not None else "") or learned
    many = column.many if given is None or given.many is None else given.many
    return structs.replace(column, name=name, learned=learned if name != learned else "", many=many)


def named_as(wrapper: RecordWrapper, known: RecordWrapper | None) -> RecordWrapper:
    """The wrapper with what is known of the same columns of another one.

    That is the names that inputs of the form gave, and which columns are excerpts.
    """
    if known is None:
        return wrapper
    taken = {one.name for one in wrapper.columns}
    names = {one.paths: one.learned or one.name for one in known.columns if one.named_by == "input"}
    excerpts = {one.paths for one in known.columns if one.is_excerpt}
    given = {
        one.name: names[one.paths]
        for one in wrapper.columns
        if one.paths in names and names[one.paths] not in taken
    }
    columns = tuple(
        structs.replace(one, name=given[one.name], named_by="input") if one.name in given else one
        for one in wrapper.columns
    )
    columns = tuple(
        structs.replace(one, is_excerpt=one.is_excerpt or one.paths in excerpts) for one in columns
    )
    return structs.replace(wrapper, columns=columns, key=tuple(given.get(name, name) for name in wrapper.key))


def learned_key(said: FormDescription) -> tuple[str, ...]:
    """The key of a form's file, by the names that attributes were learned under."""
    learned = {one.name: name for name, one in said.attributes.items() if one.name}
    return tuple(learned.get(name, name) for name in said.key)


def unknown_names(wrapper: RecordWrapper, said: FormDescription) -> list[str]:
    """Attributes that a form's file names and that records do not have."""
    columns = [one for one in (*wrapper.columns, *wrapper.detail_columns) if not one.is_constant]
    learned = {one.learned or one.name for one in columns}
    known = {DETAIL_URL, *learned, *(one.name for one in columns)}
    unknown = [name for name in said.attributes if name not in learned]
    return unknown + [name for name in said.key if name not in known]
