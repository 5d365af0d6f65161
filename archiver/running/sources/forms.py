"""Forms: one request at a time of each, and none that was made before."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.forms.rules import address_of, is_further_page, planned
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.targets import FormProbe
from archiver.clock import machine_now
from archiver.errors import ConfigurationError, ExtractionError
from archiver.running.form_run import option_words
from archiver.running.form_words import by_source
from archiver.running.sources import Effects, Source
from archiver.running.workers.forms import (
    KeptAnswer,
    KnownDetail,
    LearnDetails,
    LearnRecords,
    ReadAnswer,
    ReadFormPage,
)
from archiver.store.asked_forms.answered import keep_mappings, made_probe, store_answer, store_capture
from archiver.store.asked_forms.forms import (
    REFUSED,
    RESTING,
    asked_since,
    change_form,
    change_wrapper,
    end_run,
    keep_wrapper,
    offer_words,
)
from archiver.store.asked_forms.probes import (
    CAPTURED,
    READ,
    mark_probe,
    mark_read,
    note_probe,
    pending_probe,
    probes_in,
    was_made,
)
from archiver.store.asked_forms.records import records_with_pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.forms.answers import AnswerPageRead
    from archiver.acquisition.items import FormFetch
    from archiver.acquisition.outcomes import Failed
    from archiver.running.form_run import FormInquiry
    from archiver.running.session import Session
    from archiver.running.sources import Room
    from archiver.running.workers import DocumentPlace
    from archiver.running.workers.forms import FormPageRead
    from archiver.store.asked_forms.probes import MadeProbe

logger = logging.getLogger(__name__)

# A site that refuses so often in a row is left alone for a day.
_REFUSALS = 3
_REST = timedelta(days=1)
_REFUSING = frozenset({Failure.RATE_LIMITED, Failure.UNAVAILABLE})
# Probes that were made before in this run are passed over; so many, and there is nothing left.
_PASSED = 200
_DETAILS = 4  # pages of records that are learned from
# Answers that are learned from, at most.
_LEARNED_FROM = 12


class FormSource(Source[FormProbe]):
    """Asks each form of the run, as its answers suggest."""

    name = "forms"
    every = 2.0

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.per_host = 1

    # What is due

    def due(self, connection: Connection, room: Room) -> Sequence[FormProbe]:
        run = self.session.form_run
        if run is None:
            return ()
        found: list[FormProbe] = []
        hosts = set(room.full) | {host for host, count in room.at_host.items() if count}
        for inquiry in run.inquiries.values():
            if inquiry.is_over or len(found) >= room.limit:
                continue
            if inquiry.is_ready and not room.busy:
                self._end(connection, inquiry, "it gave no answers to learn from", room.now)
                continue
            target = self._next(connection, inquiry, room, hosts)
            if target is not None:
                found.append(target)
                hosts.add(target.host)
        return found

    def _next(
        self, connection: Connection, inquiry: FormInquiry, room: Room, hosts: set[str]
    ) -> FormProbe | None:
        left = pending_probe(connection, inquiry.form)
        if left is not None:
            return None if left.id in room.busy or left.host in hosts else left
        if inquiry.host in hosts or inquiry.is_ready:
            return None
        if inquiry.asked >= (most := inquiry.said.budget.requests):
            self._end(connection, inquiry, f"its budget of {most} requests is spent", room.now)
            return None
        if self._is_day_full(connection, inquiry, room.now):
            # It goes on in a later run.
            inquiry.stop(f"it was asked {inquiry.said.budget.per_day} times within a day")
            return None
        return self._new(connection, inquiry, room.now)

    def _is_day_full(self, connection: Connection, inquiry: FormInquiry, now: datetime) -> bool:
        asked = asked_since(connection, inquiry.form.id, now - timedelta(days=1))
        return asked >= inquiry.said.budget.per_day

    def _new(self, connection: Connection, inquiry: FormInquiry, now: datetime) -> FormProbe | None:
        for _ in range(_PASSED):
            probe = inquiry.next_probe()
            if probe is None:
                break
            if probe.chosen_by not in {"page", "detail"} and inquiry.plan is not None:
                url = address_of(inquiry.plan, probe)
            else:
                url = probe.url
            if probe.page > 1 and inquiry.plan is not None and not is_further_page(inquiry.plan, url):
                inquiry.dead_end(probe)
                continue
            inquiry.note_first(probe)
            if not was_made(connection, inquiry.form, probe.key):
                inquiry.asked += 1
                return note_probe(connection, inquiry.form, probe, url, now)
        if not inquiry.is_ready and not inquiry.is_over:
            self._end(connection, inquiry, "nothing more is expected", now)
        return None

    def _end(self, connection: Connection, inquiry: FormInquiry, why: str, now: datetime) -> None:
        inquiry.stop(inquiry.why or why)
        every = inquiry.said.every
        keep_mappings(connection, inquiry.form.id, inquiry.mappings)
        values = {"behaviour": inquiry.behaviour()}
        if inquiry.prober is not None:
            values["coverage"] = inquiry.prober.coverage  # type: ignore[assignment] # a column each
        change_form(connection, inquiry.form.id, **values)
        end_run(connection, inquiry.form, inquiry.why, now, None if every is None else now + every)

    # What came

    async def store(self, answer: FormFetch) -> Effects:
        archive, run = self.session.archive, self.session.form_run
        if run is None:
            return Effects()
        inquiry, now = run.inquiries[answer.target.form_id], archive.clock.now()
        if answer.failed is not None or answer.capture is None:
            await archive.database.run_async(self._failed, inquiry, answer, now)
            return Effects(wants=(self.name,))
        await archive.database.run_async(store_capture, answer, inquiry.form.run, now)
        await self.read(inquiry, answer.target.id)
        return Effects(wants=(self.name,))

    async def read(self, inquiry: FormInquiry, probe_id: int) -> None:
        """Read an answer that is in the archive; or the form's page."""
        database = self.session.archive.database
        made = await database.run_async(made_probe, probe_id)
        if made.probe.chosen_by == "page":
            await self._read_page(inquiry, made)
        elif made.probe.chosen_by == "detail":
            await self._learn_details(inquiry)
        elif inquiry.wrapper is not None:
            await self._read_answer(inquiry, made)
        elif inquiry.is_ready:
            await self.learn(inquiry)

    async def _read_page(self, inquiry: FormInquiry, made: MadeProbe) -> None:
        archive = self.session.archive
        task = ReadFormPage(**self._place(made))
        try:
            read = await archive.workers.run(task)
        except ExtractionError as error:
            read = task.unread(str(error))
        await archive.database.run_async(self._begun, inquiry, made, read)

    def _begun(
        self, connection: Connection, inquiry: FormInquiry, made: MadeProbe, read: FormPageRead
    ) -> None:
        run = self.session.form_run
        mark_probe(connection, made.id, state=READ)
        if read.forms is None or run is None:
            self._refuse(connection, inquiry, f"{made.url} could not be read: {read.problem}")
            return
        try:
            plan = planned(read.forms, inquiry.said, allows_post=run.allows_post)
        except ConfigurationError as error:
            self._refuse(connection, inquiry, str(error))
            return
        words = dict.fromkeys(read.words, "page") if "page" in inquiry.said.words.sources else {}
        words |= option_words(plan) if "options" in inquiry.said.words.sources else {}
        words = inquiry.outside_words | words
        for source, some in by_source(words).items():
            offer_words(connection, inquiry.form.id, some, source)
        change_form(connection, inquiry.form.id, planned=plan)
        inquiry.begin(plan, words)

    def _refuse(self, connection: Connection, inquiry: FormInquiry, why: str) -> None:
        inquiry.stop(why)
        change_form(connection, inquiry.form.id, state=REFUSED, why=why)
        self.session.archive.report.error(f"{inquiry.form.name}: {why}")
        logger.warning("%s is not asked: %s", inquiry.form.name, why)

    async def _read_answer(self, inquiry: FormInquiry, made: MadeProbe) -> None:
        archive = self.session.archive
        is_detail = self._is_detail(inquiry, made)
        if is_detail and inquiry.wrapper is not None and not inquiry.wrapper.detail_columns:
            if inquiry.details is None:
                found = await archive.database.run_async(records_with_pages, inquiry.form.id, _DETAILS)
                inquiry.details = list(found)
            if inquiry.details:
                return  # it is read when it is known what such pages say
        task = ReadAnswer(
            **self._place(made),
            words=made.probe.words,
            wrapper=inquiry.wrapper,
            none=inquiry.said.answer.none,
            is_detail=is_detail,
        )
        try:
            read: AnswerPageRead = await archive.workers.run(task)
        except ExtractionError as error:
            read = task.unread(str(error))
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
        plan = inquiry.plan
        return bool(made.answered_by and plan is not None and not is_further_page(plan, made.answered_by))

    async def _learn_details(self, inquiry: FormInquiry) -> None:
        """Learn from the pages of some records, and read what waited for that."""
        archive, form = self.session.archive, inquiry.form
        if inquiry.details or inquiry.wrapper is None:
            return
        kept = await archive.database.run_async(probes_in, form.id, form.run, CAPTURED)
        known = await archive.database.run_async(records_with_pages, form.id, _DETAILS)
        shown = tuple(
            KnownDetail(url=one.url, file=one.capture.file, offset=one.capture.offset, values=known[one.url])
            for one in kept
            if one.probe.chosen_by == "detail" and one.capture is not None and one.url in known
        )
        task = LearnDetails(folder=str(archive.config.warc_folder), wrapper=inquiry.wrapper, shown=shown)
        try:
            wrapper = (await archive.workers.run(task)).wrapper
        except ExtractionError as error:
            logger.warning("Could not learn from the records of %s: %s", form.name, error)
            wrapper = None
        if wrapper is not None:
            inquiry.wrapper = wrapper
            await archive.database.run_async(change_wrapper, int(inquiry.wrapper_name[1:]), wrapper)
        for one in kept:
            if one.probe.chosen_by == "detail":
                await archive.database.run_async(mark_read, one.id)
            else:
                await self._read_answer(inquiry, one)

    async def learn(self, inquiry: FormInquiry) -> None:
        """Learn where records stand from the answers so far, and read them; else ask for more words."""
        archive = self.session.archive
        form = inquiry.form
        kept = await archive.database.run_async(probes_in, form.id, form.run, CAPTURED)
        chosen = [one for one in kept if one.probe.chosen_by not in {"nonsense", "page"} and one.capture][
            -_LEARNED_FROM:
        ]
        answers = tuple(
            KeptAnswer(
                url=one.answered_by, file=one.capture.file, offset=one.capture.offset, words=one.probe.words
            )
            for one in chosen
            if one.capture is not None
        )
        task = LearnRecords(folder=str(archive.config.warc_folder), answers=answers)
        wrapper = None
        try:
            wrapper = (await archive.workers.run(task)).wrapper if answers else None
        except ExtractionError as error:
            logger.warning("Could not learn from the answers of %s: %s", form.name, error)
        if wrapper is None:
            if not inquiry.more_words():
                await archive.database.run_async(
                    self._end, inquiry, "no records were found on its answers", archive.clock.now()
                )
            return
        number = await archive.database.run_async(keep_wrapper, form.id, wrapper, archive.clock.now())
        inquiry.wrapper, inquiry.wrapper_name = wrapper, f"w{number}"
        for one in kept:
            await self._read_answer(inquiry, one)
        inquiry.note_behaviour()

    def _failed(self, connection: Connection, inquiry: FormInquiry, answer: FormFetch, now: datetime) -> None:
        failed: Failed | None = answer.failed
        failure = failed.failure if failed is not None else Failure.INTERNAL
        detail = failed.detail if failed is not None else ""
        if failure is Failure.ROBOTS:
            self._refuse(connection, inquiry, f"robots.txt does not allow {answer.target.url}")
            mark_probe(connection, answer.target.id, state=READ, kind="refused")
            return
        refusals = inquiry.refusals + 1 if failure in _REFUSING else 0
        inquiry.refusals = refusals
        kind = "refused" if failure in _REFUSING or failure is Failure.REFUSED else "error"
        mark_probe(connection, answer.target.id, state=READ, kind=kind)
        change_form(connection, inquiry.form.id, refusals=refusals)
        if answer.target.probe.chosen_by == "page":
            self._refuse(connection, inquiry, f"{answer.target.url} could not be fetched: {failure} {detail}")
        elif refusals >= _REFUSALS or failure is Failure.REFUSED:
            inquiry.stop(f"the site refused {refusals or 1} times in a row: asked again after a day")
            change_form(connection, inquiry.form.id, state=RESTING, why=inquiry.why, rest_until=now + _REST)
            self.session.archive.report.note(f"{inquiry.form.name}: {inquiry.why}")
        else:
            inquiry.take_failure(answer.target.probe)

    def _place(self, made: MadeProbe) -> DocumentPlace:
        assert made.capture is not None  # noqa: S101 - it is in the archive
        folder = str(self.session.archive.config.warc_folder)
        return {
            "url": made.answered_by or made.url,
            "folder": folder,
            "file": made.capture.file,
            "offset": made.capture.offset,
        }
