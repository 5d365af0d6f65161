"""Names that people give to attributes which were learned under others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.documents.pages.forms.description import DescribedAttribute
    from archiver.records.model import RecordColumn, RecordWrapper

    Said = Mapping[str, DescribedAttribute]


def called(wrapper: RecordWrapper, said: Said) -> RecordWrapper:
    """The wrapper with the names of a form's file; all else is called as it was learned."""
    names = {
        one.name: new.name
        for one in (*wrapper.columns, *wrapper.detail_columns)
        if (new := _called(one, said)).name != one.name
    }
    return structs.replace(
        wrapper,
        columns=tuple(_called(one, said) for one in wrapper.columns),
        detail_columns=tuple(_called(one, said) for one in wrapper.detail_columns),
        key=tuple(names.get(name, name) for name in wrapper.key),
    )


def _called(column: RecordColumn, said: Said) -> RecordColumn:
    learned = column.learned or column.name
    given = said.get(learned)
    if column.is_constant or (given is None and not column.learned):
        return column
    name = (given.name if given is not None else "") or learned
    many = column.many if given is None or given.many is None else given.many
    return structs.replace(column, name=name, learned=learned if name != learned else "", many=many)


def unknown_names(wrapper: RecordWrapper, said: Said) -> list[str]:
    """Attributes that a form's file names and that records do not have."""
    columns = (*wrapper.columns, *wrapper.detail_columns)
    known = {one.learned or one.name for one in columns if not one.is_constant}
    return [name for name in said if name not in known]
