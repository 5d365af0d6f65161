"""Answers of forms, read from the archive: the form's page, what its answers list, and records' own pages."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import BESIDE
from archiver.clock import machine_now
from archiver.documents.pages.forms.description import written
from archiver.errors import ConfigurationError, ExtractionError
from archiver.records.calling import called, named_as, unknown_names
from archiver.running.form_details import DETAILS
from archiver.running.form_ending import end_inquiry, refuse_form
from archiver.running.form_learning import learned_from
from archiver.running.form_suggestions import description_probes, read_beside
from archiver.running.form_words import by_source, option_words
from archiver.running.workers.forms import (
    DetailRead,
    KnownDetail,
    LearnDetails,
    ReadAnswer,
    ReadDetail,
    ReadFormPage,
)
from archiver.running.workers.listed import ReadListed, ReadListedDetail
from archiver.store.asked_forms.answered import made_probe, store_answer
from archiver.store.asked_forms.details import store_detail
from archiver.store.asked_forms.forms import (
    change_form,
    change_wrapper,
    keep_wrapper,
    offer_words,
    words_of_form,
)
from archiver.store.asked_forms.probes import CAPTURED, PENDING, READ, mark_probe, mark_read, probes_in
from archiver.store.asked_forms.records import records_with_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.forms.answers import AnswerPageRead
    from archiver.records.model import RecordWrapper
    from archiver.running.form_run import FormInquiry
    from archiver.running.session import Session
    from archiver.running.workers import DocumentPlace, DocumentTask
    from archiver.running.workers.forms import FormPageRead
    from archiver.store.asked_forms.probes import MadeProbe

logger = logging.getLogger(__name__)

# Answers on which a wrapper finds nothing, though they list something: so many, and it is learned anew.
_OUTDATED = 3
# Answers that records can be learned from, where a run ended before it did so.
_ENOUGH = 8


class FormReader:
    """Reads what a run has archived of forms."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def read(self, inquiry: FormInquiry, probe_id: int) -> None:
        """Read an answer that is in the archive; or the form's page."""
        made = await self._session.archive.database.run_async(made_probe, probe_id)
        inquiry.note_place(made)
        if made.probe.chosen_by == "page":
            await self._read_page(inquiry, made)
        elif made.probe.chosen_by in {"opensearch", "suggestions"}:
            await read_beside(self._session.archive, inquiry, made, self._place(made))
        elif inquiry.trial:
            return  # it is read when the form is crawled
        elif made.probe.chosen_by == "detail":
            await self._read_detail(inquiry, made)
        elif inquiry.can_read:
            await self._read_answer(inquiry, made)
        elif inquiry.is_ready:
            await self.learn(inquiry)

    # The form

    async def _read_page(self, inquiry: FormInquiry, made: MadeProbe) -> None:
        archive = self._session.archive
        task = ReadFormPage(**self._place(made), path=inquiry.said.select.path)
        try:
            read = await archive.workers.run(task)
        except ExtractionError as error:
            read = task.unread(str(error))
        await archive.database.run_async(self._begun, inquiry, made, read)

    def _begun(
        self, connection: Connection, inquiry: FormInquiry, made: MadeProbe, read: FormPageRead
    ) -> None:
        run, report = self._session.form_run, self._session.archive.report
        mark_probe(connection, made.id, state=READ)
        if read.forms is None or run is None:
            refuse_form(connection, inquiry, f"{made.url} could not be read: {read.problem}", report)
            return
        try:
            plan = inquiry.planned(read.forms, read.number, allows_post=run.allows_post)
        except ConfigurationError as error:
            refuse_form(connection, inquiry, str(error), report)
            return
        if unknown := inquiry.unknown_inputs(read.forms, read.number):
            told = f"{inquiry.form.name}: the form has no input called {', '.join(unknown)}"
            report.note(f"{told}; `scrapy forms look {made.url}` lists them")
        words = dict.fromkeys(read.words, "page") if "page" in inquiry.said.words.sources else {}
        words |= option_words(plan) if "options" in inquiry.said.words.sources else {}
        words = inquiry.outside_words | words
        for source, some in by_source(words).items():
            offer_words(connection, inquiry.form.id, some, source)
        change_form(connection, inquiry.form.id, planned=plan)
        inquiry.begin(plan, words | words_of_form(connection, inquiry.form.id))
        inquiry.suggestions = description_probes(inquiry, read.forms)

    # Answers

    async def _read_answer(self, inquiry: FormInquiry, made: MadeProbe) -> None:
        archive = self._session.archive
        is_detail = self._is_detail(inquiry, made)
        if is_detail and await self._waits_for_details(inquiry):
            return
        task = self._task(inquiry, made, is_detail=is_detail)
        try:
            read: AnswerPageRead = await archive.workers.run(task)
        except ExtractionError as error:
            read = task.unread(str(error))
        if inquiry.is_outdated(made.probe, read):
            await self._outdated(inquiry, made)
            return
        await self._settle(inquiry, made, read)

    def _task(
        self, inquiry: FormInquiry, made: MadeProbe, *, is_detail: bool
    ) -> DocumentTask[AnswerPageRead]:
        if inquiry.design:
            return ReadListed(**self._place(made), design=inquiry.design)
        return ReadAnswer(
            **self._place(made),
            words=made.probe.words,
            wrapper=inquiry.wrapper,
            none=inquiry.said.answer.none,
            next=written(inquiry.said.answer.next),
            is_detail=is_detail,
        )

    async def _settle(self, inquiry: FormInquiry, made: MadeProbe, read: AnswerPageRead) -> None:
        archive = self._session.archive
        counts = await archive.write(
            store_answer,
            (inquiry.form, inquiry.wrapper_name),
            made,
            read,
            machine_now(),
            judge=inquiry.judged,
            take=inquiry.take,
        )
        archive.report.records["new"] += counts.added
        archive.report.records["changed"] += counts.changed
        archive.report.records["unchanged"] += counts.unchanged

    def _is_detail(self, inquiry: FormInquiry, made: MadeProbe) -> bool:
        """True where a redirect led away from the search."""
        is_known = bool(made.answered_by and inquiry.plan is not None and not inquiry.design)
        return is_known and not inquiry.may_follow(made.answered_by, made.probe.words)

    async def _outdated(self, inquiry: FormInquiry, made: MadeProbe) -> None:
        """The wrapper finds nothing on an answer that lists something: after several, learn it anew."""
        inquiry.wait_for_wrapper(made)
        if len(inquiry.outdated) < _OUTDATED:
            return
        waiting, inquiry.outdated = inquiry.outdated, []
        archive, name = self._session.archive, inquiry.form.name
        wrapper = (await learned_from(archive, inquiry, waiting)).wrapper
        if wrapper is None:
            inquiry.relearns = False
            archive.report.note(f"{name}: its answers look different, and no records were found on them")
        else:
            await self._keep(inquiry, wrapper)
            archive.report.note(f"{name}: its answers look different: a wrapper was learned anew")
        for one in waiting:
            await self._read_answer(inquiry, one)

    async def learn(self, inquiry: FormInquiry) -> None:
        """Learn where records stand from the answers so far, and read them; else ask for more words."""
        archive, form = self._session.archive, inquiry.form
        kept = await archive.database.run_async(probes_in, form.id, form.run, CAPTURED)
        found = await learned_from(archive, inquiry, kept)
        if found.wrapper is None:
            if not inquiry.more_words():
                why = "no records were found on its answers"
                await archive.database.run_async(end_inquiry, inquiry, why, archive.clock.now())
            return
        if inquiry.ask_first(found.probes):
            return  # for names of attributes; then it is learned once more
        await self._keep(inquiry, found.wrapper)
        for one in kept:
            await self._read_answer(inquiry, one)
        inquiry.note_behaviour()

    async def learn_as_given(self, inquiry: FormInquiry) -> None:
        """The form's file says otherwise than before where records are: learn a wrapper by that."""
        archive, form = self._session.archive, inquiry.form
        given = written(inquiry.said.answer.record)
        if inquiry.wrapper is None or inquiry.wrapper.given == given:
            return
        made = await archive.database.run_async(probes_in, form.id, form.run)
        wrapper = (await learned_from(archive, inquiry, made)).wrapper
        if wrapper is not None:
            await self._keep(inquiry, wrapper)
        else:
            archive.report.note(f"{form.name}: `answer: record` leads to nothing on its answers")

    async def _keep(self, inquiry: FormInquiry, wrapper: RecordWrapper) -> None:
        archive, form = self._session.archive, inquiry.form
        wrapper = called(named_as(wrapper, inquiry.wrapper), inquiry.said)
        number = await archive.database.run_async(keep_wrapper, form.id, wrapper, archive.clock.now())
        inquiry.wrapper, inquiry.wrapper_name = wrapper, f"w{number}"
        inquiry.details = None

    # Records' own pages

    async def _waits_for_details(self, inquiry: FormInquiry) -> bool:
        """True for the page of a record that is read when it is known what such pages say."""
        if inquiry.wrapper is None or inquiry.wrapper.detail_columns:
            return False
        await self.begin_details(inquiry)
        return bool(inquiry.details)

    async def begin_details(self, inquiry: FormInquiry) -> None:
        """Choose the records whose pages are learned from."""
        if inquiry.details is None:
            found = await self._session.archive.database.run_async(
                records_with_pages, inquiry.form.id, DETAILS
            )
            inquiry.details = list(found)

    async def _read_detail(self, inquiry: FormInquiry, made: MadeProbe) -> None:
        if not inquiry.design and (inquiry.wrapper is None or inquiry.details):
            return  # others are fetched before anything is learned
        if not inquiry.knows_details:
            await self._learn_details(inquiry)
            return
        archive = self._session.archive
        place = self._place(made)
        task: DocumentTask[DetailRead] = (
            ReadListedDetail(**place, design=inquiry.design)
            if inquiry.design
            else ReadDetail(**place, wrapper=inquiry.known_wrapper)
        )
        try:
            found = (await archive.workers.run(task)).attributes
        except ExtractionError as error:
            logger.warning("Could not read %s: %s", made.url, error)
            found = {}
        asked = inquiry.form, inquiry.wrapper_name
        is_new = await archive.write(store_detail, asked, made, found, machine_now())
        archive.report.records["changed"] += is_new

    async def _learn_details(self, inquiry: FormInquiry) -> None:
        """Learn from the pages of some records, and read what waited for that."""
        archive, form = self._session.archive, inquiry.form
        kept = await archive.database.run_async(probes_in, form.id, form.run, CAPTURED)
        known = await archive.database.run_async(records_with_pages, form.id, DETAILS)
        shown = tuple(
            KnownDetail(url=one.url, file=one.capture.file, offset=one.capture.offset, values=known[one.url])
            for one in kept
            if one.probe.chosen_by == "detail" and one.capture is not None and one.url in known
        )
        assert inquiry.wrapper is not None  # noqa: S101 - the caller looked
        task = LearnDetails(folder=str(archive.config.warc_folder), wrapper=inquiry.wrapper, shown=shown)
        try:
            wrapper = (await archive.workers.run(task)).wrapper
        except ExtractionError as error:
            logger.warning("Could not learn from the records of %s: %s", form.name, error)
            wrapper = None
        if wrapper is not None:
            inquiry.wrapper = called(wrapper, inquiry.said)
            await archive.database.run_async(change_wrapper, int(inquiry.wrapper_name[1:]), inquiry.wrapper)
        await self._read_waiting(inquiry, kept)

    async def _read_waiting(self, inquiry: FormInquiry, kept: Sequence[MadeProbe]) -> None:
        assert inquiry.wrapper is not None  # noqa: S101 - as above
        says_more = bool(inquiry.wrapper.detail_columns)
        inquiry.follows = inquiry.follows and says_more
        for one in kept:
            if one.probe.chosen_by != "detail":
                await self._read_answer(inquiry, one)
            elif says_more and inquiry.said.detail.follow:
                await self._read_detail(inquiry, one)
            else:
                await self._session.archive.database.run_async(mark_read, one.id)

    async def after_failed_detail(self, inquiry: FormInquiry) -> None:
        """The page of a record did not come: it is learned from the others."""
        if inquiry.wrapper is not None and not inquiry.details and not inquiry.knows_details:
            await self._learn_details(inquiry)

    async def resume(self, inquiry: FormInquiry) -> None:
        """Read answers that are in the archive and were not read before the last run ended."""
        database, form = self._session.archive.database, inquiry.form
        captured = await database.run_async(probes_in, form.id, form.run, CAPTURED)
        described = await database.run_async(probes_in, form.id, form.run, READ)
        for one in described:
            if one.probe.chosen_by == "opensearch" and one.capture is not None and not inquiry.can_read:
                await self.read(inquiry, one.id)  # what it says to ask may not all have been asked
        for one in captured:
            if one.probe.chosen_by in BESIDE - {"detail"} or (
                inquiry.can_read and (one.probe.chosen_by != "detail" or inquiry.knows_details)
            ):
                await self.read(inquiry, one.id)
        if inquiry.wrapper is not None and not inquiry.wrapper.detail_columns:
            await self._resume_details(inquiry)
        if inquiry.plan is not None and not inquiry.can_read and len(captured) >= _ENOUGH:
            if await database.run_async(probes_in, form.id, form.run, PENDING):
                inquiry.ask_first(())  # it is learned when the answer is there
            else:
                await self.learn(inquiry)

    async def _resume_details(self, inquiry: FormInquiry) -> None:
        """Go on with the pages that are learned from, where some of them were fetched."""
        database, form = self._session.archive.database, inquiry.form
        made = await database.run_async(probes_in, form.id, form.run)
        asked = {one.url for one in made if one.probe.chosen_by == "detail"}
        if not asked and not inquiry.details:
            return
        chosen = await database.run_async(records_with_pages, form.id, DETAILS)
        inquiry.details = [url for url in chosen if url not in asked]
        if not inquiry.details and any(one.state == CAPTURED for one in made):
            await self._learn_details(inquiry)

    def tell_unknown(self, inquiry: FormInquiry) -> None:
        """Tell of names in the form's file that no attribute has."""
        said = inquiry.said
        if inquiry.wrapper is not None and (unknown := unknown_names(inquiry.wrapper, said)):
            told = f"{inquiry.form.name}: no attribute is called {', '.join(unknown)}"
            self._session.archive.report.note(f"{told}; `scrapy forms schema {inquiry.form.name}` lists them")

    def _place(self, made: MadeProbe) -> DocumentPlace:
        assert made.capture is not None  # noqa: S101 - it is in the archive
        folder = str(self._session.archive.config.warc_folder)
        return {
            "url": made.answered_by or made.url,
            "folder": folder,
            "file": made.capture.file,
            "offset": made.capture.offset,
        }
