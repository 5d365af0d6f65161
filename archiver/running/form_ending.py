"""The forms of a run, and their end: what was learned of each is noted, and told."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.store.asked_forms.answered import keep_mappings
from archiver.store.asked_forms.forms import REFUSED, change_form, end_run

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.forms.coverage import Coverage
    from archiver.running.form_run import FormInquiry
    from archiver.running.report import RunReport

logger = logging.getLogger(__name__)


def end_inquiry(connection: Connection, inquiry: FormInquiry, why: str, now: datetime) -> None:
    """A run of the form is over: note why, what was learned, and when the next one begins."""
    inquiry.stop(inquiry.why or why)
    every = inquiry.said.every
    keep_mappings(connection, inquiry.form.id, inquiry.mappings)
    values: dict[str, object] = {"behaviour": inquiry.behaviour()}
    if inquiry.prober is not None:
        values["coverage"] = inquiry.prober.coverage
    change_form(connection, inquiry.form.id, **values)
    end_run(connection, inquiry.form, inquiry.why, now, None if every is None else now + every)


def refuse_form(connection: Connection, inquiry: FormInquiry, why: str, report: RunReport) -> None:
    """The form must not be asked, or cannot."""
    inquiry.stop(why)
    change_form(connection, inquiry.form.id, state=REFUSED, why=why)
    report.error(f"{inquiry.form.name}: {why}")
    logger.warning("%s is not asked: %s", inquiry.form.name, why)


class FormRun:
    """All forms of a run, by their numbers in the state store."""

    def __init__(self, *, allows_post: bool, trial: int = 0, agent: str = "") -> None:
        self.allows_post = allows_post
        self.agent = agent  # as robots.txt calls us
        self.trial = trial
        self.inquiries: dict[int, FormInquiry] = {}

    def end(self, connection: Connection) -> list[str]:
        """Note what was estimated, also of forms that go on in another run; each in words."""
        return [_told(connection, one) for one in self.inquiries.values()]


def _told(connection: Connection, inquiry: FormInquiry) -> str:
    prober, form = inquiry.prober, inquiry.form
    if inquiry.design:
        return f"{form.name}: {inquiry.records:,} records, {inquiry.asked:,} requests; {inquiry.why}"
    if prober is None or inquiry.trial:
        return f"{form.name}: {inquiry.why or 'nothing was asked'}"
    coverage = prober.coverage
    change_form(connection, form.id, coverage=coverage, behaviour=inquiry.behaviour())
    inquiry.learn_mappings()
    keep_mappings(connection, form.id, inquiry.mappings)
    why = inquiry.why or "another run goes on"
    return f"{form.name}: {coverage.seen:,} records{in_all(coverage)}, {inquiry.asked:,} requests; {why}"


def in_all(coverage: Coverage) -> str:
    """Of how many, in words."""
    if coverage.estimate is None or coverage.low is None or coverage.high is None:
        return ""
    return f" of about {coverage.estimate:,.0f} ({coverage.low:,.0f} to {coverage.high:,.0f})"
