"""Tasks about fields that fail: whether known values still stand on pages, and rules that find them."""

from __future__ import annotations

import msgspec

from archiver.fields.remembered import KnownValue, RepairProof  # noqa: TC001 - read at run time
from archiver.running.workers import Task

# A repair tries hundreds of rules on dozens of pages.
_REPAIR_TIMES = 5.0


class RememberedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Where a page is, and the values that are known of it: read there, or off an older version."""

    url: str
    file: str
    offset: int
    known: dict[str, tuple[KnownValue, ...]] = {}  # msgspec copies it


class CheckedField(msgspec.Struct, frozen=True, kw_only=True):
    """A field whose known value still stands on a page: whether a rule finds it."""

    url: str
    field: str
    is_found: bool


class FieldsChecked(msgspec.Struct, frozen=True, kw_only=True):
    fields: tuple[CheckedField, ...] = ()


class CheckFields(Task[FieldsChecked], frozen=True, kw_only=True):
    """See whether the values of older versions still stand on pages, and whether a wrapper finds them."""

    folder: str
    wrapper: str  # the text of its file
    pages: tuple[RememberedPage, ...]

    def perform(self) -> FieldsChecked:
        from archiver.running.workers.field_repairs import check_fields  # noqa: PLC0415 - for workers alone

        return check_fields(self)


class RepairedField(msgspec.Struct, frozen=True, kw_only=True):
    field: str
    way: str
    proof: RepairProof


class FieldsRepaired(msgspec.Struct, frozen=True, kw_only=True):
    """The wrapper with other rules, as the text of its file; empty where none could be proved."""

    wrapper: str = ""
    fields: tuple[RepairedField, ...] = ()


class RepairFields(Task[FieldsRepaired], frozen=True, kw_only=True):
    """Look for other rules of fields that fail, and prove them."""

    folder: str
    wrapper: str
    fields: tuple[str, ...]
    before: tuple[RememberedPage, ...]
    after: tuple[RememberedPage, ...]

    def perform(self) -> FieldsRepaired:
        from archiver.running.workers.field_repairs import repair_fields  # noqa: PLC0415 - likewise

        return repair_fields(self)

    def patience(self) -> float:
        return _REPAIR_TIMES
