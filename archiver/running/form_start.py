"""Forms at the start of a run: registered, and what earlier runs had of them taken up."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from msgspec import structs

from archiver.acquisition.forms.model import BESIDE, Answered
from archiver.acquisition.forms.rules import refuse_post, submission_for
from archiver.acquisition.items import FormFetch
from archiver.acquisition.targets import FormProbe
from archiver.archive.cdxj.index import Index
from archiver.archive.warc.exchanges import kept_exchanges
from archiver.clock import machine_now
from archiver.documents.pages.forms.description import written
from archiver.errors import ConfigurationError
from archiver.records.calling import called
from archiver.running.form_ending import FormRun, refuse_form
from archiver.running.form_run import FormInquiry
from archiver.running.form_words import by_source, words_from_elsewhere
from archiver.running.navigation_run import NavigationInquiry, navigation_form
from archiver.running.restoring.captures import capture_of
from archiver.store.asked_forms.answered import store_capture
from archiver.store.asked_forms.forms import (
    DONE,
    RUNNING,
    described_before,
    find_form,
    keep_wrapper,
    offer_words,
    register_form,
    words_of_form,
    wrapper_of_form,
)
from archiver.store.asked_forms.probes import PENDING, READ, mark_probe, probes_in
from archiver.store.asked_forms.records import probed_records, sightings_in
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.warc.exchanges import KeptExchange
    from archiver.archive.warc.records import Capture
    from archiver.documents.pages.forms.description import FormDescription
    from archiver.fields.model import FieldWrapper
    from archiver.records.model import RecordWrapper
    from archiver.running.session import Session
    from archiver.store.asked_forms.forms import AskedForm
    from archiver.store.asked_forms.probes import MadeProbe

# What leads on. After a POST, those that would send the same again are not followed.
_REDIRECTS, _SENT_AGAIN = frozenset({301, 302, 303}), frozenset({307, 308})


async def start_navigations(session: Session, run: FormRun, wrappers: Sequence[FieldWrapper]) -> None:
    """Register the lists that field wrappers navigate to, and go on where each stands."""
    database, clock, report = session.archive.database, session.archive.clock, session.archive.report
    for wrapper in wrappers:
        said, text = navigation_form(wrapper)
        form = await database.run_async(register_form, said, text, clock.now())
        if form.state != RUNNING:
            report.note(f"{form.name} is {form.state}: {form.why}")
            continue
        inquiry = NavigationInquiry(form, said, wrapper)
        await _answer_from_archive(session, inquiry)
        await database.run_async(_resume, inquiry)
        run.inquiries[form.id] = inquiry
        await _read_captured(session, inquiry)


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
        folder = str(file.folder.absolute())
        known = await database.run_async(find_form, said.form)
        form = await database.run_async(register_form, said, file.text, clock.now(), folder)
        if form.state != RUNNING:
            report.note(told_of_end(form))
            continue
        inquiry = FormInquiry(form, said, trial=run.trial)
        try:
            refuse_post(form.planned.method if form.planned else "", said, allows_post=run.allows_post)
        except ConfigurationError as error:
            await database.run_async(refuse_form, inquiry, str(error), report)
            continue
        before = described_before(known) if known is not None and form.planned is not None else None
        if before is not None and before.words == said.words:
            inquiry.outside_words = dict.fromkeys(file.words, "file")
        else:
            inquiry.outside_words = _words_from_elsewhere(session, file)
        await _answer_from_archive(session, inquiry)
        await database.run_async(_resume, inquiry)
        run.inquiries[form.id] = inquiry
        await _read_captured(session, inquiry)


def told_of_end(form: AskedForm) -> str:
    """Why a form is not asked by this run, and what has it asked again."""
    told = f"{form.name} is {form.state}: {form.why}"
    if form.state != DONE:
        return told
    if form.next_run is not None:
        return f"{told}; it is asked again from {form.next_run:%Y-%m-%d %H:%M} UTC on"
    return (
        f"{told}. To ask it again, change its file: another `budget`, other `words` or `inputs` begin a new "
        "run at once, `every: 1d` one after a day"
    )


def _words_from_elsewhere(session: Session, file: FormFile) -> dict[str, str]:
    said, objects = file.said.words, session.archive.config.objects_folder
    ontology = file.folder / said.ontology if said.ontology else None
    return words_from_elsewhere(said, file.words, ontology, objects)


def _resume(connection: Connection, inquiry: FormInquiry) -> None:
    """Take up what the answers of this run showed before, and what earlier runs learned."""
    form = inquiry.form
    made = probes_in(connection, form.id, form.run)
    inquiry.asked = len(made)
    if form.planned is not None:
        inquiry.begin(form.planned, words_of_form(connection, form.id))
        _offer_words(connection, inquiry)
    for one in made:
        inquiry.note_first(one.probe)
        inquiry.note_place(one)
    if inquiry.design:
        if inquiry.plan is not None:
            _take_again(connection, inquiry, made)
        return
    known = wrapper_of_form(connection, form.id)
    if known is None:
        return
    if form.planned is None and known[1].given != written(inquiry.said.answer.record):
        return  # it is learned anew from what this run will ask for
    inquiry.wrapper_name, inquiry.wrapper = _as_called(connection, inquiry, *known)
    if form.planned is not None:
        _take_again(connection, inquiry, made)


def _offer_words(connection: Connection, inquiry: FormInquiry) -> None:
    """Take words from elsewhere that came since the form's page was read."""
    if inquiry.design:
        return
    for source, some in by_source(inquiry.outside_words).items():
        offer_words(connection, inquiry.form.id, some, source)
        inquiry.offer(some, source)


def _as_called(
    connection: Connection, inquiry: FormInquiry, number: int, known: RecordWrapper
) -> tuple[str, RecordWrapper]:
    """The wrapper with the names of the form's file: where these are others, it is another wrapper."""
    wrapper = called(known, inquiry.said)
    if wrapper != known:
        number = keep_wrapper(connection, inquiry.form.id, wrapper, machine_now())
    return f"w{number}", wrapper


def _take_again(connection: Connection, inquiry: FormInquiry, made: Sequence[MadeProbe]) -> None:
    form = inquiry.form
    records, shown = probed_records(connection, form.id), sightings_in(connection, form.id, form.run)
    for one in made:
        if one.state == READ and one.probe.chosen_by not in BESIDE and one.kind:
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
    from archiver.running.sources.forms import FormSource  # noqa: PLC0415 - which imports this room

    for source in session.sources:
        if isinstance(source, FormSource):
            if not inquiry.design:
                await source.reader.learn_as_given(inquiry)
            await source.reader.resume(inquiry)


async def _answer_from_archive(session: Session, inquiry: FormInquiry) -> None:
    """Answers that a run archived and could not note any more: they are not asked for again."""
    archive, form = session.archive, inquiry.form
    for one in await archive.database.run_async(probes_in, form.id, form.run, PENDING):
        sent = submission_for(form.planned, one.probe) if form.planned is not None else None
        found = _archived(session, one, sent.identity if sent is not None else "")
        if isinstance(found, str):
            # It was submitted: what is left to ask for is where that led.
            probe = structs.replace(one.probe, url=found)
            await archive.database.run_async(mark_probe, one.id, probe=probe, url=found)
        elif found is not None:
            target = FormProbe(id=one.id, form=form.name, form_id=form.id, probe=one.probe, url=one.url)
            fetch = FormFetch(target=target, url=found.url, capture=found)
            await archive.database.run_async(store_capture, fetch, form.run, archive.clock.now())


def _archived(session: Session, made: MadeProbe, sent: str) -> Capture | str | None:
    """The answer to a probe in the WARC files of the archive, or where a redirect to it leads."""
    config, leads_to = session.archive.config, None
    for path in sorted(config.warc_folder.glob("*.warc.gz"), reverse=True)[:2]:
        try:
            found = answer_among(kept_exchanges(path), made, sent)
        except (ValueError, EOFError, zlib.error):
            continue
        if isinstance(found, str):
            leads_to = leads_to or found
        elif found is not None:
            return capture_of(found, Index(config.index_folder), config.warc_folder)
    return leads_to


def answer_among(exchanges: Iterable[KeptExchange], made: MadeProbe, sent: str) -> KeptExchange | str | None:
    """The answer to a probe among exchanges in their order, or where the last redirect leads.

    `sent` identifies what was submitted; what a redirect leads to is asked for by GET.
    """
    url = asked = request_url(made.url)
    for one in exchanges:
        if request_url(one.url) != url or one.submission != sent or one.date < made.asked:
            continue
        if one.status == HTTPStatus.OK:
            return one
        location = one.wire.header("Location")
        if location and one.status in (_REDIRECTS if sent else _REDIRECTS | _SENT_AGAIN):
            url, sent = request_url(urljoin(one.url, location)), ""
    return url if url != asked else None
