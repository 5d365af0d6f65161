"""Records behind forms: lines of their objects first, then the rows that know where these are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.acquisition.forms.probed import as_probed
from archiver.records.details import with_detail
from archiver.records.objects.changes import KnownRecord, compare_records
from archiver.records.objects.model import make_record
from archiver.store.asked_forms.lines import last_version
from archiver.store.schema import probes, record_sightings, records

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.forms.model import ProbedRecord
    from archiver.archive.objects.writer import LinePlace, ObjectWriter
    from archiver.records.model import ListedRecord
    from archiver.records.objects.changes import WrittenRecord
    from archiver.records.objects.model import RecordAnswer, RecordOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCounts:
    """What an answer came to."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


def write_records(
    connection: Connection,
    objects: ObjectWriter,
    listed: Sequence[ListedRecord],
    origin: RecordOrigin,
    place: tuple[int, int, int],
    recorded: datetime,
) -> RecordCounts:
    """Stage the lines of what is new or edited, and note sightings; within `Archive.write`.

    `place` is the form, its run and the probe.
    """
    form_id, run, probe_id = place
    known = known_records(connection, form_id, [record.key for record in listed], run)
    # The page of a record that is known from lists says nothing against these.
    shown = [one for one in listed if one.key not in known or not _is_detail(one)]
    changes = compare_records(shown, known, origin.wrapper, origin.capture.date, recorded)
    for new in changes.written:
        one, detail = _widened(connection, objects, form_id, new)
        line = objects.stage(make_record(one.record, origin, one.version, detail), recorded)
        _write_row(connection, form_id, run, one, origin, line)
    for seen in changes.seen:
        mine = (records.c.form_id == form_id) & (records.c.key == seen.key)
        connection.execute(
            update(records).where(mine).values(digests=seen.digests, last_seen=seen.last_seen, run=run)
        )
    _note_sightings(connection, form_id, probe_id, [record.key for record in listed])
    added = sum(one.version.number == 1 for one in changes.written)
    return RecordCounts(added=added, changed=len(changes.written) - added, unchanged=len(changes.seen))


def _widened(
    connection: Connection, objects: ObjectWriter, form_id: int, new: WrittenRecord
) -> tuple[WrittenRecord, RecordAnswer | None]:
    """A version with what its record's own page said when it was read last, and that page."""
    if new.version.number == 1 or "detail" not in new.digests or _is_detail(new.record):
        return new, None
    mine = (records.c.form_id == form_id) & (records.c.key == new.record.key)
    last = last_version(objects, connection.execute(select(records).where(mine)).mappings().one())
    detail = {
        name: [value for value in values if value.origin == "detail"]
        for name, values in last.attributes.items()
        if any(value.origin == "detail" for value in values)
    }
    return replace(new, record=with_detail(new.record, detail)), last.detail


def _is_detail(record: ListedRecord) -> bool:
    return all(value.origin == "detail" for values in record.attributes.values() for value in values)


def known_records(
    connection: Connection, form_id: int, keys: Collection[str], run: int
) -> dict[str, KnownRecord]:
    mine = (records.c.form_id == form_id) & records.c.key.in_(keys)
    return {
        row.key: KnownRecord(
            key=row.key,
            version=row.version,
            digests=row.digests,
            wrapper=row.wrapper,
            first_seen=row.first_seen,
            last_seen=row.last_seen,
            is_of_run=row.run == run,
        )
        for row in connection.execute(select(records).where(mine))
    }


def _write_row(
    connection: Connection, form_id: int, run: int, one: WrittenRecord, origin: RecordOrigin, line: LinePlace
) -> None:
    captured = origin.capture.date
    row = {
        "version": one.version.number,
        "digests": one.digests,
        "wrapper": origin.wrapper,
        "attributes": values_of(one.record),
        "detail_url": one.record.detail_url,
        "first_seen": one.version.first_seen,
        "last_seen": captured,
        "run": run,
        "object_file": line.file,
        "object_offset": line.offset,
        "object_digest": line.digest,
    }
    if one.version.number == 1:
        connection.execute(insert(records).values(form_id=form_id, key=one.record.key, **row))
    else:
        mine = (records.c.form_id == form_id) & (records.c.key == one.record.key)
        connection.execute(update(records).where(mine).values(**row))


def values_of(record: ListedRecord) -> dict[str, tuple[str, ...]]:
    return {name: tuple(one.value for one in values) for name, values in record.attributes.items()}


def _note_sightings(connection: Connection, form_id: int, probe_id: int, keys: Sequence[str]) -> None:
    mine = (records.c.form_id == form_id) & records.c.key.in_(keys)
    ids = {row.key: row.id for row in connection.execute(select(records.c.key, records.c.id).where(mine))}
    rows = [
        {"probe_id": probe_id, "place": place, "record_id": ids[key]} for place, key in enumerate(keys, 1)
    ]
    if rows:
        connection.execute(insert(record_sightings), rows)


def sightings_in(connection: Connection, form_id: int, run: int) -> dict[int, list[str]]:
    """The keys of the records that each probe of a run showed."""
    query = (
        select(record_sightings.c.probe_id, records.c.key)
        .join(records, records.c.id == record_sightings.c.record_id)
        .join(probes, probes.c.id == record_sightings.c.probe_id)
        .where((probes.c.form_id == form_id) & (probes.c.run == run))
        .order_by(record_sightings.c.probe_id, record_sightings.c.place)
    )
    found: dict[int, list[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.probe_id, []).append(row.key)
    return found


def probed_records(connection: Connection, form_id: int) -> Mapping[str, ProbedRecord]:
    """What probing knows of each record of a form."""
    query = select(records.c.key, records.c.attributes).where(records.c.form_id == form_id)
    return {row.key: as_probed(row.key, row.attributes) for row in connection.execute(query)}


def records_with_pages(
    connection: Connection, form_id: int, most: int
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Some records that have a page of their own: its address, and their values."""
    mine = (records.c.form_id == form_id) & (records.c.detail_url != "")
    query = select(records.c.detail_url, records.c.attributes).where(mine).order_by(records.c.id).limit(most)
    return {row.detail_url: row.attributes for row in connection.execute(query)}
