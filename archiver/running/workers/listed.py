"""The tasks that read lists and records' own pages by a field wrapper."""
# ruff: noqa: PLC0415 - what performs them is imported by workers alone

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.acquisition.forms.answers import AnswerPageRead
from archiver.records.model import AnswerPage
from archiver.running.workers import DocumentTask
from archiver.running.workers.forms import DetailRead

if TYPE_CHECKING:
    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import FieldWrapper


class ReadListed(DocumentTask[AnswerPageRead], frozen=True, kw_only=True):
    """Read the lists of a page; `design` is the text of the wrapper."""

    design: str

    def perform(self) -> AnswerPageRead:
        from archiver.records.designed import designed_records
        from archiver.records.paging import total_claimed
        from archiver.running.workers.fields import wrapper_in

        wrapper = wrapper_in(self.design)
        document = _document(self)
        page = AnswerPage(url=self.url, tree=document.tree)
        detail = wrapper.navigate.detail if wrapper.navigate is not None else None
        return AnswerPageRead(
            records=tuple(
                one for part in wrapper.records for one in designed_records(document, part, detail)
            ),
            total=total_claimed(page),
            next_url=next_page(document, wrapper) or "",
        )


class ReadListedDetail(DocumentTask[DetailRead], frozen=True, kw_only=True):
    """Read the own page of a record by the fields of the wrapper."""

    design: str

    def perform(self) -> DetailRead:
        from archiver.records.designed import designed_detail
        from archiver.running.workers.fields import wrapper_in

        return DetailRead(attributes=designed_detail(_document(self), wrapper_in(self.design).fields))


def _document(task: DocumentTask[Any]) -> VirtualDocument:
    from archiver.documents.expressions.document import VirtualDocument
    from archiver.documents.pages.dom import parse_html

    stored = task.stored()
    tree = parse_html(stored.content, stored.content_type, task.url)
    return VirtualDocument(tree=tree, url=task.url)


def next_page(document: VirtualDocument, wrapper: FieldWrapper) -> str | None:
    """Where a list goes on: by the wrapper's link, else by what the page itself calls its next one."""
    from archiver.records.paging import next_link

    said = wrapper.navigate.next if wrapper.navigate is not None else None
    page = AnswerPage(url=document.url, tree=document.tree)
    return next_link(page, said.path.text if said is not None else "")
