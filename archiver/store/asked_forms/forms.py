"""Forms as the state store knows them: registered from files, begun again when their time has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace
from sqlalchemy import func, insert, select, update

from archiver.documents.pages.forms.description import DescribedAlignment, read_form
from archiver.errors import ConfigurationError
from archiver.store.schema import form_runs, form_words, forms, probes, record_wrappers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.forms.coverage import Coverage
    from archiver.acquisition.forms.model import FormBehaviour, FormPlan
    from archiver.documents.pages.forms.description import FormDescription
    from archiver.records.model import RecordWrapper

# States of a form: asked now, asked to the end, resting because its site refused, or not to be asked.
RUNNING, DONE, RESTING, REFUSED = "running", "done", "resting", "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedForm:
    """One form of the state store."""

    id: int
    name: str
    page: str
    definition: str
    folder: str  # that the form's file is in, which may name others
    state: str
    why: str
    planned: FormPlan | None
    behaviour: FormBehaviour | None
    coverage: Coverage | None
    run: int
    refusals: int
    rest_until: datetime | None
    next_run: datetime | None


def register_form(
    connection: Connection, said: FormDescription, text: str, now: datetime, folder: str = ""
) -> AskedForm:
    """Note a form and its file.

    One that is done begins a new run when its time has come, or at once where it has none and its file says
    something else by now; one that is asked now, where its file asks otherwise than before. Its page is read
    again then: what it has may be another form by now.
    """
    known = find_form(connection, said.form)
    if known is None:
        values = {"name": said.form, "page": said.page, "definition": text, "folder": folder}
        connection.execute(insert(forms).values(**values, state=RUNNING))
        known = find_form(connection, said.form)
        assert known is not None  # noqa: S101 - it was just written
        _begin_run(connection, known.id, 1, now)
        return known
    changes: dict[str, object] = {"definition": text, "page": said.page, "folder": folder}
    if known.state == REFUSED or (
        known.state == RESTING and (known.rest_until is None or known.rest_until <= now)
    ):
        changes |= {"state": RUNNING, "why": "", "refusals": 0}
    is_due = known.state == DONE and (
        known.next_run <= now if known.next_run is not None else _is_edited(known, said, text)
    )
    is_other = known.planned is not None and _asks_otherwise(known, said)
    if is_other and known.state == RESTING and "state" not in changes:
        del changes["definition"]  # it is compared once more when the form has rested
    if is_due or (is_other and changes.get("state", known.state) == RUNNING):
        changes |= {"state": RUNNING, "why": "", "run": known.run + 1, "next_run": None, "planned": None}
        _leave_run(connection, known, now)
        _begin_run(connection, known.id, known.run + 1, now)
    elif known.state == DONE and said.every is not None and known.next_run is None:
        changes["next_run"] = now + said.every
    change_form(connection, known.id, **changes)
    found = find_form(connection, said.form)
    assert found is not None  # noqa: S101 - it is there
    return found


def described_before(known: AskedForm) -> FormDescription | None:
    """The form's file as it was read last; None where it was written for an older archiver."""
    try:
        return read_form(known.definition.encode(), known.name)
    except ConfigurationError:
        return None


def _asks_otherwise(known: AskedForm, said: FormDescription) -> bool:
    """True where the form's file names another page, another form of it, or says otherwise what is sent."""
    before = described_before(known)
    question = said.page, said.select, said.inputs
    return before is None or (before.page, before.select, before.inputs) != question


def _is_edited(known: AskedForm, said: FormDescription, text: str) -> bool:
    """True where the form's file says something else of how the form is asked and its records are read."""
    before = described_before(known)
    return known.definition != text if before is None else _of_run(before) != _of_run(said)


def _of_run(said: FormDescription) -> FormDescription:
    return replace(said, every=None, align=DescribedAlignment())


def _leave_run(connection: Connection, form: AskedForm, now: datetime) -> None:
    """Note that a run which has no end is not gone on with."""
    mine = (form_runs.c.form_id == form.id) & (form_runs.c.run == form.run) & form_runs.c.ended.is_(None)
    connection.execute(update(form_runs).where(mine).values(ended=now, why="its file asks otherwise now"))


def _begin_run(connection: Connection, form_id: int, run: int, now: datetime) -> None:
    connection.execute(insert(form_runs).values(form_id=form_id, run=run, started=now))


def find_form(connection: Connection, name: str) -> AskedForm | None:
    row = connection.execute(select(forms).where(forms.c.name == name)).mappings().first()
    return AskedForm(**row) if row else None


def all_forms(connection: Connection) -> list[AskedForm]:
    rows = connection.execute(select(forms).order_by(forms.c.name)).mappings()
    return [AskedForm(**row) for row in rows]


def change_form(connection: Connection, form_id: int, **values: object) -> None:
    connection.execute(update(forms).where(forms.c.id == form_id).values(**values))


def end_run(
    connection: Connection, form: AskedForm, why: str, now: datetime, next_run: datetime | None
) -> None:
    """Note that a run of a form is over, and when the next one begins."""
    change_form(connection, form.id, state=DONE, why=why, next_run=next_run)
    mine = (form_runs.c.form_id == form.id) & (form_runs.c.run == form.run)
    connection.execute(update(form_runs).where(mine).values(ended=now, why=why))


def count_in_run(connection: Connection, form_id: int, run: int, **more: int) -> None:
    mine = (form_runs.c.form_id == form_id) & (form_runs.c.run == run)
    values = {name: form_runs.c[name] + count for name, count in more.items()}
    connection.execute(update(form_runs).where(mine).values(**values))


def offer_words(connection: Connection, form_id: int, words: Iterable[str], source: str) -> None:
    known = set(words_of_form(connection, form_id))
    rows = [
        {"form_id": form_id, "word": word, "source": source}
        for word in dict.fromkeys(words)
        if word not in known
    ]
    if rows:
        connection.execute(insert(form_words), rows)


def words_of_form(connection: Connection, form_id: int) -> dict[str, str]:
    query = select(form_words.c.word, form_words.c.source).where(form_words.c.form_id == form_id)
    return {row.word: row.source for row in connection.execute(query)}


def keep_wrapper(connection: Connection, form_id: int, wrapper: RecordWrapper, now: datetime) -> int:
    """Note what was learned; the wrapper before it is outdated."""
    mine = (record_wrappers.c.form_id == form_id) & record_wrappers.c.outdated.is_(None)
    connection.execute(update(record_wrappers).where(mine).values(outdated=now))
    made = connection.execute(insert(record_wrappers).values(form_id=form_id, wrapper=wrapper, learned=now))
    return int(made.inserted_primary_key[0])  # type: ignore[index] # it has one


def change_wrapper(connection: Connection, wrapper_id: int, wrapper: RecordWrapper) -> None:
    mine = record_wrappers.c.id == wrapper_id
    connection.execute(update(record_wrappers).where(mine).values(wrapper=wrapper))


def wrapper_of_form(connection: Connection, form_id: int) -> tuple[int, RecordWrapper] | None:
    mine = (record_wrappers.c.form_id == form_id) & record_wrappers.c.outdated.is_(None)
    row = connection.execute(
        select(record_wrappers).where(mine).order_by(record_wrappers.c.id.desc())
    ).first()
    return None if row is None else (row.id, row.wrapper)


def asked_since(connection: Connection, form_id: int, since: datetime) -> int:
    """How many requests were made for a form since a moment."""
    mine = (probes.c.form_id == form_id) & (probes.c.asked >= since)
    return int(connection.execute(select(func.count()).select_from(probes).where(mine)).scalar_one())
