"""Probes: noted before they are made, so that none is made twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import insert, select, update

from archiver.acquisition.targets import FormProbe
from archiver.store.schema import probes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.forms.model import AnswerKind, Probe
    from archiver.archive.warc.records import Capture
    from archiver.store.asked_forms.forms import AskedForm

PENDING, CAPTURED, READ = "pending", "captured", "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeProbe:
    """A probe of a run, and what came of it."""

    id: int
    form_id: int
    run: int
    key: str
    probe: Probe
    url: str
    state: str
    kind: AnswerKind | Literal[""]
    records: int
    fresh: int
    total: int | None
    next_url: str
    answered_by: str
    capture: Capture | None
    asked: datetime


def note_probe(connection: Connection, form: AskedForm, probe: Probe, url: str, now: datetime) -> FormProbe:
    """Note that a probe is about to be made."""
    row = {"form_id": form.id, "run": form.run, "key": probe.key, "probe": probe, "url": url}
    made = connection.execute(insert(probes).values(**row, state=PENDING, asked=now))
    number = int(made.inserted_primary_key[0])  # type: ignore[index] # it has one
    return FormProbe(id=number, form=form.name, form_id=form.id, probe=probe, url=url)


def note_brought(connection: Connection, form: AskedForm, brought: Iterable[Probe], now: datetime) -> int:
    """Note requests that a probe brought with it, which have nothing to be read; how many they are."""
    fresh = [one for one in brought if not was_made(connection, form, one.key)]
    rows = [
        {"form_id": form.id, "run": form.run, "key": one.key, "probe": one, "url": one.url}
        for one in {one.key: one for one in fresh}.values()
    ]
    if rows:
        connection.execute(insert(probes), [{**one, "state": READ, "asked": now} for one in rows])
    return len(rows)


def was_made(connection: Connection, form: AskedForm, key: str) -> bool:
    mine = (probes.c.form_id == form.id) & (probes.c.run == form.run) & (probes.c.key == key)
    return connection.execute(select(probes.c.id).where(mine)).first() is not None


def pending_probe(connection: Connection, form: AskedForm) -> FormProbe | None:
    """The probe that was noted and has no answer: a run ended before it came."""
    for one in probes_in(connection, form.id, form.run, PENDING):
        return FormProbe(id=one.id, form=form.name, form_id=form.id, probe=one.probe, url=one.url)
    return None


def probes_in(connection: Connection, form_id: int, run: int, *states: str) -> list[MadeProbe]:
    mine = (probes.c.form_id == form_id) & (probes.c.run == run)
    query = select(probes).where(mine).order_by(probes.c.id)
    query = query.where(probes.c.state.in_(states)) if states else query
    return [MadeProbe(**row) for row in connection.execute(query).mappings()]


def mark_probe(connection: Connection, probe_id: int, /, **values: object) -> None:
    connection.execute(update(probes).where(probes.c.id == probe_id).values(**values))


def mark_read(connection: Connection, probe_id: int) -> None:
    mark_probe(connection, probe_id, state=READ)
