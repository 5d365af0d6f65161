"""What came of a probe, in one transaction: its state, its records, and what was counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from archiver.records.objects.model import RecordOrigin
from archiver.store.asked_forms.forms import change_form, count_in_run
from archiver.store.asked_forms.probes import CAPTURED, READ, MadeProbe, mark_probe
from archiver.store.asked_forms.records import RecordCounts, write_records
from archiver.store.quotas import Use, count
from archiver.store.schema import form_mappings, probes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.forms.answers import AnswerPageRead
    from archiver.acquisition.forms.mapping import InputMapping
    from archiver.acquisition.forms.model import Answered, Probe
    from archiver.acquisition.items import FormFetch
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.asked_forms.forms import AskedForm


def store_capture(connection: Connection, fetch: FormFetch, run: int, now: datetime) -> None:
    """Note that an answer is in the archive; it is read later."""
    count(connection, [Use(host=fetch.target.host, pages=1, size=fetch.size)], now)
    values = {"capture": fetch.capture, "answered_by": fetch.url, "state": CAPTURED}
    mark_probe(connection, fetch.target.id, **values)
    change_form(connection, fetch.target.form_id, refusals=0)
    count_in_run(connection, fetch.target.form_id, run, requests=1)


def store_answer(
    connection: Connection,
    objects: ObjectWriter,
    asked: tuple[AskedForm, str],
    made: MadeProbe,
    read: AnswerPageRead,
    recorded: datetime,
    *,
    judge: Callable[[Probe, AnswerPageRead], Answered],
    take: Callable[[Answered, AnswerPageRead], int],
) -> RecordCounts:
    """Write the records of an answer, and note what kind of answer it is.

    `asked` has the form and the name of its wrapper.
    """
    (form, wrapper), answered, counts = asked, judge(made.probe, read), RecordCounts()
    if answered.records and made.capture is not None:
        origin = RecordOrigin(
            form=form.name,
            wrapper=wrapper,
            url=made.answered_by or made.url,
            inputs=made.probe.inputs,
            page=made.probe.page,
            capture=made.capture,
        )
        place = (form.id, form.run, made.id)
        listed = list({record.key: record for record in reversed(read.records)}.values())[::-1]
        counts = write_records(connection, objects, listed, origin, place, recorded)
    fresh = take(answered, read)
    mark_probe(
        connection,
        made.id,
        state=READ,
        kind=answered.kind,
        records=len(answered.records),
        fresh=fresh,
        total=answered.total,
        next_url=answered.next_url,
    )
    count_in_run(
        connection, form.id, form.run, added=counts.added, changed=counts.changed, unchanged=counts.unchanged
    )
    return counts


def made_probe(connection: Connection, probe_id: int) -> MadeProbe:
    row = connection.execute(select(probes).where(probes.c.id == probe_id)).mappings().one()
    return MadeProbe(**row)


def keep_mappings(connection: Connection, form_id: int, found: Sequence[InputMapping]) -> None:
    connection.execute(delete(form_mappings).where(form_mappings.c.form_id == form_id))
    rows = [
        {
            "form_id": form_id,
            "input": one.input,
            "attribute": one.attribute,
            "tried": one.tried,
            "held": one.held,
            "control": one.control,
            "confidence": one.confidence,
            "how": one.how,
        }
        for one in found
    ]
    if rows:
        connection.execute(insert(form_mappings), rows)
