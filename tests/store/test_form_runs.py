"""Runs of a form: when one begins, and that the form's page is read in each."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.forms.model import FormPlan
from archiver.documents.pages.forms.description import read_form
from archiver.running.form_start import told_of_end
from archiver.store.asked_forms.forms import (
    DONE,
    RESTING,
    RUNNING,
    change_form,
    end_run,
    find_form,
    register_form,
)
from tests.store.samples import NOW

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.store.asked_forms.forms import AskedForm
    from archiver.store.database import Database

FILE = "form: books\npage: https://books.example/\nevery: 1d\n"
INPUTS = "inputs: {lang: {kind: option, fixed: de}}\n"
PLAN = FormPlan(action="https://books.example/find")
LATER = NOW + timedelta(hours=2)


def registered(connection: Connection, more: str = "", hours: int = 0) -> AskedForm:
    text = f"{FILE}{more}"
    form = register_form(connection, read_form(text.encode(), "f"), text, NOW + timedelta(hours=hours))
    if form.planned is None and not hours:
        change_form(connection, form.id, planned=PLAN)
    return form


@pytest.mark.parametrize(
    ("more", "run"),
    [("", 1), ("# A comment\nbudget: {requests: 9}\n", 1), (INPUTS, 2), ("select: {number: 2}\n", 2)],
)
def test_a_file_that_asks_otherwise_begins_a_run(database: Database, more: str, run: int) -> None:
    def work(connection: Connection) -> None:
        registered(connection)
        form = registered(connection, more, hours=1)
        assert (form.state, form.run) == (RUNNING, run)
        assert form.planned == (PLAN if run == 1 else None), "its page is read anew"

    database.run(work)


def test_each_run_reads_the_page_anew(database: Database) -> None:
    def work(connection: Connection) -> None:
        form = registered(connection)
        end_run(connection, form, "its budget is spent", NOW, LATER)
        before, after = registered(connection, INPUTS, hours=1), registered(connection, INPUTS, hours=2)
        assert (before.state, before.run) == (DONE, 1)
        assert (after.state, after.run, after.planned) == (RUNNING, 2, None)

    database.run(work)


def test_another_file_does_not_wake_a_form_that_rests(database: Database) -> None:
    def work(connection: Connection) -> None:
        form = registered(connection)
        change_form(connection, form.id, state=RESTING, rest_until=LATER)
        assert registered(connection, INPUTS, hours=1).run == 1
        found = find_form(connection, "books")
        assert found is not None
        assert found.state == RESTING
        assert registered(connection, INPUTS, hours=2).run == 2

    database.run(work)


@pytest.mark.parametrize(
    ("more", "run"),
    [
        ("", 1),
        ("# A comment\n", 1),
        ("align: {floor: 0.7}\n", 1),
        ("every: 2d\n", 1),
        ("budget: {requests: 9000}\n", 2),
        ("words: {file: more.txt}\n", 2),
        (INPUTS, 2),
    ],
)
def test_a_form_that_is_done_is_asked_again_once_its_file_says_something_else(
    database: Database, more: str, run: int
) -> None:
    """Also where it says nothing of time; a run follows once, not with each start."""

    def work(connection: Connection) -> None:
        plain = FILE.replace("every: 1d\n", "")
        form = register_form(connection, read_form(plain.encode(), "f"), plain, NOW)
        change_form(connection, form.id, planned=PLAN)
        end_run(connection, form, "nothing more is expected", NOW, None)
        text = f"{plain}{more}"
        found = register_form(connection, read_form(text.encode(), "f"), text, LATER)
        assert (found.state, found.run) == (RUNNING if run > 1 else DONE, run)
        end_run(connection, found, "nothing more is expected", LATER, None)
        assert register_form(connection, read_form(text.encode(), "f"), text, LATER).run == run

    database.run(work)


def test_what_has_a_form_asked_again_is_told(database: Database) -> None:
    def work(connection: Connection) -> None:
        form = registered(connection)
        end_run(connection, form, "nothing more is expected", NOW, None)
        done = find_form(connection, "books")
        assert done is not None
        told = told_of_end(done)
        assert told.startswith("books is done: nothing more is expected. To ask it again, change its file")
        assert "`every: 1d`" in told
        end_run(connection, form, "nothing more is expected", NOW, LATER)
        waiting = find_form(connection, "books")
        assert waiting is not None
        assert told_of_end(waiting).endswith(f"asked again from {LATER:%Y-%m-%d %H:%M} UTC on")

    database.run(work)
