"""Forms and their records as the web application shows them: read by rows, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, inspect, select

from archiver.acquisition.forms.coverage import Coverage  # noqa: TC001 - read at run time
from archiver.acquisition.forms.mapping import InputMapping  # noqa: TC001 - likewise
from archiver.acquisition.forms.model import FormBehaviour, FormPlan  # noqa: TC001 - likewise
from archiver.archive.storage import open_archived
from archiver.errors import ArchiveError
from archiver.inspection.forms import (
    FormRunRow,
    columns_of_form,
    mappings_of_form,
    properties_of_form,
    runs_of_form,
    standing,
    standings,
)
from archiver.inspection.records.lines import addresses_of
from archiver.inspection.records.linked import RecordLinks, kept_links
from archiver.inspection.records.proving import ProvenValue, Prover
from archiver.records.model import RecordColumn  # noqa: TC001 - as above
from archiver.records.objects.model import ArchivedRecord, RecordLink
from archiver.store.asked_forms.forms import find_form
from archiver.store.schema import forms, probes, records

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.forms import FormStanding

PER_PAGE = 50
# Points of the curve of records over requests.
_POINTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FormNote:
    """A form in a line."""

    name: str
    page: str
    state: str
    why: str
    run: int
    requests: int
    records: int
    coverage: Coverage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormNotes:
    forms: tuple[FormNote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDetails:
    """All that is known of a form."""

    form: FormNote
    plan: FormPlan | None
    behaviour: FormBehaviour | None
    answers: dict[str, int]
    curve: tuple[tuple[int, float], ...]  # requests of the last run → records that they brought
    columns: tuple[RecordColumn, ...]
    properties: dict[str, str]
    mappings: tuple[InputMapping, ...]
    runs: tuple[FormRunRow, ...]
    links: int  # records that are linked to something
    linked_with: str
    relations: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRow:
    key: str
    url: str
    version: int
    values: dict[str, tuple[str, ...]]
    same_as: tuple[RecordLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """Some records of a form."""

    form: str
    total: int
    page: int
    attributes: tuple[str, ...]
    records: tuple[RecordRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShown:
    """One record: each value with what stands at its place in WARC."""

    record: ArchivedRecord
    values: tuple[ProvenValue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPlaces:
    """What forms are read from."""

    state: Connection
    folder: Path
    withheld: Withheld


def read_forms(places: FormPlaces) -> FormNotes:
    has_any = inspect(places.state).has_table(forms.name)
    found = standings(places.state) if has_any else []
    return FormNotes(forms=tuple(_note(one) for one in found if not places.withheld.hides(one.form.page)))


def read_form_details(places: FormPlaces, name: str) -> FormDetails:
    state = places.state
    _known(state, name)
    one = standing(state, name)
    places.withheld.refuse(one.form.page)
    links = kept_links(places.folder, name)
    return FormDetails(
        form=_note(one),
        plan=one.form.planned,
        behaviour=one.form.behaviour,
        answers=one.answers,
        curve=_curve(state, one),
        columns=tuple(columns_of_form(state, name)),
        properties=properties_of_form(state, name),
        mappings=tuple(mappings_of_form(state, name)),
        runs=tuple(runs_of_form(state, name)),
        links=len(links.records) if links is not None else 0,
        linked_with=links.file if links is not None else "",
        relations=links.relations if links is not None else {},
    )


def _known(state: Connection, name: str) -> int:
    """The number of a form; ArchiveError where none is called so."""
    form = find_form(state, name) if inspect(state).has_table(forms.name) else None
    if form is None:
        raise ArchiveError(f"There is no form {name}")
    return form.id


def _note(one: FormStanding) -> FormNote:
    form = one.form
    return FormNote(
        name=form.name,
        page=form.page,
        state=form.state,
        why=form.why,
        run=form.run,
        requests=one.requests,
        records=one.records,
        coverage=form.coverage,
    )


def _curve(state: Connection, one: FormStanding) -> tuple[tuple[int, float], ...]:
    mine = (probes.c.form_id == one.form.id) & (probes.c.run == one.form.run)
    fresh = state.execute(select(probes.c.fresh).where(mine).order_by(probes.c.id)).scalars().all()
    seen, points = 0, []
    for number, count in enumerate(fresh, 1):
        seen += count
        points.append((number, float(seen)))
    step = max(1, len(points) // _POINTS)
    return (*points[::step][:-1], *points[-1:])


def read_records(places: FormPlaces, name: str, page: int) -> RecordPage:
    state, form_id = places.state, _known(places.state, name)
    mine = records.c.form_id == form_id
    query = select(records).where(mine).order_by(records.c.id).limit(PER_PAGE).offset(PER_PAGE * (page - 1))
    links = kept_links(places.folder, name)
    rows = [
        _row(row.key, row.detail_url, row.version, row.attributes, links)
        for row in state.execute(query)
        if not _is_hidden(places, row.object_file, row.object_offset)
    ]
    names = dict.fromkeys(name for row in rows for name in row.values)
    return RecordPage(
        form=name,
        total=state.execute(select(func.count()).select_from(records).where(mine)).scalar_one(),
        page=page,
        attributes=tuple(names),
        records=tuple(rows),
    )


def _is_hidden(places: FormPlaces, file: str, offset: int) -> bool:
    """True for a record of which a page is withheld, be it its own or one that lists it."""
    if not places.withheld:
        return False
    return places.withheld.hides_any(addresses_of(_line(places.folder / "objects" / file, offset)))


def _row(
    key: str, url: str, version: int, values: dict[str, tuple[str, ...]], links: RecordLinks | None
) -> RecordRow:
    same_as = links.records.get(key, ()) if links is not None else ()
    return RecordRow(key=key, url=url, version=version, values=values, same_as=same_as)


def read_record(places: FormPlaces, name: str, key: str) -> RecordShown:
    mine = (records.c.form_id == _known(places.state, name)) & (records.c.key == key)
    row = places.state.execute(select(records).where(mine)).first()
    if row is None:
        raise ArchiveError(f"{name} has no record {key}")
    record = _line(places.folder / "objects" / row.object_file, row.object_offset)
    for url in addresses_of(record):
        places.withheld.refuse(url)
    links = kept_links(places.folder, name)
    same_as = links.records.get(key, ()) if links is not None else ()
    values = tuple(Prover(places.folder / "warc").values(record))
    return RecordShown(record=replace(record, same_as=same_as), values=values)


def _line(path: Path, offset: int) -> ArchivedRecord:
    try:
        with open_archived(path) as file:
            file.seek(offset)
            return msgspec.json.decode(file.readline(), type=ArchivedRecord)
    except (OSError, msgspec.DecodeError) as error:
        raise ArchiveError(f"{path.name} has no record at {offset}: run `scrapy verify`") from error
