"""Forms that are no longer asked in a run: to the end, or refused; what was learned of them is noted."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.store.asked_forms.answered import keep_mappings
from archiver.store.asked_forms.forms import REFUSED, change_form, end_run

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

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
