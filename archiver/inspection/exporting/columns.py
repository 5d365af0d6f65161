"""The columns of a table of objects, from the class of their lines: types as Parquet has them.

Texts, numbers, times, lists and parts with names of their own are what they are; what may be of several
types, such as values of fields by their names, is a text of JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
from msgspec import inspect as models

if TYPE_CHECKING:
    from archiver.archive.objects.kinds import ObjectKind

_PLAIN: dict[type[models.Type], pa.DataType] = {
    models.StrType: pa.string(),
    models.IntType: pa.int64(),
    models.FloatType: pa.float64(),
    models.BoolType: pa.bool_(),
    models.DateTimeType: pa.timestamp("us", tz="UTC"),
    models.DateType: pa.date32(),
    models.LiteralType: pa.string(),
    models.EnumType: pa.string(),
}
_LISTS = (models.ListType, models.VarTupleType, models.SetType, models.FrozenSetType)
_PARTS = (models.StructType, models.DataclassType)


def schema_of(kind: ObjectKind[Any]) -> pa.Schema:
    """The columns of a kind of objects, with the name of its schema."""
    model = models.type_info(kind.model)
    if not isinstance(model, _PARTS):
        raise TypeError(f"{kind.model} is not a class with fields")
    fields = [pa.field(one.encode_name, type_of(one.type)) for one in model.fields]
    return pa.schema(fields, metadata={"schema": kind.schema, "title": kind.title})


def type_of(one: models.Type) -> pa.DataType:
    """The type of a column; text for whatever is written as JSON."""
    if isinstance(one, models.UnionType):
        others = [other for other in one.types if not isinstance(other, models.NoneType)]
        return type_of(others[0]) if len(others) == 1 else pa.string()
    if isinstance(one, _LISTS):
        return pa.list_(type_of(one.item_type))
    if isinstance(one, _PARTS) and one.fields:
        return pa.struct([pa.field(part.encode_name, type_of(part.type)) for part in one.fields])
    return _PLAIN.get(type(one), pa.string())


def fitted(value: Any, wanted: pa.DataType) -> Any:  # noqa: ANN401 - any value of JSON
    """A value of a line as its column takes it."""
    if value is None:
        return None
    if pa.types.is_struct(wanted):
        return {part.name: fitted(value.get(part.name), part.type) for part in wanted}
    if pa.types.is_list(wanted):
        return [fitted(one, wanted.value_type) for one in value]
    if pa.types.is_string(wanted) and not isinstance(value, str):
        return msgspec.json.encode(value).decode()
    return value
