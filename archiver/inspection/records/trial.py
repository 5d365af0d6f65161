"""What a few probes of a form show: which answers are results, and what these list. Nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.forms.answers import NonePages, answer_kind
from archiver.acquisition.forms.model import BESIDE
from archiver.documents.pages.forms.description import written
from archiver.inspection.forms import named_form
from archiver.records.calling import called, learned_key
from archiver.running.form_learning import answers_in_archive
from archiver.running.workers.forms import LearnRecords, ReadAnswer
from archiver.store.asked_forms.probes import probes_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.forms.answers import AnswerPageRead
    from archiver.documents.pages.forms.description import FormDescription
    from archiver.records.model import ListedRecord, RecordWrapper
    from archiver.store.asked_forms.forms import AskedForm
    from archiver.store.asked_forms.probes import MadeProbe


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedProbe:
    """One probe, and what its answer is."""

    chosen_by: str
    inputs: dict[str, str]
    kind: str
    records: int
    total: int | None
    next_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormTrial:
    """A form, its probes so far, and what was learned from their answers."""

    form: AskedForm
    probes: tuple[TriedProbe, ...]
    wrapper: RecordWrapper | None
    records: tuple[ListedRecord, ...]


def trial_of(connection: Connection, said: FormDescription, warc: Path) -> FormTrial:
    """What the answers of a form's run show so far, read from WARC."""
    form = named_form(connection, said.form)
    made = [one for one in probes_in(connection, form.id, form.run) if one.probe.chosen_by not in BESIDE]
    wrapper = _learned(made, said, warc)
    wrapper = called(wrapper, said) if wrapper is not None else None
    read = [(one, _read(one, wrapper, said, warc)) for one in made if one.capture is not None]
    nones = _nones([page for one, page in read if one.probe.chosen_by == "nonsense"])
    return FormTrial(
        form=form,
        probes=(
            *(_tried(one, page, nones) for one, page in read),
            *(_failed(one) for one in made if one.capture is None),
        ),
        wrapper=wrapper,
        records=tuple({record.key: record for _, page in read for record in page.records}.values()),
    )


def _learned(made: Sequence[MadeProbe], said: FormDescription, warc: Path) -> RecordWrapper | None:
    kept = answers_in_archive(made)
    answers = tuple(one for one in kept if one.probe.chosen_by != "nonsense")
    if not answers:
        return None
    task = LearnRecords(
        folder=str(warc),
        answers=answers,
        nonsense=tuple(one for one in kept if one.probe.chosen_by == "nonsense"),
        none=said.answer.none,
        given=written(said.answer.record),
        key=learned_key(said),
    )
    return task.perform().wrapper


def _read(
    made: MadeProbe, wrapper: RecordWrapper | None, said: FormDescription, warc: Path
) -> AnswerPageRead:
    assert made.capture is not None  # noqa: S101 - the caller looked
    return ReadAnswer(
        url=made.answered_by or made.url,
        folder=str(warc),
        file=made.capture.file,
        offset=made.capture.offset,
        words=made.probe.words,
        wrapper=wrapper,
        none=said.answer.none,
        next=written(said.answer.next),
    ).perform()


def _nones(pages: Sequence[AnswerPageRead]) -> NonePages:
    keys = [frozenset(record.key for record in page.records) for page in pages]
    return NonePages(
        shapes=tuple(page.shape for page in pages),
        keys=tuple(one for one in keys if one),
        echoes=any(page.echoes for page in pages),
    )


def _tried(made: MadeProbe, page: AnswerPageRead, nones: NonePages) -> TriedProbe:
    is_nonsense = made.probe.chosen_by == "nonsense"
    kind = answer_kind(page, NonePages() if is_nonsense else nones, ())
    return TriedProbe(
        chosen_by=made.probe.chosen_by,
        inputs=made.probe.inputs,
        kind=kind,
        records=len(page.records) if kind == "results" else 0,
        total=page.total,
        next_url=page.next_url,
    )


def _failed(made: MadeProbe) -> TriedProbe:
    return TriedProbe(
        chosen_by=made.probe.chosen_by,
        inputs=made.probe.inputs,
        kind=made.kind or "error",
        records=0,
        total=None,
        next_url="",
    )
