"""Records' own pages: which are to be fetched, and records widened by what these say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import func, literal, select, update

from archiver.records.details import more_of
from archiver.records.objects.model import RecordAnswer, pointer_to, values_digest
from archiver.store.asked_forms.forms import count_in_run
from archiver.store.asked_forms.lines import last_version
from archiver.store.asked_forms.probes import READ, mark_probe
from archiver.store.schema import probes, records
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.records.model import RecordValue
    from archiver.store.asked_forms.forms import AskedForm
    from archiver.store.asked_forms.probes import MadeProbe

    Attributes = Mapping[str, Sequence[RecordValue]]

_KEY = "detail "  # as `Probe.key` has it


def details_to_ask(connection: Connection, form: AskedForm, after: str, most: int) -> list[tuple[str, str]]:
    """Keys and pages of records whose pages were not asked for in this run, in the order of their keys.

    Keys are digests: the first ones are drawn by chance, and the same in every run.
    """
    asked = select(probes.c.id).where(
        (probes.c.form_id == form.id)
        & (probes.c.run == form.run)
        & (probes.c.key == literal(_KEY) + records.c.detail_url)
    )
    mine = (records.c.form_id == form.id) & (records.c.detail_url != "") & (records.c.key > after)
    query = select(records.c.key, records.c.detail_url).where(mine & ~asked.exists())
    return [
        (row.key, row.detail_url) for row in connection.execute(query.order_by(records.c.key).limit(most))
    ]


def details_asked(connection: Connection, form: AskedForm) -> int:
    mine = (probes.c.form_id == form.id) & (probes.c.run == form.run) & probes.c.key.startswith(_KEY)
    return int(connection.execute(select(func.count()).select_from(probes).where(mine)).scalar_one())


def count_records(connection: Connection, form: AskedForm) -> int:
    query = select(func.count()).select_from(records).where(records.c.form_id == form.id)
    return int(connection.execute(query).scalar_one())


def store_detail(
    connection: Connection,
    objects: ObjectWriter,
    asked: tuple[AskedForm, str],
    made: MadeProbe,
    detail: Attributes,
    recorded: datetime,
) -> bool:
    """Note what a record's own page says; True if that made a version.

    `asked` has the form and the name of its wrapper.
    """
    form, wrapper = asked
    mark_probe(connection, made.id, state=READ)
    mine = (records.c.form_id == form.id) & (records.c.detail_url == made.url)
    row = connection.execute(select(records).where(mine).order_by(records.c.key)).mappings().first()
    if row is None or made.capture is None:
        return False
    last = last_version(objects, row)
    attributes = more_of(last.attributes, detail)
    digest = values_digest(attributes, "detail")
    if not any(attributes) or row["digests"].get("detail") == digest or last.attributes == attributes:
        return False
    page = RecordAnswer(
        url=redact(made.answered_by or made.url),
        xpath="/html",
        warc=pointer_to(made.capture),
    )
    version = replace(
        last,
        version=last.version + 1,
        change="values" if "detail" in row["digests"] else "detail",
        attributes=attributes,
        detail=page,
        digest=values_digest(attributes),
        unchanged_until=row["last_seen"],
        captured=made.capture.date,
        wrapper=wrapper,
    )
    line = objects.stage(version, recorded)
    connection.execute(
        update(records)
        .where(records.c.id == row["id"])
        .values(
            version=version.version,
            digests=row["digests"] | {"detail": digest},
            attributes={name: tuple(one.value for one in values) for name, values in attributes.items()},
            wrapper=wrapper,
            last_seen=max(row["last_seen"], made.capture.date),
            run=form.run,
            object_file=line.file,
            object_offset=line.offset,
            object_digest=line.digest,
        )
    )
    count_in_run(connection, form.id, form.run, changed=1)
    return True
