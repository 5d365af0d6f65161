"""Forms at the start of a run: registered, and what earlier runs had of them taken up."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Answered
from archiver.acquisition.items import FormFetch
from archiver.acquisition.targets import FormProbe
from archiver.archive.cdxj.index import Index
from archiver.archive.warc.exchanges import kept_exchanges
from archiver.running.form_run import FormInquiry
from archiver.running.form_words import words_from_elsewhere
from archiver.running.restoring.captures import capture_of
from archiver.store.asked_forms.answered import store_capture
from archiver.store.asked_forms.forms import RUNNING, register_form, words_of_form, wrapper_of_form
from archiver.store.asked_forms.probes import CAPTURED, PENDING, READ, probes_in
from archiver.store.asked_forms.records import probed_records, sightings_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture
    from archiver.documents.pages.forms.description import FormDescription
    from archiver.running.form_run import FormRun
    from archiver.running.session import Session
    from archiver.store.asked_forms.probes import MadeProbe


# Answers that records can be learned from, where a run ended before it did so.
_ENOUGH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFile:
    """A form as its file describes it, and the words of the file that it names."""

    said: FormDescription
    text: str
    folder: Path
    words: tuple[str, ...] = ()


async def start_forms(session: Session, run: FormRun, files: Sequence[FormFile]) -> None:
    """Register each form, and go on where it stands."""
    database, clock, report = session.archive.database, session.archive.clock, session.archive.report
    for file in files:
        said = file.said
        form = await database.run_async(register_form, said, file.text, clock.now())
        if form.state != RUNNING:
            report.note(f"{form.name} is {form.state}: {form.why}")
            continue
        inquiry = FormInquiry(form, said)
        if form.planned is None:
            inquiry.outside_words = _words_from_elsewhere(session, file)
        await _answer_from_archive(session, inquiry)
        await database.run_async(_resume, inquiry)
        run.inquiries[form.id] = inquiry
        await _read_captured(session, inquiry)


def _words_from_elsewhere(session: Session, file: FormFile) -> dict[str, str]:
    said, objects = file.said.words, session.archive.config.objects_folder
    ontology = file.folder / said.ontology if said.ontology else None
    return words_from_elsewhere(said, file.words, ontology, objects)


def _resume(connection: Connection, inquiry: FormInquiry) -> None:
    """Take up what the answers of this run showed before."""
    form = inquiry.form
    made = probes_in(connection, form.id, form.run)
    inquiry.asked = len(made)
    if form.planned is None:
        return
    inquiry.begin(form.planned, words_of_form(connection, form.id))
    for one in made:
        inquiry.note_first(one.probe)
    known = wrapper_of_form(connection, form.id)
    if known is None:
        return
    inquiry.wrapper_name, inquiry.wrapper = f"w{known[0]}", known[1]
    _take_again(connection, inquiry, made)


def _take_again(connection: Connection, inquiry: FormInquiry, made: Sequence[MadeProbe]) -> None:
    form = inquiry.form
    records, shown = probed_records(connection, form.id), sightings_in(connection, form.id, form.run)
    for one in made:
        if one.state == READ and one.probe.chosen_by != "page" and one.kind:
            found = tuple(records[key] for key in shown.get(one.id, ()))
            answered = Answered(
                probe=one.probe,
                kind=one.kind,
                records=found,
                total=one.total,
                next_url=one.next_url,
            )
            inquiry.take(answered)
    inquiry.note_behaviour()


async def _read_captured(session: Session, inquiry: FormInquiry) -> None:
    """Read answers that are in the archive and were not read before the last run ended."""
    from archiver.running.sources.forms import FormSource  # noqa: PLC0415 - which imports this room

    form, database = inquiry.form, session.archive.database
    source = next((one for one in session.sources if isinstance(one, FormSource)), None)
    captured = await database.run_async(probes_in, form.id, form.run, CAPTURED)
    if source is None:
        return
    for one in captured:
        if one.probe.chosen_by == "page" or inquiry.wrapper is not None:
            await source.read(inquiry, one.id)
    if inquiry.plan is not None and inquiry.wrapper is None and len(captured) >= _ENOUGH:
        await source.learn(inquiry)


async def _answer_from_archive(session: Session, inquiry: FormInquiry) -> None:
    """Answers that a run archived and could not note any more: they are not asked for again."""
    archive, form = session.archive, inquiry.form
    for one in await archive.database.run_async(probes_in, form.id, form.run, PENDING):
        found = _archived(session, one)
        if found is not None:
            target = FormProbe(id=one.id, form=form.name, form_id=form.id, probe=one.probe, url=one.url)
            fetch = FormFetch(target=target, url=found.url, capture=found)
            await archive.database.run_async(store_capture, fetch, form.run, archive.clock.now())


def _archived(session: Session, made: MadeProbe) -> Capture | None:
    """The answer to a probe in the WARC files of the archive; None where there is none, or a redirect."""
    config = session.archive.config
    for path in sorted(config.warc_folder.glob("*.warc.gz"), reverse=True)[:2]:
        try:
            for exchange in kept_exchanges(path):
                if exchange.url == made.url and exchange.date >= made.asked and exchange.status == 200:
                    return capture_of(exchange, Index(config.index_folder), config.warc_folder)
        except (ValueError, EOFError, zlib.error):
            continue
    return None
