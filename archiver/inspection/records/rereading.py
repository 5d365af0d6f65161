"""Records read again from WARC, by a wrapper that is learned anew: nothing is fetched."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from archiver.archive.warc.reader import read_response
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.forms.description import written
from archiver.errors import ArchiverError
from archiver.records.calling import called, named_as
from archiver.records.details import learn_details, read_detail, with_detail
from archiver.records.excerpts import with_excerpts
from archiver.records.learning import learn_records
from archiver.records.model import AnswerPage
from archiver.records.objects.model import values_digest
from archiver.records.reading import read_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from archiver.documents.pages.forms.description import FormDescription
    from archiver.records.model import ListedRecord, RecordWrapper
    from archiver.records.objects.model import ArchivedRecord, RecordAnswer

    FoundRecord = tuple[RecordAnswer, ListedRecord]
    Place = tuple[str, int]  # a WARC file, and where the record begins in it

_LEARNED_FROM = 12  # pages: those that had most records
_DETAILS = 20  # records' own pages that are learned from


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadRecords:
    """What reading again came to."""

    wrapper: RecordWrapper | None
    pages: int
    unreadable: int
    unchanged: int = 0
    missing: tuple[str, ...] = ()  # keys of records that are not found again
    written: tuple[ArchivedRecord, ...] = ()  # new records, and those with other values, as next versions


@dataclass
class _Answers:
    """The pages that records were read from."""

    warc: Path
    pages: dict[Place, tuple[RecordAnswer, AnswerPage]] = field(default_factory=dict)
    unreadable: int = 0

    def read(self, answers: Sequence[RecordAnswer]) -> None:
        for answer in answers:
            place = _place(answer)
            if place not in self.pages:
                try:
                    self.pages[place] = answer, _page(self.warc, answer)
                except (ArchiverError, OSError):
                    self.unreadable += 1


def _page(warc: Path, answer: RecordAnswer) -> AnswerPage:
    stored = read_response(warc, answer.warc.file, answer.warc.offset)
    return AnswerPage(
        url=answer.url,
        tree=parse_html(stored.content, stored.content_type, answer.url),
        words=tuple(filter(None, answer.inputs.values())),
    )


def reread(
    records: Sequence[ArchivedRecord],
    warc: Path,
    name: str,
    said: FormDescription | None = None,
    known: RecordWrapper | None = None,
) -> RereadRecords:
    """Learn a wrapper from the pages of records, as the form's file wants it, and read all of them by it.

    Names that the form's inputs gave are those of the wrapper that is known.
    """
    lists = _Answers(warc)
    lists.read([answer for record in records for answer in record.answers])
    counts = Counter(_place(answer) for record in records for answer in record.answers)
    sample = [lists.pages[place][1] for place, _ in counts.most_common(_LEARNED_FROM) if place in lists.pages]
    given = written(said.answer.record) if said is not None else ""
    wrapper = learn_records(sample, given) if sample else None
    if wrapper is None:
        return RereadRecords(wrapper=None, pages=len(lists.pages), unreadable=lists.unreadable)
    wrapper = named_as(wrapper, known)
    wrapper = called(wrapper, said) if said is not None else wrapper
    wrapper = with_excerpts(wrapper, [read_records(page, wrapper) for page in sample])
    found = _found(lists, wrapper, {one.key: _place(one.answers[0]) for one in records if one.answers})
    wrapper, found = _detailed(records, found, wrapper, warc, said)
    return replace(_compared(records, found, name), wrapper=wrapper, unreadable=lists.unreadable)


def _found(lists: _Answers, wrapper: RecordWrapper, own: Mapping[str, Place]) -> dict[str, FoundRecord]:
    """Each record as the page shows it that it is from; else as the first page does that has it."""
    found: dict[str, FoundRecord] = {}
    for place, (answer, page) in lists.pages.items():
        for record in reversed(read_records(page, wrapper)):
            known = found.get(record.key)
            if known is None or place in (own.get(record.key), _place(known[0])):
                found[record.key] = replace(answer, place=record.place, xpath=record.xpath), record
    return found


def _place(answer: RecordAnswer) -> Place:
    return answer.warc.file, answer.warc.offset


def _detailed(
    records: Sequence[ArchivedRecord],
    found: dict[str, FoundRecord],
    wrapper: RecordWrapper,
    warc: Path,
    said: FormDescription | None,
) -> tuple[RecordWrapper, dict[str, FoundRecord]]:
    """The same with what records' own pages say, where those were fetched."""
    own = {one.key: one.detail for one in records if one.detail and one.key in found}
    if not own:
        return wrapper, found
    pages = _Answers(warc)
    pages.read(list(own.values()))
    shown = {key: pages.pages[place][1] for key, one in own.items() if (place := _place(one)) in pages.pages}
    wrapper = learn_details(wrapper, [(found[key][1], page) for key, page in list(shown.items())[:_DETAILS]])
    wrapper = called(wrapper, said) if said is not None else wrapper
    more = {
        key: (found[key][0], with_detail(found[key][1], read_detail(page, wrapper)))
        for key, page in shown.items()
    }
    return wrapper, found | more


def _compared(records: Sequence[ArchivedRecord], found: dict[str, FoundRecord], name: str) -> RereadRecords:
    written: list[ArchivedRecord] = []
    unchanged, missing = 0, []
    for known in records:
        again = found.get(known.key)
        if again is None:
            missing.append(known.key)
        elif values_digest(again[1].attributes) == known.digest:
            unchanged += 1
        else:
            written.append(_next_version(known, *again, name))
    pages = len({_place(answer) for answer, _ in found.values()})
    return RereadRecords(
        wrapper=None,
        pages=pages,
        unreadable=0,
        unchanged=unchanged,
        missing=tuple(missing),
        written=tuple(written),
    )


def _next_version(
    known: ArchivedRecord, answer: RecordAnswer, record: ListedRecord, name: str
) -> ArchivedRecord:
    return replace(
        known,
        url=record.detail_url or None,
        version=known.version + 1,
        change="wrapper",
        attributes=record.attributes,
        answers=(answer,),
        digest=values_digest(record.attributes),
        unchanged_until=known.captured,
        wrapper=name,
    )
