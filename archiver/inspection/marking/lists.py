"""Lists that are marked on a page: records, values within them, and the links that lead further."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import owners
from archiver.documents.pages.forms.finding import forms_of
from archiver.errors import ConfigurationError
from archiver.fields.elements import shown_text
from archiver.fields.induction.guessing import with_guessed_type
from archiver.fields.induction.lists import page_path, record_nodes, relative_path, within
from archiver.fields.model import (
    Field,
    FieldRule,
    NavigatedForm,
    Navigation,
    NextLink,
    RecordsPart,
)
from archiver.inspection.marking.numbers import element_numbered
from archiver.records.locating import expression_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.model import Expression
    from archiver.fields.model import FieldWrapper
    from archiver.inspection.marking.model import FieldMark
    from archiver.inspection.marking.siblings import LikePage

_RECORD = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftList:
    """A list that is being made."""

    part: RecordsPart | None = None
    navigate: Navigation | None = None
    marks: tuple[FieldMark, ...] = ()
    # Elements like the records that the expression leaves out.
    left_out: int = 0
    problem: str = ""


class ListDrafting:
    """Makes the list of a wrapper from the marks of one page, in the place of what its file has."""

    def __init__(self, page: LikePage, known: FieldWrapper | None) -> None:
        self._page, self._tree = page, page.document.tree
        self._known = known

    def split(self, marks: Sequence[FieldMark]) -> tuple[list[FieldMark], list[FieldMark]]:
        """Marks of the list, and those of the page itself: what is marked in a record is a value of it."""
        try:
            records = self._records([one for one in marks if one.kind == _RECORD])
        except ConfigurationError:
            records = []  # told where the list is drafted
        mine = [one for one in marks if one.kind != "field" or self._is_in(one, records)]
        return mine, [one for one in marks if one not in mine]

    def _is_in(self, mark: FieldMark, records: Sequence[Element]) -> bool:
        try:
            return self._is_here(mark) and within(self._element(mark), records) is not None
        except ConfigurationError:
            return False  # an element that is not there: told beside its field

    def draft(self, marks: Sequence[FieldMark]) -> DraftList | None:
        """What the marks of the list lead to; None without any, and without a list in the file."""
        known = self._known
        if not marks:
            if known is None or not known.records:
                return None
            return DraftList(part=known.records[0], navigate=known.navigate)
        try:
            return self._drafted(tuple(marks))
        except ConfigurationError as error:
            return DraftList(marks=tuple(marks), problem=str(error))

    def _drafted(self, marks: tuple[FieldMark, ...]) -> DraftList:
        of = {
            kind: [one for one in marks if one.kind == kind] for kind in ("record", "field", "next", "detail")
        }
        records = self._records(of["record"])
        if not records:
            told = "Mark a record of the list: an element that has others like it beside it"
            return DraftList(marks=marks, problem=told)
        each = parse(expression_for([self._tree], [records], lambda _: False))
        found = owners(each, self._page.document)
        fields = self._fields(of["field"], found)
        part = RecordsPart(record=_name(of["record"]), each=each, fields=fields)
        return DraftList(
            part=part,
            navigate=self._navigation(marks, of["next"], of["detail"], found),
            marks=marks,
            left_out=len(set(records) - set(found)),
            problem="" if fields else "Mark a value within a record, and name it",
        )

    def _records(self, marks: Sequence[FieldMark]) -> list[Element]:
        elements = [self._element(one) for one in marks if self._is_here(one)]
        return record_nodes(elements) if elements else []

    def _is_here(self, mark: FieldMark) -> bool:
        return mark.node is not None and mark.url == self._page.line.url

    def _element(self, mark: FieldMark) -> Element:
        assert mark.node is not None  # noqa: S101 - the caller looked
        return element_numbered(self._tree, mark.node)

    def _fields(self, marks: Sequence[FieldMark], records: Sequence[Element]) -> tuple[Field, ...]:
        names = dict.fromkeys(one.field for one in marks)
        found = [self._field(name, [one for one in marks if one.field == name], records) for name in names]
        return tuple(one for one in found if one is not None)

    def _field(self, name: str, marks: Sequence[FieldMark], records: Sequence[Element]) -> Field | None:
        elements = [self._element(one) for one in marks]
        path = relative_path(elements, records)
        if path is None:
            return None
        rule = FieldRule(path=parse(f"{path.text}/@{marks[-1].of}") if marks[-1].of else path)
        field = Field(field=name, many=any(one.many for one in marks), rules=(rule,))
        said = [one.type for one in marks if one.type is not None]
        if said:
            return msgspec.structs.replace(field, type=said[-1])
        texts = [shown_text(one) for record in records for one in owners(path, record)[:1]]
        return with_guessed_type(field, [shown_text(one) for one in elements], texts)

    def _navigation(
        self,
        marks: Sequence[FieldMark],
        following: Sequence[FieldMark],
        details: Sequence[FieldMark],
        records: Sequence[Element],
    ) -> Navigation | None:
        inputs = [one for one in marks if one.kind == "input"]
        if not (following or details or inputs):
            return self._known.navigate if self._known is not None else None
        link = page_path(_link(self._element(following[-1]))) if following else None
        return Navigation(
            start=self._page.line.url,
            form=self._form(inputs),
            next=NextLink(path=link) if link is not None else None,
            detail=self._detail(details, records),
        )

    def _detail(self, marks: Sequence[FieldMark], records: Sequence[Element]) -> Expression | None:
        if not marks:
            return None
        path = relative_path([_link(self._element(one)) for one in marks], records)
        if path is None:
            raise ConfigurationError("The link to a record's own page stands in the record: mark it there")
        return parse(f"{path.text}/@href")

    def _form(self, marks: Sequence[FieldMark]) -> NavigatedForm | None:
        if not marks:
            return None
        names = {one.input for one in marks}
        for form, told in zip(
            self._tree.iter("form"), forms_of(self._tree, self._page.line.url).forms, strict=True
        ):
            path = page_path(form)
            if path is not None and names <= {field.name for field in told.fields}:
                return NavigatedForm(path=path, set={one.input: one.value for one in marks})
        raise ConfigurationError(f"No form of the page has the inputs {', '.join(sorted(names))}")


def _link(element: Element) -> Element:
    """The link that an element is, is in, or has in it."""
    around = (one for one in (element, *element.iterancestors()) if one.tag == "a" and one.get("href"))
    found = next(around, None)
    found = found if found is not None else next((one for one in element.iter("a") if one.get("href")), None)
    if found is None:
        raise ConfigurationError("What was marked is not a link: choose what is around it, or in it")
    return found


def _name(marks: Sequence[FieldMark]) -> str:
    return next((one.field for one in marks if one.field != _RECORD), _RECORD)
