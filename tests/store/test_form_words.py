"""Words to submit, as the state store keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.forms.description import read_form
from archiver.store.asked_forms.forms import offer_words, register_form, words_of_form
from tests.store.samples import NOW

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.store.database import Database

FILE = "form: books\npage: https://books.example/\n"
LONG = "the collected correspondence of the harbour commission"


def test_several_words_of_a_file_are_kept_whole(database: Database) -> None:
    def work(connection: Connection) -> dict[str, str]:
        form = register_form(connection, read_form(FILE.encode(), "books.yaml"), FILE, NOW)
        offer_words(connection, form.id, [LONG], "file")
        return words_of_form(connection, form.id)

    assert database.run(work) == {LONG: "file"}
