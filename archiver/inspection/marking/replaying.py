"""A list that was marked, replayed over archived pages: its own, and those that its next link leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.expressions.selecting import owners
from archiver.errors import ArchiverError, OverBudget
from archiver.fields.model import FieldScope, FieldWrapper
from archiver.fields.plain import rule_text
from archiver.inspection.marking.model import ListFieldTold, ListPageTold, ListTold
from archiver.inspection.marking.numbers import numbers_of
from archiver.records.designed import designed_records
from archiver.running.workers.listed import next_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.inspection.marking.lists import DraftList
    from archiver.inspection.marking.siblings import LikePage, SiblingSearch
    from archiver.records.model import ListedRecord

_PAGES = 3  # that "2–3 pages are usually enough" to see whether a wrapper holds
_SHOWN = 3
_MOST_NODES = 200


class ListReplay:
    """Reads pages by a list that is being made."""

    def __init__(self, search: SiblingSearch, page: LikePage, others: Sequence[LikePage]) -> None:
        self._search, self._page, self._others = search, page, others

    def told(self, draft: DraftList) -> ListTold:
        part, navigate = draft.part, draft.navigate
        if part is None:
            return ListTold(marks=draft.marks, problem=draft.problem)
        pages = list(self._pages(draft))
        records = self._records(self._page, draft)
        return ListTold(
            record=part.record,
            each=part.each.text,
            marks=draft.marks,
            nodes=tuple(numbers_of(self._page.document.tree, self._elements(draft))[:_MOST_NODES]),
            left_out=draft.left_out,
            fields=tuple(
                ListFieldTold(
                    field=one.field,
                    type=one.type,
                    rule=rule_text(one.rules[0]),
                    filled=sum(one.field in record.attributes for record in records),
                    values=tuple(_values(records, one.field)),
                )
                for one in part.fields
            ),
            following=navigate.next.path.text if navigate is not None and navigate.next is not None else "",
            detail=navigate.detail.text if navigate is not None and navigate.detail is not None else "",
            form=navigate.form.path.text if navigate is not None and navigate.form is not None else "",
            inputs=dict(navigate.form.set) if navigate is not None and navigate.form is not None else {},
            pages=tuple(pages),
            problem=draft.problem,
        )

    def _elements(self, draft: DraftList) -> list[Element]:
        assert draft.part is not None  # noqa: S101 - the caller looked
        try:
            return list(owners(draft.part.each, self._page.document))
        except OverBudget:
            return []

    def _records(self, page: LikePage, draft: DraftList) -> tuple[ListedRecord, ...]:
        assert draft.part is not None  # noqa: S101 - as above
        detail = draft.navigate.detail if draft.navigate is not None else None
        return designed_records(page.document, draft.part, detail)

    def _pages(self, draft: DraftList) -> Iterator[ListPageTold]:
        """The page and the next ones, as the archive has them; without a next link, pages like it."""
        wrapper = FieldWrapper(wrapper="draft", scope=FieldScope(), navigate=draft.navigate)
        page, seen = self._page, {self._page.line.key}
        others = iter(self._others)
        for number in range(_PAGES):
            records = self._records(page, draft)
            following = next_page(page.document, wrapper) or ""
            yield ListPageTold(
                url=page.line.url,
                at=page.line.timestamp,
                records=len(records),
                first=_first(records),
                next=following,
                details=len({one.detail_url for one in records if one.detail_url}),
            )
            found = self._next(following) if following else next(others, None)
            if found is None or found.line.key in seen or number == _PAGES - 1:
                return
            seen.add(found.line.key)
            page = found

    def _next(self, url: str) -> LikePage | None:
        try:
            return self._search.page(url, self._page.line.date)
        except ArchiverError:
            return None  # it was not archived: a crawl would ask for it


def _values(records: Sequence[ListedRecord], name: str) -> Iterator[str]:
    for record in records[:_SHOWN]:
        for one in record.attributes.get(name, ())[:1]:
            yield f"{one.value} {one.currency}".strip()


def _first(records: Sequence[ListedRecord]) -> dict[str, str]:
    if not records:
        return {}
    return {name: "; ".join(one.value for one in values) for name, values in records[0].attributes.items()}
