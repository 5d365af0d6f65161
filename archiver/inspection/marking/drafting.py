"""From marks to fields: those of a wrapper that is there, and new ones, with rules that were just induced."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.warc.reader import read_head
from archiver.errors import ArchiverError, ConfigurationError
from archiver.fields.elements import shown_text
from archiver.fields.induction.inducing import induce
from archiver.fields.induction.model import ExamplePage
from archiver.fields.model import Field, FieldExample
from archiver.inspection.marking.numbers import element_numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.fields.induction.model import Induced
    from archiver.fields.model import FieldWrapper
    from archiver.inspection.marking.model import FieldMark
    from archiver.inspection.marking.siblings import LikePage, SiblingSearch

_REMEMBERED = 40
_STAMP = "%Y%m%d%H%M%S"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftField:
    """A field that is being made, and how it came about."""

    field: Field
    marks: tuple[FieldMark, ...] = ()
    induced: Induced | None = None
    # In words, where the marks lead to nothing.
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Example:
    """A value on a page."""

    page: LikePage
    value: str
    mark: FieldMark | None = None


class InductionMemory:
    """What was induced lately: a mark of one field changes nothing for the others."""

    def __init__(self) -> None:
        self._known: OrderedDict[object, Induced] = OrderedDict()

    def induced(
        self,
        key: object,
        field: Field,
        examples: Sequence[ExamplePage],
        others: Sequence[LikePage],
        *,
        guess: bool,
    ) -> Induced:
        if key not in self._known:
            documents = [one.document for one in others]
            self._known[key] = induce(field, examples, documents, guess=guess)
        self._known.move_to_end(key)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return self._known[key]


class Drafting:
    """Makes the fields of a wrapper from marks, beside those that its file has."""

    def __init__(
        self,
        search: SiblingSearch,
        page: LikePage,
        others: Sequence[LikePage],
        known: FieldWrapper | None,
        memory: InductionMemory,
    ) -> None:
        self._search = search
        self._page = page
        self._others = others
        self._known = {one.field: one for one in known.fields} if known is not None else {}
        self._memory = memory

    def drafts(self, marks: Sequence[FieldMark]) -> list[DraftField]:
        """Those of the file, as they are where they were not marked; then new ones as they were marked."""
        names = dict.fromkeys((*self._known, *(mark.field for mark in marks)))
        return [self._draft(name, tuple(one for one in marks if one.field == name)) for name in names]

    def _draft(self, name: str, marks: tuple[FieldMark, ...]) -> DraftField:
        known = self._known.get(name)
        if known is not None and not marks:
            return DraftField(field=known)
        wanted = _wanted(known or Field(field=name), marks)
        try:
            examples = [*self._filed(known), *map(self._marked, marks)]
            # What a person said of the type, now or in the file, is not doubted.
            is_said = known is not None or any(mark.type for mark in marks)
            induced = self._induced(wanted, examples, guess=not is_said)
        except ArchiverError as error:
            return DraftField(field=known or wanted, marks=marks, problem=str(error))
        kept = tuple(dict.fromkeys(map(self._kept, examples)))
        return DraftField(
            field=msgspec.structs.replace(induced.field, examples=kept), marks=marks, induced=induced
        )

    def _marked(self, mark: FieldMark) -> _Example:
        page = self._search.page(mark.url, _moment(mark.at) if mark.at else self._page.line.date)
        value = mark.value
        if mark.node is not None and not value:
            element = element_numbered(page.document.tree, mark.node)
            value = element.get(mark.of, "") if mark.of else shown_text(element)
        if not value.strip():
            raise ConfigurationError("What was marked has no text: choose what is around it, or in it")
        return _Example(page=page, value=" ".join(value.split()), mark=mark)

    def _filed(self, known: Field | None) -> list[_Example]:
        """The examples of the file, as far as their pages are there."""
        found = []
        for one in known.examples if known is not None else ():
            try:
                page = self._search.page(one.url, self._page.line.date)
            except ArchiverError:
                continue
            found.append(_Example(page=page, value=one.value))
        return found

    def _induced(self, field: Field, examples: Sequence[_Example], *, guess: bool) -> Induced:
        pages = {id(one.page): one.page for one in examples}
        given = [_page(page, [one for one in examples if one.page is page], field) for page in pages.values()]
        others = [one for one in self._others if id(one) not in pages]
        said = tuple((one.page.line, one.value, one.mark) for one in examples)
        key = (field, guess, said, tuple(one.line for one in others))
        return self._memory.induced(key, field, given, others, guess=guess)

    def _kept(self, example: _Example) -> FieldExample:
        line = example.page.line
        record = read_head(self._search.warc, line.filename, line.offset).id
        return FieldExample(url=line.url, value=example.value, capture=record)


def _wanted(field: Field, marks: Sequence[FieldMark]) -> Field:
    """The field without rules, with what was said of it last."""
    types = [mark.type for mark in marks if mark.type is not None]
    many = field.many or any(mark.many for mark in marks)
    return msgspec.structs.replace(
        field, rules=(), type=types[-1] if types else field.type, many=many, examples=()
    )


def _page(page: LikePage, examples: Sequence[_Example], field: Field) -> ExamplePage:
    first = examples[0]
    node = None
    if len(examples) == 1 and first.mark is not None and first.mark.node is not None:
        node = element_numbered(page.document.tree, first.mark.node)
    values = tuple(one.value for one in examples) if field.many or len(examples) > 1 else ()
    return ExamplePage(document=page.document, value=first.value, values=values, node=node)


def _moment(stamp: str) -> datetime:
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError as error:
        raise ConfigurationError(f"{stamp} is not a time of 14 digits") from error
