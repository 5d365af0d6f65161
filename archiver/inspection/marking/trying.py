"""What marks lead to: rules for each field, and what these find on the page and on pages like it."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.selecting import owners
from archiver.documents.pages.forms.finding import forms_of
from archiver.errors import OverBudget
from archiver.fields.execution import read_fields
from archiver.fields.files import write_wrapper
from archiver.fields.model import FieldScope, FieldWrapper
from archiver.fields.wording import rule_in_words
from archiver.inspection.marking.drafting import Drafting
from archiver.inspection.marking.lists import ListDrafting
from archiver.inspection.marking.model import FieldQuestion, FieldTold, MarksTried, RuleTold, SiblingTold
from archiver.inspection.marking.numbers import numbers_of
from archiver.inspection.marking.replaying import ListReplay
from archiver.inspection.marking.scopes import scope_choices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.induction.model import Induced
    from archiver.fields.model import Field, FieldReading, Navigation, RecordsPart
    from archiver.inspection.marking.drafting import DraftField, InductionMemory
    from archiver.inspection.marking.lists import DraftList
    from archiver.inspection.marking.model import DraftPage, ScopeChoice
    from archiver.inspection.marking.siblings import LikePage, SiblingSearch

# Pages like the one that is marked: those that rules are tried on, and those that are shown.
_MOST_OTHERS = 24
_SHOWN = 5
_MOST_NODES = 50
_MOST_VALUES = 50
# A field that all of so many pages have is one that a page must have.
_ENOUGH = 5
# Kinds of inputs that a person may set.
_SET = frozenset({"text", "option", "range", "date"})
# Of a draft that has none yet.
_NAME = "draft"


class MarkTrial:
    """Marks tried on a page and on pages like it."""

    def __init__(
        self, search: SiblingSearch, page: LikePage, known: FieldWrapper | None, memory: InductionMemory
    ) -> None:
        self._search = search
        self._page = page
        self._known = known
        self._others = search.like(page, _MOST_OTHERS)
        self._lists = ListDrafting(page, known)
        self._replay = ListReplay(search, page, self._others)
        self._drafting = Drafting(search, page, self._others, known, memory)

    def tried(self, asked: DraftPage) -> MarksTried:
        """What the marks lead to, with the file as it would be saved."""
        of_list, of_page = self._lists.split(asked.marks)
        listed = self._lists.draft(of_list)
        drafts = self._drafting.drafts(of_page)
        readings = {one.field.field: self._readings(one.field) for one in drafts}
        drafts = [_settled(one, readings[one.field.field]) for one in drafts]
        scopes = self._scopes()
        return MarksTried(
            url=self._page.line.url,
            at=self._page.line.timestamp,
            title=self._page.title,
            fields=tuple(self._told(one, readings[one.field.field]) for one in drafts),
            siblings=tuple(
                _sibling(page, place, drafts, readings) for place, page in enumerate(self._others[:_SHOWN], 1)
            ),
            scopes=scopes,
            objects=self._objects(asked),
            listed=self._replay.told(listed) if listed is not None else None,
            inputs=self._inputs(),
            file=self._file(drafts, listed, scopes, asked),
        )

    def _readings(self, field: Field) -> list[FieldReading]:
        """What is found on the page, and on those like it."""
        alone = FieldWrapper(wrapper=_NAME, scope=FieldScope(), fields=(field,))
        pages = (self._page, *self._others)
        return [read_fields(one.document, alone).readings[field.field] for one in pages]

    def _scopes(self) -> tuple[ScopeChoice, ...]:
        urls = [one.line.url for one in self._others]
        known = self._known.scope if self._known is not None else None
        return scope_choices(self._search.state, self._page.line.url, urls, known)

    def _objects(self, asked: DraftPage) -> bool:
        if asked.objects is not None:
            return asked.objects
        return self._known is not None and self._known.objects

    def _inputs(self) -> dict[str, str]:
        """What can be set in forms of the page that are sent by GET."""
        found = forms_of(self._page.document.tree, self._page.line.url).forms
        return {
            field.name: field.label
            for form in found
            if form.method == "GET"
            for field in form.fields
            if field.name and field.kind in _SET and not field.is_trap
        }

    def _file(
        self,
        drafts: Sequence[DraftField],
        listed: DraftList | None,
        scopes: Sequence[ScopeChoice],
        asked: DraftPage,
    ) -> str:
        fields = tuple(one.field for one in drafts if one.field.rules)
        records, navigate = self._listed(listed)
        if not fields and not records:
            return ""
        scope = next((one.scope for one in scopes if one.name == asked.scope), scopes[0].scope)
        if navigate is not None and not fields:
            # Records' own pages are read by the wrapper's own fields.
            navigate = msgspec.structs.replace(navigate, detail=None)
        made = FieldWrapper(
            wrapper=asked.name or _NAME,
            scope=scope,
            objects=self._objects(asked),
            fields=fields,
            records=records,
            navigate=navigate,
        )
        return write_wrapper(made).decode()

    def _listed(self, draft: DraftList | None) -> tuple[tuple[RecordsPart, ...], Navigation | None]:
        """The lists as they would be saved: the one that was marked, and those that the file has besides."""
        known = self._known.records if self._known is not None else ()
        if draft is None or draft.part is None or not draft.part.fields:
            return known, self._known.navigate if self._known is not None else None
        others = [one for one in known if one.record != draft.part.record]
        return (draft.part, *others), draft.navigate

    def _told(self, draft: DraftField, readings: Sequence[FieldReading]) -> FieldTold:
        field, found = draft.field, readings[0]
        return FieldTold(
            field=field.field,
            type=field.type,
            many=field.many,
            required=field.required,
            marks=draft.marks,
            examples=field.examples,
            rules=tuple(_rules(draft)),
            values=_values(found),
            nodes=_nodes(self._page.document, field, found),
            pages=len(readings) - 1,
            filled=sum(bool(one.values) or one.mistyped for one in readings[1:]),
            typed=sum(bool(one.values) for one in readings[1:]),
            question=self._question(draft.induced),
            problem=draft.problem or _missed(draft.induced),
        )

    def _question(self, induced: Induced | None) -> FieldQuestion | None:
        asked = induced.question if induced is not None else None
        page = next((one for one in self._others if asked and one.document.url == asked.url), None)
        if asked is None or page is None:
            return None
        values = tuple(one for one in (asked.first, asked.second) if one.strip())
        return FieldQuestion(url=page.line.url, at=page.line.timestamp, values=values)


def _settled(draft: DraftField, readings: Sequence[FieldReading]) -> DraftField:
    """With what the pages say of a new field: whether each of them has it."""
    if draft.induced is None or len(readings) < _ENOUGH:
        return draft
    is_required = draft.field.required or all(one.values for one in readings)
    return replace(draft, field=msgspec.structs.replace(draft.field, required=is_required))


def _rules(draft: DraftField) -> Iterator[RuleTold]:
    chosen = draft.induced.chosen if draft.induced is not None else ()
    for number, rule in enumerate(draft.field.rules):
        ranked = chosen[number] if number < len(chosen) else None
        yield RuleTold(
            rule=rule.statement if rule.path is None else rule.path.text,
            words=rule_in_words(rule),
            score=ranked.score if ranked else None,
            fill=ranked.fill if ranked else None,
        )


def _missed(induced: Induced | None) -> str:
    if induced is None or not induced.missed:
        return ""
    return (
        f"The best rule does not find {', '.join(induced.missed[:3])}: mark another page, or other elements"
    )


def _values(found: FieldReading) -> tuple[str, ...]:
    shown = (one.value if not one.currency else f"{one.value} {one.currency}" for one in found.values)
    return tuple(islice(shown, _MOST_VALUES))


def _nodes(document: VirtualDocument, field: Field, found: FieldReading) -> tuple[int, ...]:
    """Where the values stand, as far as they are shown there."""
    rule = field.rules[found.rule - 1] if found.rule else None
    if rule is None or rule.path is None:
        return ()
    try:
        places = owners(rule.path, document, Budget())
    except OverBudget:
        return ()
    most = _MOST_NODES if field.many else 1
    return tuple(numbers_of(document.tree, places[:most]))


def _sibling(
    page: LikePage, place: int, drafts: Sequence[DraftField], readings: Mapping[str, Sequence[FieldReading]]
) -> SiblingTold:
    found = {one.field.field: readings[one.field.field][place] for one in drafts}
    fields = {one.field.field: one.field for one in drafts}
    return SiblingTold(
        url=page.line.url,
        at=page.line.timestamp,
        title=page.title,
        values={name: _values(one) for name, one in found.items()},
        nodes={name: _nodes(page.document, fields[name], one) for name, one in found.items()},
    )
