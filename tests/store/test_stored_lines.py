"""What the state store knows of object lines, while a run goes on writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.digests import sha256_digest
from archiver.store.database import Database
from archiver.store.object_files import save_object_length
from archiver.store.reading import reading
from archiver.store.stored_lines import StoredLines
from tests.objects.writers import object_writer
from tests.store.test_contributions import FILE, comment, look

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection


def test_what_was_settled_since_is_known_also_where_all_questions_see_one_state(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    database = Database(url)
    database.run(save_object_length, "articles-1.jsonl", 10)
    with reading(url) as connection:
        # As PostgreSQL does it for those who only read.
        connection.exec_driver_sql("BEGIN")
        stored = StoredLines(connection)
        database.run(save_object_length, "articles-1.jsonl", 20)
        assert stored.lengths == StoredLines(connection).lengths == {"articles-1.jsonl": 10}
        assert stored.lengths_now() == {"articles-1.jsonl": 20}
    database.close()


def test_lines_of_contributions_are_known_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    database, objects = Database(url), object_writer(tmp_path / "objects")
    look(database, objects, comment("comment-1"), comment("comment-2"))
    objects.close()
    with reading(url) as connection:
        stored = StoredLines(connection)
        first, second = stored.all()
        assert (first.file, first.offset, first.version) == (FILE, 0, 1)
        line = (tmp_path / "objects" / FILE).read_bytes().splitlines(keepends=True)[1]
        assert second.digest == sha256_digest(line)
        assert stored.name(FILE, second.offset) == "version 1 of the comment comment-2"
    database.run(as_an_older_archiver_left_it)
    database.close()
    with reading(url) as connection:
        stored = StoredLines(connection)
        assert (list(stored.all()), stored.flaws()) == ([], [])


def as_an_older_archiver_left_it(connection: Connection) -> None:
    connection.exec_driver_sql("DROP TABLE contributions")
    connection.exec_driver_sql("UPDATE schema_version SET version = 7")
