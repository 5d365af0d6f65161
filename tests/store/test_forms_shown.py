"""Forms and records as the web application reads them: what is withheld is in no list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.forms.model import Probe
from archiver.archive.withheld import Withheld, pattern_of, withheld_by
from archiver.documents.pages.forms.description import read_form
from archiver.errors import ArchiverError
from archiver.inspection.records.shown import (
    FormPlaces,
    read_form_details,
    read_forms,
    read_record,
    read_records,
)
from archiver.records.model import ListedRecord, RecordValue
from archiver.records.objects.model import RecordOrigin
from archiver.store.asked_forms.forms import register_form
from archiver.store.asked_forms.probes import note_probe
from archiver.store.asked_forms.records import write_records
from archiver.store.object_files import lines_settled
from tests.store.samples import NOW, capture

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

PAGE, ANSWER = "https://books.example/", "https://books.example/find?q=water"
FILE = f"form: books\npage: {PAGE}\n"


def stored(database: Database, objects: ObjectWriter) -> None:
    """A form with a record that has no page of its own."""
    record = ListedRecord(
        key="1", place=1, xpath="/html/body/p", attributes={"title": [RecordValue(value="A")]}
    )

    def work(connection: Connection) -> None:
        form = register_form(connection, read_form(FILE.encode(), "books.yaml"), FILE, NOW)
        probe = note_probe(connection, form, Probe(chosen_by="empty"), ANSWER, NOW)
        origin = RecordOrigin(form="books", wrapper="w1", url=ANSWER, inputs={}, page=1, capture=capture())
        with lines_settled(connection, objects):
            write_records(connection, objects, [record], origin, (form.id, 1, probe.id), NOW)

    database.run(work)


def withheld(url: str) -> Withheld:
    return withheld_by([(pattern_of(url), "order 7")])


@pytest.mark.parametrize("url", [ANSWER, "books.example"])
def test_a_record_of_an_answer_that_is_withheld_is_not_shown(
    database: Database, objects: ObjectWriter, tmp_path: Path, url: str
) -> None:
    stored(database, objects)

    def work(connection: Connection) -> None:
        places = FormPlaces(state=connection, folder=tmp_path, withheld=Withheld())
        assert [one.values for one in read_records(places, "books", 1).records] == [{"title": ("A",)}]
        assert len(read_forms(places).forms) == 1
        places = FormPlaces(state=connection, folder=tmp_path, withheld=withheld(url))
        assert read_records(places, "books", 1).records == ()
        with pytest.raises(ArchiverError, match="order 7"):
            read_record(places, "books", "1")
        if url != ANSWER:
            assert read_forms(places).forms == ()
            with pytest.raises(ArchiverError, match="order 7"):
                read_form_details(places, "books")

    database.run(work)
