"""Forms: one request at a time of each, and none that was made before."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, overload

from archiver.acquisition.forms.model import BESIDE, Probe
from archiver.acquisition.forms.rules import address_of, submission_for
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.targets import FormProbe
from archiver.archive.warc.reader import read_response
from archiver.documents.robots import forbidding_line
from archiver.running.form_details import are_due, next_detail
from archiver.running.form_ending import end_inquiry, refuse_form
from archiver.running.form_reading import FormReader
from archiver.running.sources import Effects, Source
from archiver.store.asked_forms.answered import store_capture
from archiver.store.asked_forms.forms import RESTING, asked_since, change_form
from archiver.store.asked_forms.probes import (
    READ,
    mark_probe,
    note_brought,
    note_probe,
    pending_probe,
    was_made,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.items import FormFetch
    from archiver.running.form_run import FormInquiry
    from archiver.running.session import Session
    from archiver.running.sources import Room

# A site that refuses so often in a row is left alone for a day.
_REFUSALS = 3
_REST = timedelta(days=1)
_REFUSING = frozenset({Failure.RATE_LIMITED, Failure.UNAVAILABLE})
# Probes that were made before in this run are passed over; so many, and there is nothing left.
_PASSED = 200


class FormSource(Source[FormProbe]):
    """Asks each form of the run, as its answers suggest."""

    name = "forms"
    every = 2.0

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.per_host = 1
        self.reader = FormReader(session)
        self._robots: Counter[str] = Counter()  # requests for robots.txt that were counted, by origin

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
            is_idle = inquiry.is_ready and not room.busy
            if is_idle and pending_probe(connection, inquiry.form) is None:
                end_inquiry(connection, inquiry, "it gave no answers to learn from", room.now)
                continue
            target = self._next(connection, inquiry, room, hosts)
            if target is not None:
                found.append(target)
                hosts.add(target.host)
        return found

    def _next(
        self, connection: Connection, inquiry: FormInquiry, room: Room, hosts: set[str]
    ) -> FormProbe | None:
        left = submitting(inquiry, pending_probe(connection, inquiry.form))
        if left is not None:
            return None if left.id in room.busy or left.host in hosts else left
        if inquiry.host in hosts or inquiry.is_ready:
            return None
        if inquiry.asked >= (most := inquiry.said.budget.requests):
            end_inquiry(connection, inquiry, f"its budget of {most} requests is spent", room.now)
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
            probe = self._probe(connection, inquiry)
            if probe is None:
                break
            if probe.chosen_by not in BESIDE and inquiry.plan is not None:
                url = address_of(inquiry.plan, probe)
            else:
                url = probe.url
            if probe.page > 1 and not inquiry.may_follow(url, probe.words):
                inquiry.dead_end(probe)
                continue
            inquiry.note_first(probe)
            if not was_made(connection, inquiry.form, probe.key):
                inquiry.asked += 1
                return submitting(inquiry, note_probe(connection, inquiry.form, probe, url, now))
        if inquiry.trial:
            inquiry.stop("it was tried")
        elif not inquiry.is_ready and not inquiry.is_over:
            self.reader.tell_unknown(inquiry)
            end_inquiry(connection, inquiry, "nothing more is expected", now)
        return None

    def _probe(self, connection: Connection, inquiry: FormInquiry) -> Probe | None:
        """Records' own pages come when nothing else does, or when the budget is needed for them."""
        if inquiry.suggestions:
            return inquiry.suggestions.pop(0)
        if inquiry.is_ready or inquiry.trial:
            return inquiry.next_probe()
        first = next_detail(connection, inquiry) if are_due(connection, inquiry) else None
        return first or inquiry.next_probe() or next_detail(connection, inquiry)

    # What came

    async def store(self, answer: FormFetch) -> Effects:
        archive, run = self.session.archive, self.session.form_run
        if run is None:
            return Effects()
        inquiry, now = run.inquiries[answer.target.form_id], archive.clock.now()
        brought = list(self._brought(answer))
        inquiry.asked += await archive.database.run_async(note_brought, inquiry.form, brought, now)
        if answer.failed is not None or answer.capture is None:
            await archive.database.run_async(self._failed, inquiry, answer, now)
            if answer.target.probe.chosen_by == "detail":
                await self.reader.after_failed_detail(inquiry)
            elif inquiry.is_ready and not inquiry.is_over:
                await self.reader.learn(inquiry)  # it was the last of the first ones
            return Effects(wants=(self.name,))
        await archive.database.run_async(store_capture, answer, inquiry.form.run, now)
        await self.reader.read(inquiry, answer.target.id)
        return Effects(wants=(self.name,))

    def _brought(self, answer: FormFetch) -> Iterator[Probe]:
        """Requests that count beside the one that was meant: robots.txt, and where redirects led."""
        number = answer.target.id
        for url in answer.redirects:
            yield Probe(chosen_by="redirect", url=url, number=number)
        for origin in dict.fromkeys(map(_origin, (answer.target.url, *answer.redirects))):
            if (asked := self.session.robots_asked[origin]) > self._robots[origin]:
                self._robots[origin] = asked
                yield Probe(chosen_by="robots", url=f"{origin}/robots.txt", number=number)

    def _failed(self, connection: Connection, inquiry: FormInquiry, answer: FormFetch, now: datetime) -> None:
        failure = answer.failed.failure if answer.failed is not None else Failure.INTERNAL
        chosen_by, url = answer.target.probe.chosen_by, answer.target.url
        report, is_refusing = self.session.archive.report, failure in _REFUSING
        is_refused = is_refusing or failure in {Failure.REFUSED, Failure.ROBOTS}
        mark_probe(connection, answer.target.id, state=READ, kind="refused" if is_refused else "error")
        inquiry.refusals = inquiry.refusals + 1 if is_refusing else 0
        change_form(connection, inquiry.form.id, refusals=inquiry.refusals)
        if chosen_by == "detail" and is_refused and not is_refusing:
            inquiry.follows = False
            report.note(f"{inquiry.form.name}: pages of records are not fetched: {url} is refused")
        elif chosen_by in {"opensearch", "suggestions"} and inquiry.refusals < _REFUSALS:
            inquiry.suggestions = []
            report.note(f"{inquiry.form.name}: words are not suggested: {url} was not answered ({failure})")
        elif failure is Failure.ROBOTS:
            told = f"robots.txt does not allow {url}{self._by_line(answer.url)}"
            refuse_form(connection, inquiry, told, report)
        elif chosen_by == "page":
            told = f"{failure} {answer.failed.detail if answer.failed is not None else ''}"
            refuse_form(connection, inquiry, f"{url} could not be fetched: {told}", report)
        elif inquiry.refusals >= _REFUSALS or failure is Failure.REFUSED:
            self._rest(connection, inquiry, now)
        else:
            inquiry.take_failure(answer.target.probe)

    def _by_line(self, url: str) -> str:
        """Which line of robots.txt forbids an address, where that is at hand."""
        origin, run = _origin(url), self.session.form_run
        capture = self.session.robots.get(origin)
        if capture is None or run is None:
            return ""
        content = read_response(self.session.archive.config.warc_folder, capture.file, capture.offset).content
        line = forbidding_line(content, run.agent, url)
        return "" if line is None else f", by its line {line.number} ({line.text})"

    def _rest(self, connection: Connection, inquiry: FormInquiry, now: datetime) -> None:
        inquiry.stop(f"the site refused {inquiry.refusals or 1} times in a row: asked again after a day")
        change_form(connection, inquiry.form.id, state=RESTING, why=inquiry.why, rest_until=now + _REST)
        self.session.archive.report.note(f"{inquiry.form.name}: {inquiry.why}")


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


@overload
def submitting(inquiry: FormInquiry, target: FormProbe) -> FormProbe: ...
@overload
def submitting(inquiry: FormInquiry, target: None) -> None: ...
def submitting(inquiry: FormInquiry, target: FormProbe | None) -> FormProbe | None:
    """The probe with what it sends, where the form is one of POST."""
    if target is None or inquiry.plan is None or target.probe.chosen_by in BESIDE:
        return target
    return replace(target, submission=submission_for(inquiry.plan, target.probe))
