"""What must hold in the file of a wrapper beyond its keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.documents.nearest import did_you_mean
from archiver.documents.patterns import groups_of, pattern_flaw
from archiver.documents.yaml_values.nodes import FileFlaw
from archiver.fields.model import FORMAT
from archiver.fields.scopes import scope_flaw
from archiver.fields.statements import statement_flaw
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import msgspec

    from archiver.documents.yaml_values.structs import YamlRead
    from archiver.fields.model import Field, FieldRule, FieldWrapper, Navigation, Take

MOST_FIELDS = 50
MOST_RULES = 8
MOST_PATTERN = 200
MOST_LITERAL = 200
MOST_ENUM = 500
MOST_NAVIGATED = 1_000

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# A type of which any text has one part: nothing can be found within a text by it.
_WHOLE = frozenset({"text", "html"})


def wrapper_flaws(read: YamlRead[FieldWrapper]) -> Iterator[FileFlaw]:
    """What is wrong with a wrapper."""
    return _Checker(read).flaws()


class _Checker:
    def __init__(self, read: YamlRead[FieldWrapper]) -> None:
        self._read = read
        self._own = read.value

    def flaws(self) -> Iterator[FileFlaw]:
        own = self._own
        if own.format != FORMAT:
            yield self._flaw(own, "format", f"Format {own.format} is not known: this version reads {FORMAT}")
        if not NAME.fullmatch(own.wrapper):
            yield self._flaw(
                own,
                "wrapper",
                f"{own.wrapper or 'Nothing'} is not a name: small letters, digits, - and _ are possible",
            )
        for key, message in scope_flaw(own.scope):
            yield self._flaw(own.scope, key, message)
        if own.fields or not own.records:
            yield from self._fields(own, own.fields)
        for part in own.records:
            if not FIELD_NAME.fullmatch(part.record):
                yield self._flaw(part, "record", f"{part.record or 'Nothing'} is not a name of a record")
            yield from self._fields(part, part.fields)
        if own.navigate is not None:
            yield from self._navigation(own.navigate)

    def _navigation(self, said: Navigation) -> Iterator[FileFlaw]:
        if not is_web(said.start):
            yield self._flaw(said, "start", f"{said.start or 'Nothing'} is not a web address")
        if not self._own.records:
            yield self._flaw(self._own, "navigate", "Without records there is nothing to navigate for")
        if said.next is not None and not 0 < said.next.most <= MOST_NAVIGATED:
            message = f"{said.next.most} pages are not possible: 1 to {MOST_NAVIGATED} are"
            yield self._flaw(said.next, "most", message)
        if said.detail is not None and not self._own.fields:
            yield self._flaw(said, "detail", "Pages of records are read by fields", "write fields: […]")

    def _fields(self, owner: msgspec.Struct, fields: Sequence[Field]) -> Iterator[FileFlaw]:
        if not 0 < len(fields) <= MOST_FIELDS:
            yield self._flaw(owner, "fields", f"A wrapper has 1 to {MOST_FIELDS} fields, not {len(fields)}")
        for number, field in enumerate(fields[:MOST_FIELDS]):
            if any(field.field == other.field for other in fields[:number]):
                yield self._flaw(field, "field", f"The field {field.field} stands here twice")
            yield from self._field(field)

    def _field(self, field: Field) -> Iterator[FileFlaw]:
        if not FIELD_NAME.fullmatch(field.field):
            yield self._flaw(
                field,
                "field",
                f"{field.field or 'Nothing'} is not a name of a field: small letters, digits and _ are"
                " possible, and a letter begins it",
            )
        if not 0 < len(field.rules) <= MOST_RULES:
            message = f"{field.field} has {len(field.rules)} rules: 1 to {MOST_RULES} are possible"
            yield self._flaw(field, "rules", message)
        if (field.type == "enum") is not bool(field.values):
            message = "values are what an enum may be" if field.values else "An enum needs values"
            yield self._flaw(field, "values", message, "write type: enum and values: […]")
        if len(field.values) > MOST_ENUM:
            yield self._flaw(field, "values", f"An enum has at most {MOST_ENUM} values")
        if field.day_first is not None and field.type != "date":
            yield self._flaw(field, "day_first", "day_first is for dates", "write type: date")
        for rule in field.rules[:MOST_RULES]:
            yield from self._rule(rule, field)

    def _rule(self, rule: FieldRule, field: Field) -> Iterator[FileFlaw]:
        if (rule.path is None) is not bool(rule.statement):
            yield self._flaw(rule, "", "A rule has either a path or a statement")
        if rule.statement and (reason := statement_flaw(rule.statement)):
            yield self._flaw(rule, "statement", reason)
        if rule.take is not None:
            yield from self._take(rule.take, field)

    def _take(self, take: Take, field: Field) -> Iterator[FileFlaw]:
        for key, text in (("after", take.after), ("before", take.before)):
            if len(text) > MOST_LITERAL:
                yield self._flaw(take, key, f"{key} has at most {MOST_LITERAL} characters")
        if take.typed and field.type in _WHOLE:
            yield self._flaw(take, "typed", f"Every part of a text is {field.type}", "leave typed out")
        if take.split and take.split.nth == 0 and not field.many:
            yield self._flaw(take, "split", "All pieces make many values", "write many: true, or nth: 1")
        if take.match:
            yield from self._pattern(take)

    def _pattern(self, take: Take) -> Iterator[FileFlaw]:
        if len(take.match) > MOST_PATTERN:
            yield self._flaw(take, "match", f"A pattern has at most {MOST_PATTERN} characters")
        elif reason := pattern_flaw(take.match):
            yield self._flaw(take, "match", reason)
        elif groups_of(take.match) != 1:
            message = f"A pattern has one group, not {groups_of(take.match)}"
            yield self._flaw(take, "match", message, "write ( ) around the value, and (?: ) elsewhere")

    def _flaw(self, struct: msgspec.Struct, key: str, message: str, suggestion: str = "") -> FileFlaw:
        return FileFlaw(place=self._read.place(struct, key), message=message, suggestion=suggestion)


def unknown_wrapper(name: str, names: list[str]) -> str:
    """What to say of a name that no wrapper has."""
    advice = did_you_mean(name, names)
    return f"There is no field wrapper {name}{f': {advice}' if advice else ''}"
