"""Fields that fail, in the worker process: pages as trees, known values looked for, other rules proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from archiver.archive.warc.reader import read_response
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.dom import parse_html
from archiver.errors import ArchiverError
from archiver.fields.files import write_wrapper
from archiver.fields.proving import PageValues, finds_known, stands_on
from archiver.fields.repair import repair, with_field
from archiver.running.workers.fields import wrapper_in
from archiver.running.workers.repairing import CheckedField, FieldsChecked, FieldsRepaired, RepairedField

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.fields.model import FieldWrapper
    from archiver.running.workers.repairing import CheckFields, RememberedPage, RepairFields

# Trees take some ten times as much memory as their pages.
_LARGEST_PAGE = 3_000_000

LoadedPage = tuple["RememberedPage", VirtualDocument]


def check_fields(task: CheckFields) -> FieldsChecked:
    wrapper = wrapper_in(task.wrapper)
    loaded = (one for page in task.pages for one in _loaded(task.folder, page))
    return FieldsChecked(fields=tuple(checked for one in loaded for checked in _checked(*one, wrapper)))


def repair_fields(task: RepairFields) -> FieldsRepaired:
    """Field by field; what was found for one is kept whatever comes of the others."""
    wrapper, done = wrapper_in(task.wrapper), []
    before = [one for page in task.before for one in _loaded(task.folder, page)]
    after = [one for page in task.after for one in _loaded(task.folder, page)]
    for name in task.fields:
        found = repair(wrapper, name, _valued(before, name), _valued(after, name))
        if found is not None:
            wrapper = with_field(wrapper, found.field)
            done.append(RepairedField(field=name, way=found.way, proof=found.proof))
    return FieldsRepaired(wrapper=write_wrapper(wrapper).decode() if done else "", fields=tuple(done))


def _loaded(folder: str, page: RememberedPage) -> Iterator[LoadedPage]:
    """The page as a tree; nothing where it cannot be read, which was told before."""
    try:
        stored = read_response(Path(folder), page.file, page.offset)
        if len(stored.content) <= _LARGEST_PAGE:
            tree = parse_html(stored.content, stored.content_type, page.url)
            yield page, VirtualDocument(tree=tree, url=page.url)
    except ArchiverError:
        return


def _valued(pages: Sequence[LoadedPage], field: str) -> list[PageValues]:
    return [PageValues(document=document, values=page.known.get(field, ())) for page, document in pages]


def _checked(
    page: RememberedPage, document: VirtualDocument, wrapper: FieldWrapper
) -> Iterator[CheckedField]:
    for field in wrapper.fields:
        known = page.known.get(field.field, ())
        if known and stands_on(document, known, field):
            is_found = finds_known(document, known, field)
            if is_found is not None:
                yield CheckedField(url=page.url, field=field.field, is_found=is_found)
