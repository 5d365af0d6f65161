"""Forms that are asked for records: how each stands, what it does, and which input filters what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.acquisition.forms.mapping import InputMapping
from archiver.documents.pages.forms.description import DescribedAlignment, read_form
from archiver.errors import ConfigurationError
from archiver.store.asked_forms.forms import all_forms, find_form, wrapper_of_form
from archiver.store.schema import form_mappings, form_runs, probes, records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.documents.pages.forms.description import FormDescription
    from archiver.records.model import RecordColumn
    from archiver.store.asked_forms.forms import AskedForm


@dataclass(frozen=True, slots=True, kw_only=True)
class FormStanding:
    """A form, with what its answers came to."""

    form: AskedForm
    requests: int
    records: int
    answers: dict[str, int]  # kinds of answers → how many


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRunRow:
    """One run of a form."""

    run: int
    started: datetime
    ended: datetime | None
    requests: int
    added: int
    changed: int
    unchanged: int
    why: str


def standings(connection: Connection) -> list[FormStanding]:
    return [_standing(connection, form) for form in all_forms(connection)]


def named_form(connection: Connection, name: str) -> AskedForm:
    """ConfigurationError where no form is called so."""
    form = find_form(connection, name)
    if form is None:
        known = ", ".join(one.name for one in all_forms(connection)) or "none was crawled"
        raise ConfigurationError(f"There is no form {name}: {known}")
    return form


def standing(connection: Connection, name: str) -> FormStanding:
    return _standing(connection, named_form(connection, name))


def _standing(connection: Connection, form: AskedForm) -> FormStanding:
    mine = (probes.c.form_id == form.id) & (probes.c.run == form.run)
    kinds = select(probes.c.kind, func.count()).where(mine).group_by(probes.c.kind).order_by(probes.c.kind)
    answers = {kind: count for kind, count in connection.execute(kinds) if kind}
    count = select(func.count()).select_from(records).where(records.c.form_id == form.id)
    requests = select(func.count()).select_from(probes).where(mine)
    return FormStanding(
        form=form,
        requests=connection.execute(requests).scalar_one(),
        records=connection.execute(count).scalar_one(),
        answers=answers,
    )


def runs_of_form(connection: Connection, name: str) -> list[FormRunRow]:
    form = named_form(connection, name)
    query = select(form_runs).where(form_runs.c.form_id == form.id).order_by(form_runs.c.run)
    rows = (dict(row) for row in connection.execute(query).mappings())
    return [FormRunRow(**{key: value for key, value in row.items() if key != "form_id"}) for row in rows]


def mappings_of_form(connection: Connection, name: str) -> list[InputMapping]:
    form = named_form(connection, name)
    query = select(form_mappings).where(form_mappings.c.form_id == form.id)
    rows = connection.execute(query.order_by(form_mappings.c.input, form_mappings.c.attribute)).mappings()
    return [InputMapping(**{key: value for key, value in row.items() if key != "form_id"}) for row in rows]


def definition_of(form: AskedForm) -> FormDescription:
    """The form's file, as it was read last."""
    return read_form(form.definition.encode(), form.name)


def alignment_of_form(connection: Connection, name: str) -> tuple[DescribedAlignment, Path]:
    """What the form's file says of alignment, and the folder from which it names files.

    Nothing where the form is not known: its objects may be all that is left of it.
    """
    form = find_form(connection, name)
    if form is None:
        return DescribedAlignment(), Path()
    return definition_of(form).align, Path(form.folder)


def properties_of_form(connection: Connection, name: str) -> dict[str, str]:
    """IRIs that the form's file gives to attributes, by their names; none where the form is not known."""
    form = find_form(connection, name)
    said = definition_of(form).attributes if form is not None else {}
    return {one.name or learned: one.property for learned, one in said.items() if one.property}


def columns_of_form(connection: Connection, name: str) -> Sequence[RecordColumn]:
    """What was learned of its records."""
    form = named_form(connection, name)
    known = wrapper_of_form(connection, form.id)
    return [] if known is None else [one for one in known[1].columns if not one.is_constant]
